"""Number readings: what a written number means, in the formats of English and Spanish."""

import re
from collections.abc import Iterator
from fractions import Fraction

WORDS = {
    word: number
    for line in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(line.split())
}
_SIGNS = str.maketrans("−–—‒﹣－", "------")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SPACES = re.compile(r"(?<=\d)[\s'’_](?=\d{3}(?!\d))")
_PLAIN = r"\d+(?:[.,]\d+)*|[.,]\d+"
_TIMES = r"\s*(?:[x×·*]\s*10\s*\^\s*|e)\(?([+-]?\d{1,3})\)?"
_NUMBER = re.compile(rf"([+-]?)\s*({_PLAIN})(?:\s*/\s*({_PLAIN})|{_TIMES})?", re.IGNORECASE)
_POWER = re.compile(r"([+-]?)\s*10\s*\^\s*\(?([+-]?\d{1,3})\)?")
LONGEST = 60
"""Characters of a number; longer ones are read as words."""


def number_readings(text: str, locale: str) -> frozenset[Fraction]:
    """What a text can mean as a number; nothing for one that is no number.

    "1.500" is two numbers in Spanish, where countries differ; "1,500" is a thousand and a half in English alone.
    """
    if len(text) > LONGEST:
        return frozenset()
    clean = _SPACES.sub("", _superscripts_as_powers(text.translate(_SIGNS)).strip())
    if (word := clean.casefold()) in WORDS:
        return frozenset([Fraction(WORDS[word])])
    if power := _POWER.fullmatch(clean):
        return frozenset([_signed(power[1], Fraction(10) ** int(power[2]))])
    found = _NUMBER.fullmatch(clean)
    if found is None:
        return frozenset()
    sign, above, below, exponent = found.groups()
    scale = Fraction(10) ** int(exponent) if exponent else Fraction(1)
    dividers = [value for value in _plain(below, locale) if value] if below else [Fraction(1)]
    return frozenset(_signed(sign, value * scale / by) for value in _plain(above, locale) for by in dividers)


def _superscripts_as_powers(text: str) -> str:
    return re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: "^" + found.group().translate(_SUPERSCRIPTS), text)


def _signed(sign: str, value: Fraction) -> Fraction:
    return -value if sign == "-" else value


def _plain(digits: str, locale: str) -> Iterator[Fraction]:
    """Readings of digits with points and commas."""
    thousands, decimal = (".", ",") if locale.startswith("es") else (",", ".")
    marks = [sign for sign in digits if sign in ".,"]
    if len(set(marks)) == 2:
        # The last one is the decimal sign, whatever the language.
        yield from _decimal(digits, marks[-1], other=marks[0])
    elif len(marks) > 1:
        yield from _grouped(digits, marks[0])
    elif not marks or marks[0] == decimal:
        yield from _decimal(digits, decimal, other=thousands)
        if marks and decimal == ",":
            return
    else:
        is_grouped = re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", digits) is not None
        if is_grouped:
            yield from _grouped(digits, thousands)
        if not is_grouped or thousands == ".":
            yield from _decimal(digits, thousands, other=decimal)


def _grouped(digits: str, mark: str) -> Iterator[Fraction]:
    if re.fullmatch(rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+", digits):
        yield Fraction(digits.replace(mark, ""))


def _decimal(digits: str, mark: str, *, other: str) -> Iterator[Fraction]:
    whole = digits.replace(other, "")
    if whole.count(mark) <= 1:
        yield Fraction(whole.replace(mark, ".") if whole[0] != mark else f"0.{whole[1:]}")
