"""Translations of Spanish words into English: most courses are taught from English pages, whoever asks about them.

The table was made by a model of both languages (training/translations.py); none is needed to read it.
"""

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("spanish_words.txt.xz")
SAME, NEAR = 0.8, 0.5
"""Weight of a word that means the same, and of one that means nearly the same."""


@dataclass(frozen=True, kw_only=True)
class Translation:
    text: str
    weight: float


def english_words(word: str) -> Sequence[Translation]:
    """English words for a folded Spanish one, the nearest first; none for a word that is not known."""
    same, _, near = _table().get(word, "").partition("|")
    found = [Translation(text=text, weight=SAME) for text in same.split()]
    return [*found, *(Translation(text=text, weight=NEAR) for text in near.split())]


def in_english(words: Sequence[str]) -> str:
    """A question word by word; a word that is not known stays."""
    return " ".join(found[0].text if (found := english_words(word)) else word for word in words)


@cache
def _table() -> dict[str, str]:
    """The lines by their word; read at the first question in Spanish, in some 50 ms."""
    lines = lzma.decompress(FILE.read_bytes()).decode().split("\n")
    return dict(line.split(" ", 1) for line in lines)
