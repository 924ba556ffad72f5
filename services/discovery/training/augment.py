"""More rows from those that people wrote: the same with typing errors."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from services.discovery.training.rows import Row

MISTYPED = 0.4
"""Of the rows that were written, so many are made anew with errors."""
_TYPED = frozenset(("en", "es", "de", "fr", "pt", "it", "nl", "pl", "id", "tr"))
_NEAR = {
    **dict(zip("qwertyuiop", ["wa", "qe", "wr", "et", "ry", "tu", "yi", "uo", "ip", "ol"], strict=True)),
    **dict(zip("asdfghjkl", ["sq", "ad", "sf", "dg", "fh", "gj", "hk", "jl", "ko"], strict=True)),
    **dict(zip("zxcvbnm", ["xs", "zc", "xv", "cb", "vn", "bm", "nj"], strict=True)),
}


def augmented(rows: Sequence[Row], seed: int = 3) -> list[Row]:
    """The rows themselves and the made ones."""
    chance = random.Random(seed)
    return [*rows, *_mistyped(chance, rows)]


def mistyped(chance: random.Random, text: str) -> str:
    """One word in four, at least one, with a letter dropped, doubled, swapped with the next, or struck beside."""
    words = text.split(" ")
    long = [index for index, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    for index in chance.sample(long, min(len(long), max(1, len(long) // 4))):
        words[index] = chance.choice(_ERRORS)(chance, words[index])
    return " ".join(words)


def _mistyped(chance: random.Random, rows: Sequence[Row]) -> Iterator[Row]:
    for row in rows:
        if row.language in _TYPED and row.kind != "typo" and chance.random() < MISTYPED:
            yield replace(row, message=mistyped(chance, row.message), kind="typo")


def _dropped(chance: random.Random, word: str) -> str:
    at = chance.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _doubled(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def _swapped(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _struck_beside(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word))
    return word[:at] + chance.choice(_NEAR.get(word[at].lower(), word[at])) + word[at + 1 :]


_ERRORS: tuple[Callable[[random.Random, str], str], ...] = (_dropped, _doubled, _swapped, _struck_beside)
