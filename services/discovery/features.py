"""`features`: a text as positions in a table of weights: its words, pairs, ideas and runs of characters, hashed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from zlib import crc32

import numpy as np
import numpy.typing as npt

from services.discovery.lexicon import lexicon
from services.discovery.normal import bones, normal, words_of
from services.discovery.patterns import marked
from services.discovery.quotes import without_quotes

BITS = 17
SIZE = 1 << BITS
HEAD, TAIL = 480, 240
"""Of a long text only its beginning and its end are read: what is wanted stands there, what is pasted between."""

Positions = npt.NDArray[np.uint32]
Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]

_NONE: Hashes = np.zeros(0, np.uint64)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_PRIME = np.uint64(0x100000001B3)
_RUNS = (3, 4, 5)
_SPACE = 32
_FEWEST_BONES = 3
_WEIGHTS = (0.7, 0.7, 0.7, 0.7, 0.7, 0.3, 0.5, 0.5)
"""Of words, pairs of words, runs of characters, ideas, pairs of ideas, form, bones of words, and what is quoted: of all
that a text has of each.
"""


@dataclass(frozen=True, kw_only=True)
class Features:
    """positions: rows of the table; what falls on the same row adds up. values: how much each counts.

    ideas: the lexicon's, by number. kinds: the patterns that were found.
    """

    positions: Positions
    values: Floats
    ideas: frozenset[int]
    kinds: frozenset[str]
    words: Sequence[str]


def features(text: str) -> Features:
    """What a text has, by kind in the order of `_WEIGHTS`."""
    read = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} {text[-TAIL:]}"
    plain, kinds = marked(normal(read))
    told, quoted = without_quotes(plain)
    words = words_of(told)
    meant = lexicon().ideas_of(words, told)
    ideas = frozenset[int]().union(*meant)
    singles, pairs = _of_words(words)
    own = (singles, pairs, _runs(words), _ideas(ideas), _idea_pairs(meant, ideas))
    groups = (*own, _form(text, len(words)), _bones(words), _quoted(quoted))
    counts = [len(group) for group in groups]
    hashes = np.concatenate(groups)
    each = [weight / sqrt(count) if count else 0.0 for weight, count in zip(_WEIGHTS, counts, strict=True)]
    return Features(
        positions=((hashes * _SPREAD) >> np.uint64(64 - BITS)).astype(np.uint32),
        values=np.repeat(np.array(each, np.float32), counts),
        ideas=ideas,
        kinds=frozenset(kinds),
        words=words_of(plain) if quoted else words,
    )


def _of_words(words: Sequence[str]) -> tuple[Hashes, Hashes]:
    """Each word; each two in a row, and each two with one between."""
    ends = ("<", *words, ">")
    hashes = np.fromiter((crc32(word.encode()) for word in ends), np.uint64, len(ends))
    beside = hashes[:-1] * np.uint64(31) + hashes[1:] + np.uint64(1 << 34)
    apart = hashes[:-2] * np.uint64(37) + hashes[2:] + np.uint64(1 << 35)
    return hashes[1:-1], np.concatenate((beside, apart))


def _runs(words: Sequence[str]) -> Hashes:
    """Runs of characters, none with a space inside; they survive a wrong letter elsewhere in the word."""
    codes = np.frombuffer(f" {' '.join(words)} ".encode("utf-32-le"), np.uint32).astype(np.uint64)
    is_space = codes == _SPACE
    run, is_split, found = codes[:-1] * _PRIME + codes[1:], np.zeros(len(codes) - 1, bool), []
    for length in _RUNS:
        # A run is the one that is a letter shorter and one letter more; what was its last letter is now inside.
        is_split = is_split[:-1] | is_space[length - 2 : -1]
        run = run[:-1] * _PRIME + codes[length - 1 :]
        found.append((run + np.uint64(length << 40))[~is_split])
    return np.concatenate(found)


def _ideas(ideas: Collection[int]) -> Hashes:
    return _numbers(ideas, 7919, 41)


def _idea_pairs(meant: Sequence[frozenset[int]], ideas: frozenset[int]) -> Hashes:
    """Ideas that follow each other, and ideas that stand anywhere in the same text."""
    beside = {one * 1000 + two for first, then in pairwise(meant) for one in first for two in then}
    ordered = sorted(ideas)
    together = {one * 1000 + two for index, one in enumerate(ordered) for two in ordered[index + 1 :]}
    return np.concatenate((_numbers(beside, 104729, 42), _numbers(together, 15485863, 43)))


def _bones(words: Sequence[str]) -> Hashes:
    """What is left of a word when it is typed wrong."""
    left = [bone for bone in bones(" ".join(words)).split() if len(bone) >= _FEWEST_BONES]
    return _spelled(left, 45)


def _quoted(text: str) -> Hashes:
    """Words and ideas of their own: they seldom say what is wanted."""
    if not text:
        return _NONE
    words = words_of(text)
    ideas = frozenset[int]().union(*lexicon().ideas_of(words, text))
    return np.concatenate((_spelled(words, 46), _numbers(ideas, 7919, 47)))


def _form(text: str, length: int) -> Hashes:
    by_length = 100 + length if length < 4 else 104 + min(length // 4, 6)
    form = (by_length, 200 + ("?" in text), 300 + min(text.count("\n"), 5) // 2)
    return _numbers(form, 32452843, 44)


def _spelled(words: Sequence[str], kind: int) -> Hashes:
    return np.fromiter((crc32(word.encode()) for word in words), np.uint64, len(words)) + np.uint64(1 << kind)


def _numbers(found: Collection[int], factor: int, kind: int) -> Hashes:
    return np.fromiter(found, np.uint64, len(found)) * np.uint64(factor) + np.uint64(1 << kind)
