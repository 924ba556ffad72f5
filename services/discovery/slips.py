"""`Slips`: which known words a mistyped one may have been meant to be."""

import re
from collections.abc import Iterable

SHORTEST = 5
"""Letters of a word below which a slip makes another one too easily."""
_LONG = 7
"""Letters from which on one of them may also be another."""
_NONE: frozenset[str] = frozenset()
_TWICE = re.compile(r"(.)\1")


class Slips:
    """Letters that are doubled or not make no difference; one may be left out, added, or swapped with the next."""

    def __init__(self, known: Iterable[str]) -> None:
        self._by_rest: dict[str, set[tuple[str, str]]] = {}
        for word in known:
            if len(word) >= SHORTEST and word.isalpha():
                single = _single(word)
                for rest in _rests(single):
                    self._by_rest.setdefault(rest, set()).add((single, word))

    def meant(self, word: str) -> frozenset[str]:
        """The known words that differ by one slip; none for a word that is too short to tell."""
        if len(word) < SHORTEST:
            return _NONE
        single = _single(word)
        near = {one for rest in _rests(single) if rest in self._by_rest for one in self._by_rest[rest]}
        return frozenset(known for other, known in near if _is_slip(single, other)) if near else _NONE


def _single(word: str) -> str:
    return _TWICE.sub(r"\1", word)


def _rests(word: str) -> list[str]:
    """The word, and what is left of it without one of its letters: two words with a slip between them share one."""
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]


def _is_slip(one: str, other: str) -> bool:
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other, length = one[start:], other[start:], len(one)
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    match len(one), len(other):
        case (0, 0) | (0, 1) | (1, 0):
            return True
        case (1, 1):
            return length >= _LONG
        case (2, 2):
            return one == other[::-1]
    return False
