"""Rules for formulas: `$x$` and `$$x$$`, and `\\(x\\)` and `\\[x\\]` as LaTeX has them and many models write them.

Dollars are formulas only where they cannot be money. A backslash before a bracket is also how Markdown, and our own
writer, write a plain bracket: between `\\[` and `\\]` only what looks like a formula is one.
"""

import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

_LONGEST_BLOCK = 60
_MATHS = re.compile(r"\\[A-Za-z]|[\^=<>≤≥≈≠±∑∫√]|(?<!\\)_|\w ?\+ ?\w")
_CLOSING = {"\\(": re.compile(r"\\[()]"), "\\[": re.compile(r"\\[\[\]]")}
_ESCAPED = re.compile(r"\\.", re.DOTALL)


def looks_like_formula(text: str) -> bool:
    """Check for what plain words in brackets do not have. text: what stands between `\\[` and `\\]`."""
    return bool(_MATHS.search(text))


def bracketed_math_inline(state: StateInline, silent: bool) -> bool:
    """`\\(x\\)` on one line, and `\\[x\\]` within a paragraph; both become formulas in dollars."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in _CLOSING:
        return False
    start = state.pos + 2
    end = _closing(state.src, start, state.posMax, opening)
    content = state.src[start:end] if end >= 0 else ""
    if not content.strip() or "`" in content or (opening == "\\(" and "\n" in content):
        return False
    if opening == "\\[" and not looks_like_formula(content):
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = " ".join(content.split())
        after = state.src[end + 2 : end + 3]
        token.markup = "$" if opening == "\\(" and not after.isdigit() and after != "$" else "$$"
    state.pos = end + 2
    return True


def _closing(source: str, start: int, end: int, opening: str) -> int:
    """Position of the bracket that closes, -1 where none does or another one opens first."""
    for escape in _ESCAPED.finditer(source, start, end):
        if _CLOSING[opening].match(escape[0]):
            return escape.start() if escape[0] != opening else -1
    return -1


def dollar_math_inline(state: StateInline, silent: bool) -> bool:
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


def math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$ … $$` or `\\[ … \\]` that begins a line and ends one, over several lines or one."""
    opening = _line(state, start)[:2]
    if state.is_code_block(start) or opening not in ("$$", "\\["):
        return False
    content = _block_content(state, start, end, opening)
    if content is None:
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block, token.content, token.map = True, "\n".join(content), [start, start + len(content)]
    state.line = start + len(content)
    return True


def _block_content(state: StateBlock, start: int, end: int, opening: str) -> list[str] | None:
    """Lines of the formula without its marks; None when it does not end, or is none."""
    closing, stop = ("$$", "$") if opening == "$$" else ("\\]", "\\]")
    lines: list[str] = []
    for number in range(start, min(end, start + _LONGEST_BLOCK)):
        if number > start and state.sCount[number] < state.blkIndent and not state.isEmpty(number):
            return None
        line = _line(state, number).rstrip()
        if number > start and opening != "$$" and line.startswith(opening):
            return None
        lines.append(line[2:] if number == start else line)
        if stop in lines[-1]:
            break
    text = "\n".join(lines)
    inside = text[:-2]
    if not text.endswith(closing) or stop in inside or not inside.strip():
        return None
    return inside.split("\n") if opening == "$$" or looks_like_formula(inside) else None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]
