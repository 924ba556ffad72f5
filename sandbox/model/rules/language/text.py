"""Tokens of a text: folded (no case, no accents, same length) and stemmed, in English and Spanish."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
# Longest first; what is left must keep three letters.
ENDINGS = tuple(
    """
    aciones amiento imiento ations ements ement iendo ments acion ation ando ados idos adas idas ings ment able ing ies
    ied ado ada ido ida ers arlo arla erlo ed es er ar ir en an as os ly s a o e y
    """.split()  # noqa: SIM905 - a column of strings would hide the order
)


@dataclass(frozen=True)
class Token:
    """One word: folded, stemmed, and where it stands in the text."""

    word: str
    stem: str
    start: int
    end: int


@lru_cache(maxsize=4_000)
def fold(text: str) -> str:
    """Lower case without accents, character for character, so that positions stay those of the text."""
    if text.isascii():
        return text.lower().replace("`", "'")
    return "".join(_fold_character(character) for character in text)


def tokens(text: str) -> list[Token]:
    """The words of a text."""
    return [
        Token(match.group(), stem(match.group()), match.start(), match.end()) for match in WORD.finditer(fold(text))
    ]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A rough common form of a folded word's inflections; stable only within this package."""
    word = re.sub(r"['’].*$", "", word)
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not (ending == "s" and word.endswith("ss")):
            word = word[: -len(ending)]
            break
    # "planned" and "plan", "posts" and "poster" meet once a doubled consonant is single.
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou" else word


def stems(text: str) -> list[str]:
    """The stems of a text's words, in order."""
    return [token.stem for token in tokens(text)]


def word_set(listed: str) -> frozenset[str]:
    """The words of a list written as one text."""
    return frozenset(listed.split())


class Speller:
    """Finds the known word that a mistyped one is one slip away from."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = {word for word in known if " " not in word}
        self._slips: dict[str, str] = {}
        for word in sorted(self._known):
            if len(word) >= 5:
                for slip in _deletions(word):
                    self._slips.setdefault(slip, word)

    def mend(self, word: str) -> str:
        """The word itself when it is known, short or beyond help."""
        if word in self._known or len(word) < 4 or any(character.isdigit() for character in word):
            return word
        for slip in (word, *_deletions(word)):
            if (found := self._slips.get(slip)) and _is_slip(word, found):
                return found
            if slip in self._known and (len(slip) >= 5 or _has_double(word)):
                return slip
        return word


def _deletions(word: str) -> list[str]:
    return [word[:at] + word[at + 1 :] for at in range(1, len(word))]


def _has_double(word: str) -> bool:
    return any(letter == other for letter, other in pairwise(word))


def _is_slip(word: str, known: str) -> bool:
    # One letter missing, added or wrong, or letters in another order.
    same = sum(a == b for a, b in zip(word, known, strict=False))
    return abs(len(word) - len(known)) == 1 or sorted(word) == sorted(known) or same >= len(known) - 1


def _fold_character(character: str) -> str:
    if character in "’‘`´":
        return "'"
    if character in "“”«»":
        return '"'
    if character == "\xa0":
        return " "
    return unicodedata.normalize("NFD", character)[0].lower()[:1] or character
