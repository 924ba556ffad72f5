"""Parser of Streamlit's Markdown dialect: CommonMark, GFM tables and strikethrough, footnotes and formulas.

HTML is off: it stays text. Dollars are formulas only where they cannot be money, so that "$5 and $10" stays text too.
"""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from services.safety.markdown.emphasis import emphasis_marks
from services.safety.markdown.math_rules import bracketed_math_inline, dollar_math_inline, math_block

_DEEPEST_BLOCK = 100
# Each bracket in a flood of them is looked at once for every level: few levels keep that linear and quick.
_DEEPEST_BRACKET = 10
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
    parser.inline.ruler.at("emphasis", emphasis_marks)
    parser.inline.ruler.before("escape", "bracketed_math_inline", bracketed_math_inline)
    parser.inline.ruler.after("backticks", "math_inline", dollar_math_inline)
    interrupted = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "math_block", math_block, {"alt": interrupted})
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    return parser
