"""Escaping: text and formulas in Markdown that Streamlit's renderer shows and does nothing else with.

A backslash is not enough: the renderer looks for addresses, e-mail addresses, icons and short codes in the text that
is left *after* escapes are read (mdast-util-gfm-autolink-literal, and Streamlit's own replacements). Those are
written as inline code, where it does not look. Streamlit decides by a regular expression over the whole text whether
to read `$…$` as maths at all, so that a formula must also be harmless when it is read as Markdown.
"""

import re
from collections.abc import Callable

ADDRESS = re.compile(r"https?://[^\s<>`|]+|(?<![^\W_])www\.[\w-][^\s<>`|]*", re.IGNORECASE)
EMAIL = re.compile(r"(?<![-.\w+])[-.\w+]+@[-\w]+(?:\.[-\w]+)+")
SPOKEN = re.compile(f"{ADDRESS.pattern}|{EMAIL.pattern}", re.IGNORECASE)
"""Addresses and e-mail addresses that the renderer turns into links, anywhere in a text."""

_ANYWHERE = re.compile(r"^[({]|[\\`*_\[\]<|~$#]|&(?=[#\w]+;)|!(?=\[|$)|:(?!\s)|(?<=:material)/")
_LINE_START = re.compile(r"(?m)^([>+=-])|^(\d{1,9})([.)])")
_BLANKS = " \t\x0b\x0c"
LONGEST_FORMULA = 2_000
LONGEST_FORMULAS = 20_000
_MARKDOWN = re.compile(r"[`$@]|!\[|\]:|\[\^|~~~|https?:|www\.|//|data:|\n[ \t]*\n", re.IGNORECASE)
_COMMANDS = re.compile(
    r"\\(?:[gex]?def|(?:re|provide)?newcommand|renewcommand|providecommand|let|futurelet|global|long|expandafter|char"
    r"|csname|noexpand|tag|rule|raisebox|raise|lower|v?phantom|smash|kern|mkern|mskip|hskip|hspace|vspace|moveleft"
    r"|moveright|[lrc]lap|math[lrc]lap|href|url|include\w*|html\w*|text(?:bf|rm|it)?\{[^}]{200})(?![a-zA-Z])"
)
_LENGTHS = re.compile(r"(-?)(\d*\.?\d+)\s*(em|ex|pt|mu|cm|mm|in|bp|pc|dd|cc|nd|nc|sp|px)\b")
_LONGEST_LENGTH = 5.0
_DEEPEST = 30


def escaped(text: str, *, at_line_start: bool = True) -> str:
    """Text without any construct of CommonMark, GFM, directives or maths; line breaks stay soft ones."""
    text = _ANYWHERE.sub(r"\\\g<0>", _without_blanks_around_breaks(text))
    text = _LINE_START.sub(_escape_line_start, text if at_line_start else f"\ufffc{text}")
    return text if at_line_start else text[1:]


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
    return replaced(SPOKEN, text, spoken_code, at_line_start=at_line_start)


def replaced(pattern: re.Pattern[str], text: str, write: Callable[[str], str], *, at_line_start: bool) -> str:
    """Escaped text in which `write` wrote every match of `pattern`."""
    parts: list[str] = []
    end = 0
    for match in pattern.finditer(text):
        parts += [escaped(text[end : match.start()], at_line_start=at_line_start and not end), write(match[0])]
        end = match.end()
    return "".join([*parts, escaped(text[end:], at_line_start=at_line_start and not end)])


def spoken_code(match: str) -> str:
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


def is_safe_formula(formula: str) -> bool:
    """Whether KaTeX may render it: short, no macros, no moved or giant boxes, nothing that Markdown would act on."""
    return (
        0 < len(formula.strip()) <= LONGEST_FORMULA
        and not _MARKDOWN.search(formula)
        and not _COMMANDS.search(formula)
        and all(not sign and float(size) <= _LONGEST_LENGTH for sign, size, _ in _LENGTHS.findall(formula))
        and _depth(formula) <= _DEEPEST
        and not formula.rstrip().endswith("\\")
    )


def write_formula(formula: str, *, in_table: bool = False) -> str:
    """Write a formula spaced so that Markdown finds neither links nor tags in it."""
    formula = re.sub(r"\](?=[(\[{])", "] ", re.sub(r"<(?=[A-Za-z/!?])", "< ", formula.strip()))
    if in_table:
        formula = re.sub(r"\\?\|", lambda bar: r"\Vert " if len(bar[0]) == 2 else r"\vert ", formula)
    return formula


def _depth(formula: str) -> int:
    depth = deepest = 0
    for brace in re.findall(r"\\?[{}]|\\left|\\right|\\begin|\\end|[\^_]", formula):
        depth += {"{": 1, "}": -1, "\\left": 1, "\\right": -1, "\\begin": 1, "\\end": -1}.get(brace, 0)
        deepest = max(deepest, depth)
    return deepest
