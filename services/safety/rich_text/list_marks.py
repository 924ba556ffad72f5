"""Marks of list items: a number as digits, letters or Roman numerals."""

from collections.abc import Callable, Mapping

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LARGEST_ROMAN = 4_999
_GREEK = "αβγδεζηθικλμνξοπρστυφχψω"


def letters(number: int) -> str:
    """Letters as a list has them: a … z, aa, ab …"""
    found = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        found = chr(ord("a") + rest) + found
    return found


def repeated_letters(number: int) -> str:
    """Letters as Word counts on after z: aa, bb, cc."""
    times, rest = divmod(number - 1, 26)
    return chr(ord("a") + rest) * min(times + 1, 20)


def roman(number: int) -> str:
    """Roman numeral, in small letters; digits for what has none."""
    if not 0 < number <= _LARGEST_ROMAN:
        return str(number)
    found = ""
    for value, sign in _ROMAN:
        times, number = divmod(number, value)
        found += sign * times
    return found


def _greek(number: int) -> str:
    return _GREEK[number - 1] if 0 < number <= len(_GREEK) else str(number)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


HTML_STYLES: Mapping[str, Callable[[int], str]] = {
    "1": str,
    "a": letters,
    "A": lambda number: letters(number).upper(),
    "i": roman,
    "I": lambda number: roman(number).upper(),
    "decimal": str,
    "decimal-leading-zero": lambda number: f"{number:02d}",
    "lower-alpha": letters,
    "lower-latin": letters,
    "upper-alpha": lambda number: letters(number).upper(),
    "upper-latin": lambda number: letters(number).upper(),
    "lower-roman": roman,
    "upper-roman": lambda number: roman(number).upper(),
    "lower-greek": _greek,
}
"""Of HTML's `type` and CSS's `list-style-type`."""

WORD_STYLES: Mapping[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02d}",
    "lowerLetter": repeated_letters,
    "upperLetter": lambda number: repeated_letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "ordinal": _ordinal,
    "none": lambda number: "",
    "decimalEnclosedCircle": lambda number: chr(0x245F + number) if 0 < number <= 20 else str(number),
}
"""Of WordprocessingML's `w:numFmt` (ISO/IEC 29500-1 §17.18.59); others are told as digits."""
