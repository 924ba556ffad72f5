"""Parser of Streamlit's Markdown dialect: CommonMark, GFM tables and strikethrough, footnotes and formulas.

HTML is off: it stays text. Dollars are formulas only where they cannot be money, so that "$5 and $10" stays text too.
"""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

_DEEPEST_BLOCK = 100
# Each bracket in a flood of them is looked at once for every level: few levels keep that linear and quick.
_DEEPEST_BRACKET = 10
_LONGEST_BLOCK = 60
_PREFIX = r"(?:[ \t]|>|[-+*](?=\s)|\d{1,9}[.)](?=\s))"
_CROWDED = re.compile(rf"(?m)^(?={_PREFIX}{{26}})({_PREFIX}+)")
_MOST_MARKERS = 25
_WIDEST_PREFIX = 90


def parse(text: str) -> list[Token]:
    """Parse a text into tokens; containers are thinned out where they are nested too deeply."""
    return _parser().parse(_CROWDED.sub(_thinned, text))


def _thinned(match: re.Match[str]) -> str:
    markers = re.sub(r"[\s\d.)]", "", match[1])
    is_crowded = len(markers) > _MOST_MARKERS or (markers and len(match[1]) > _WIDEST_PREFIX)
    return match[1][:_MOST_MARKERS] if is_crowded else match[1]


@cache
def _parser() -> MarkdownIt:
    parser = _rules(_DEEPEST_BLOCK)
    lines = _rules(_DEEPEST_BRACKET)

    def inline(state: StateCore) -> None:
        for token in state.tokens:
            if token.type == "inline" and token.children is not None:
                lines.inline.parse(token.content, lines, state.env, token.children)

    parser.core.ruler.at("inline", inline)
    return parser


def _rules(deepest: int) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": deepest}).enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.inline.ruler.after("backticks", "math_inline", _math_inline)
    interrupted = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "math_block", _math_block, {"alt": interrupted})
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser


def _math_inline(state: StateInline, silent: bool) -> bool:
    """`$x$` or `$$x$$` on one line; a single dollar as Pandoc has it: no space inside it, no digit after it."""
    source, start = state.src, state.pos
    if source[start] != "$":
        return False
    size = 2 if source.startswith("$$", start) else 1
    end = source.find("$", start + size, state.posMax)
    content = source[start + size : end]
    if end < 0 or not _is_formula(content, source[end : end + 4], size):
        return _skip_dollars(state, silent)
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content, token.markup = content, "$" * size
    state.pos = end + size
    return True


def _is_formula(content: str, ending: str, size: int) -> bool:
    if "\n" in content or not content.strip() or content.endswith("\\"):
        return False
    if size == 2:
        return ending.startswith("$$") and not ending.startswith("$$$")
    return content.strip() == content and not ending.startswith("$$") and not ending[1:2].isdigit()


def _skip_dollars(state: StateInline, silent: bool) -> bool:
    """A run of dollars that opens nothing is text as a whole."""
    while state.pos < state.posMax and state.src[state.pos] == "$":
        if not silent:
            state.pending += "$"
        state.pos += 1
    return True


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$ … $$` that begins a line and ends one, over several lines or one."""
    if state.is_code_block(start) or not _line(state, start).startswith("$$"):
        return False
    lines = []
    for number in range(start, min(end, start + _LONGEST_BLOCK)):
        if number > start and state.sCount[number] < state.blkIndent and not state.isEmpty(number):
            return False
        line = _line(state, number).rstrip()
        lines.append(line[2:] if number == start else line)
        if "$" in lines[-1]:
            break
    content = "\n".join(lines)
    if not content.endswith("$$") or "$" in content[:-2] or not content[:-2].strip():
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.content, token.map = True, content[:-2], [start, number + 1]
    state.line = number + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
