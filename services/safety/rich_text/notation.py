"""Notation of what letters alone do not say: "10^23", "CO2", "x_i", "~~October 12~~", "漢字(かんじ)"."""

import re

_ELEMENT = re.compile(
    r"(?:^|[^a-z])?(?:A[cglmrstu]|B[aeir]?|C[adelmorsu]?|Dy|E[rsu]|F[er]?|G[ade]|H[efgo]?|I[nr]?|Kr?|L[airu]|M[gno]"
    r"|N[abdeip]?|Os?|P[abdmortu]?|R[abehnu]|S[bceimnr]?|T[abcehilm]|U|V|W|Xe|Yb?|Z[nr])$"
)
"""Symbol of a chemical element at the end of what precedes a lowered number."""
_ORDINALS = frozenset(["st", "nd", "rd", "th", "er", "re", "ère", "ème", "nde"])
_SIMPLE = re.compile(r"[+-]?[^\W_]+(?:[.,'′][^\W_]+)*[+-]?|[+-]+|[*∗†‡§′'″]+")
_MINUS = re.compile("[\u2212\u2012\u2013\u2010\u2011\ufe63\uff0d]")
_NOTE_MARK = re.compile(r"\[[^\[\]]{1,6}\]")
_DEGREE = ("o", "º", "°", "˚", "∘")


def with_minus(text: str) -> str:
    """The text with dashes as minus signs, as they are in what is raised."""
    return _MINUS.sub("-", text)


def raised_signs(text: str, before: str) -> tuple[str, str]:
    """Signs to set before and after raised text, so that "10" and "23" are not read as 1023. before: what precedes it.

    None for ordinals as in "1st", and for marks of notes, which stand in brackets.
    """
    words = text.strip()
    if not words or _NOTE_MARK.fullmatch(words) or words in ("®", "™", "©"):
        return "", ""
    if words.casefold() in _ORDINALS and before[-1:].isdecimal():
        return "", ""
    return ("^", "") if _SIMPLE.fullmatch(with_minus(words)) else ("^(", ")")


def lowered_signs(text: str, before: str) -> tuple[str, str]:
    """Signs to set before and after lowered text; none for the numbers of chemistry, as in "CO2"."""
    words = text.strip()
    if not words:
        return "", ""
    if words.isdecimal() and (before[-1:] in (")", "]") or _ELEMENT.search(before[-3:])):
        return "", ""
    return ("_", "") if _SIMPLE.fullmatch(with_minus(words)) else ("_(", ")")


def raised(text: str, before: str = "") -> str:
    """Raised text in its place, with the spaces around it outside: "^23", "^(n+1)"."""
    if text.strip() in _DEGREE and before[-1:].isdecimal():
        return text.replace(text.strip(), "°")
    opening, closing = raised_signs(text, before)
    return _surrounded(with_minus(text), opening, closing)


def lowered(text: str, before: str = "") -> str:
    """Lowered text in its place: "_i", "_(15 years ago)"."""
    opening, closing = lowered_signs(text, before)
    return _surrounded(with_minus(text), opening, closing)


def struck(text: str) -> str:
    """Struck-out text, marked as such; each line by itself."""
    return "\n".join(_surrounded(line, "~~", "~~") if line.strip() else line for line in text.split("\n"))


def with_reading(base: str, reading: str) -> str:
    """East Asian signs with how they are read."""
    return f"{base}({reading})" if reading.strip() else base


def _surrounded(text: str, opening: str, closing: str) -> str:
    words = text.strip()
    if not words:
        return text
    start = text.index(words)
    return f"{text[:start]}{opening}{words}{closing}{text[start + len(words) :]}"
