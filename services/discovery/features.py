"""Feature extraction (the hashing trick): a text, or what was said before it, as input for the classifier."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from zlib import crc32

import numpy as np
import numpy.typing as npt

from services.discovery.lexicon import lexicon
from services.discovery.normalisation import consonants, mark_patterns, normalise, split_quotes, words_of

BITS = 17
SIZE = 1 << BITS
HEAD, TAIL = 480, 240
"""Of a long text only its beginning and its end are read: what is wanted stands there, what is pasted between."""

PRIOR_TURNS = 3
"""Earlier messages of the student's that are read."""
PRIOR_LENGTH = 240
"""Characters that are read of an earlier message: its beginning and its end."""
NO_TEXT = -4.0
"""The log-odds of every context for a text that does not exist."""

Positions = npt.NDArray[np.uint32]
Hashes = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float32]

_LONG_WORD = 4
_FLAGS = 12
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_NONE: Hashes = np.zeros(0, np.uint64)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_PRIME = np.uint64(0x100000001B3)
_NGRAMS = (3, 4, 5)
_SPACE = 32
_FEWEST_CONSONANTS = 3
_WEIGHTS = (0.7, 0.7, 0.7, 0.7, 0.7, 0.3, 0.5, 0.5)
"""Of each group: words, pairs of words, character n-grams, ideas, pairs of ideas, form, consonants, quotations."""


@dataclass(frozen=True, kw_only=True)
class Features:
    """Sparse features of one text.

    positions: rows of the weight table; what falls on the same row adds up. values: how much each counts.

    ideas: the lexicon's, by number. kinds: the patterns that were found.
    """

    positions: Positions
    values: Floats
    ideas: frozenset[int]
    kinds: frozenset[str]
    words: Sequence[str]


@lru_cache(maxsize=64)
def features(text: str) -> Features:
    """Extract the features of a text, in the groups of `_WEIGHTS`; cached, as two classifiers read each message."""
    read = text if len(text) <= HEAD + TAIL else f"{text[:HEAD]} {text[-TAIL:]}"
    plain, kinds = mark_patterns(normalise(read))
    unquoted, quoted = split_quotes(plain)
    words = words_of(unquoted)
    meant = lexicon().ideas_of(words, unquoted)
    ideas = frozenset[int]().union(*meant)
    singles, pairs = _of_words(words)
    own = (singles, pairs, _ngrams(words), _ideas(ideas), _idea_pairs(meant, ideas))
    groups = (*own, _form(text, len(words)), _consonants(words), _quoted(quoted))
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


def _ngrams(words: Sequence[str]) -> Hashes:
    """Character n-grams without a space inside; they survive a wrong letter elsewhere in the word."""
    codes = np.frombuffer(f" {' '.join(words)} ".encode("utf-32-le"), np.uint32).astype(np.uint64)
    is_space = codes == _SPACE
    ngram, is_split, found = codes[:-1] * _PRIME + codes[1:], np.zeros(len(codes) - 1, bool), []
    for length in _NGRAMS:
        # An n-gram is the one that is a letter shorter and one letter more; what was its last letter is now inside.
        is_split = is_split[:-1] | is_space[length - 2 : -1]
        ngram = ngram[:-1] * _PRIME + codes[length - 1 :]
        found.append((ngram + np.uint64(length << 40))[~is_split])
    return np.concatenate(found)


def _ideas(ideas: Collection[int]) -> Hashes:
    return _numbers(ideas, 7919, 41)


def _idea_pairs(meant: Sequence[frozenset[int]], ideas: frozenset[int]) -> Hashes:
    """Ideas that follow each other, and ideas that stand anywhere in the same text."""
    beside = {a * 1000 + b for first, then in pairwise(meant) for a in first for b in then}
    ordered = sorted(ideas)
    together = {a * 1000 + b for index, a in enumerate(ordered) for b in ordered[index + 1 :]}
    return np.concatenate((_numbers(beside, 104729, 42), _numbers(together, 15485863, 43)))


def _consonants(words: Sequence[str]) -> Hashes:
    """The consonants of words: what a typing error mostly leaves."""
    left = [word for word in consonants(" ".join(words)).split() if len(word) >= _FEWEST_CONSONANTS]
    return _spelled(left, 45)


def _quoted(text: str) -> Hashes:
    """Quoted words and ideas, as features of their own: they seldom say what is wanted."""
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


@dataclass(frozen=True, kw_only=True)
class PriorTexts:
    """Texts before a message: the student's last one, those before that, the last answer, and what it offered."""

    before: str
    earlier: tuple[str, ...]
    reply: str
    offer: str


def prior_texts(history: Sequence[Mapping[str, str]]) -> PriorTexts:
    """The texts to read of a history (oldest first, without the message itself)."""
    recent = [_short(turn["content"]) for turn in history[-2 * PRIOR_TURNS - 2 :] if turn["role"] == "user"]
    mine = recent[-PRIOR_TURNS:]
    replies = [turn["content"] for turn in history[-2:] if turn["role"] == "assistant"]
    reply = replies[-1] if replies else ""
    return PriorTexts(
        before=mine[-1] if mine else "",
        earlier=tuple(mine[:-1]),
        reply=_short(reply),
        offer=_question_at_end(reply),
    )


def history_features(
    own: Floats, earlier: Sequence[Floats], message: Features, words: tuple[str, PriorTexts]
) -> Floats:
    """Input row of the history network: contexts of each text, ideas of the message, and how it refers to the rest.

    own: the log-odds of the message's contexts read alone. earlier: those of `before`, of all of `PriorTexts.earlier`
    (the highest), of the reply and of the offer.
    """
    ideas = np.zeros(len(lexicon().ideas), np.float32)
    ideas[list(message.ideas)] = 1
    return np.concatenate((np.stack((own, *earlier)).ravel() / 3, ideas, _reference_flags(message, *words)))


def _reference_flags(message: Features, text: str, before: PriorTexts) -> Floats:
    flags = np.zeros(_FLAGS, np.float32)
    long = _long_words(text)
    flags[min(len(message.words) // 2, 5)] = 1
    flags[6] = "?" in text
    flags[7] = bool(before.earlier)
    flags[8] = bool(before.offer)
    flags[9] = not long.isdisjoint(_long_words(before.before))
    flags[10] = not long.isdisjoint(_long_words(before.reply))
    flags[11] = len(message.words) > 40
    return flags


def _long_words(text: str) -> set[str]:
    return {word for word in words_of(normalise(text)) if len(word) >= _LONG_WORD}


def _question_at_end(reply: str) -> str:
    *_, last = _SENTENCE.split(reply.strip()[-PRIOR_LENGTH:])
    return last if last.endswith("?") else ""


def _short(text: str) -> str:
    return text if len(text) <= PRIOR_LENGTH else f"{text[: PRIOR_LENGTH // 2]} {text[-PRIOR_LENGTH // 2 :]}"
