"""Formulas in Markdown: which of them KaTeX may render, and how they are written.

Streamlit decides by a regular expression over the whole text whether to read `$…$` as maths at all, so that a formula
must also be harmless when it is read as Markdown.
"""

import re

LONGEST_FORMULA = 2_000
LONGEST_FORMULAS = 20_000
_MARKDOWN = re.compile(r"[`$@]|!\[|\]:|\[\^|~~~|https?:|www\.|//|data:|\n[ \t]*\n", re.IGNORECASE)
_COMMANDS = re.compile(
    r"\\(?:[gex]?def|(?:re|provide)?newcommand|renewcommand|providecommand|let|futurelet|global|long|expandafter|char"
    r"|csname|noexpand|tag|rule|raisebox|raise|lower|v?phantom|smash|kern|mkern|mskip|hskip|hspace|vspace|moveleft"
    r"|moveright|[lrc]lap|math[lrc]lap|href|url|include\w*|html\w*|text(?:bf|rm|it)?\{[^}]{200})(?![a-zA-Z])"
)
_LENGTHS = re.compile(r"(-?)((?<!\d)(?:\d++(?:\.\d*+)?|\.\d++))\s*(em|ex|pt|mu|cm|mm|in|bp|pc|dd|cc|nd|nc|sp|px)\b")
_LONGEST_LENGTH = 5.0
_DEEPEST = 30


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
