"""Escaping of text for Markdown: Streamlit's renderer shows it and does nothing else with it.

A backslash is not enough: the renderer looks for addresses, e-mail addresses, icons and short codes in the text that
is left *after* escapes are read (mdast-util-gfm-autolink-literal, and Streamlit's own replacements). Those are
written as inline code, where it does not look.
"""

import re
from collections.abc import Callable

from services.safety.markdown.math_rules import looks_like_formula

ADDRESS = re.compile(r"https?://[^\s<>`|]+|(?<![^\W_])www\.[\w-][^\s<>`|]*", re.IGNORECASE)
EMAIL = re.compile(r"(?<![-.\w+])[-.\w+]+@[-\w]+(?:\.[-\w]+)+")
AUTOLINK = re.compile(f"{ADDRESS.pattern}|{EMAIL.pattern}", re.IGNORECASE)
"""Addresses and e-mail addresses that the renderer turns into links, anywhere in a text."""

_ANYWHERE = re.compile(r"^[({]|[\\`*_\[\]<|~$#]|&(?=[#\w]+;)|!(?=\[|$)|:(?!\s)|(?<=:material)/")
_LINE_START = re.compile(r"(?m)^([>+=-])|^(\d{1,9})([.)])")
_BRACKETS = re.compile(r"\\\[(?P<inside>(?:\\[^\[\]]|[^\\])*)\\\]|\\.", re.DOTALL)
"""A pair in escaped text with what stands in it, or any other escape."""
_BLANKS = " \t\x0b\x0c"


def escaped(text: str, *, at_line_start: bool = True) -> str:
    """Text without any construct of CommonMark, GFM, directives or maths; line breaks stay soft ones."""
    text = _ANYWHERE.sub(r"\\\g<0>", _without_blanks_around_breaks(text))
    text = _LINE_START.sub(_escape_line_start, text if at_line_start else f"\ufffc{text}")
    return _BRACKETS.sub(_without_formula, text if at_line_start else text[1:])


def _without_formula(match: re.Match[str]) -> str:
    """A closing bracket as an entity where `\\[…\\]` would be read as a formula, or its other half is elsewhere."""
    is_plain = match[0] != "\\]" and (match["inside"] is None or not looks_like_formula(match["inside"]))
    return match[0] if is_plain else f"{match[0][:-2]}&#93;"


def _without_blanks_around_breaks(text: str) -> str:
    """Line by line: an expression that looks for blanks before a break looks at each blank of a long run anew."""
    first, *rest = text.split("\n")
    if not rest:
        return text
    return "\n".join([first.rstrip(_BLANKS), *(line.strip(_BLANKS) for line in rest[:-1]), rest[-1].lstrip(_BLANKS)])


def _escape_line_start(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"


def without_links(text: str, *, at_line_start: bool = True) -> str:
    """Like `escaped`, with addresses and icons as inline code."""
    return replaced(AUTOLINK, text, autolink_as_code, at_line_start=at_line_start)


def replaced(pattern: re.Pattern[str], text: str, write: Callable[[str], str], *, at_line_start: bool) -> str:
    """Escaped text in which `write` wrote every match of `pattern`."""
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        parts += [escaped(text[end : match.start()], at_line_start=at_line_start and not end), write(match[0])]
        end = match.end()
    return "".join([*parts, escaped(text[end:], at_line_start=at_line_start and not end)])


def autolink_as_code(match: str) -> str:
    """An address that stands in a text, as inline code; the punctuation after it stays text."""
    address, rest = split_address(match)
    return code_span(address) + escaped(rest, at_line_start=False)


def split_address(text: str) -> tuple[str, str]:
    """An address and the sentence's punctuation after it; a closing bracket stays when it was opened inside (GFM)."""
    end = len(text)
    spare = text.count(")") - text.count("(")
    while end and text[end - 1] in "!\"&'),.:;?]}*_~":
        if text[end - 1] == ")":
            if spare <= 0:
                break
            spare -= 1
        end -= 1
    return text[:end], text[end:]


def code_span(text: str) -> str:
    """Inline code, with a fence longer than any run of backticks in it (CommonMark 0.31, section 6.1)."""
    text = re.sub(r"\s", " ", text)
    if not text.strip():
        return text
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{pad}{text}{pad}{fence}"
