"""Meaning of passages: the signs of the numbers of their vectors, a bit each, for a passage and each of its sentences.

Of 384 numbers 48 bytes are left, and nearly the same order: the numbers of a question are kept whole.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Signs = npt.NDArray[np.uint8]
"""(vectors, an eighth of the dimensions): 1 for a number above 0, the first in the highest bit."""
SHORT_SENTENCE = 15
"""Characters up to which a sentence says nothing by itself."""
MOST_SENTENCES = 30
"""Of a passage; it has some four."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\n+")
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) * 2 - 1


@dataclass(frozen=True, kw_only=True)
class PassageMeanings:
    """Signs of a material's passages. firsts: of each passage its own row, which those of its sentences follow; and
    behind the last, the number of rows.
    """

    signs: Signs = field(repr=False)
    firsts: npt.NDArray[np.int32] = field(repr=False)

    @property
    def nbytes(self) -> int:
        return self.signs.nbytes + self.firsts.nbytes


@dataclass(frozen=True, kw_only=True)
class QuestionMeaning:
    """Vector of a question, of length 1. trust: how much it counts; less for one that was translated by words."""

    vector: Floats = field(repr=False)
    trust: float = 1.0


def sentences(text: str) -> list[str]:
    """The sentences of a passage that say something; the whole passage where none does."""
    found = [sentence for sentence in _SENTENCE_END.split(text) if len(sentence) > SHORT_SENTENCE]
    return found[:MOST_SENTENCES] or [text]


def signs_of(vectors: Floats) -> Signs:
    return np.packbits(vectors > 0, axis=1)


def encode_meanings(passages: Sequence[Signs], model: str) -> str:
    """Write the signs of passages, each with those of its sentences, as text for the store."""
    counts = bytes(len(rows) for rows in passages)
    packed = base64.b64encode(counts + b"".join(rows.tobytes() for rows in passages))
    return f"{model} {len(counts)} {passages[0].shape[1] if passages else 0} {packed.decode()}"


def decode_meanings(encoded: str, *, model: str, passages: int) -> PassageMeanings | None:
    """Read meanings from the store; None for those of another model or division into passages, and damaged ones."""
    try:
        its_model, count, bytes_each, data = encoded.split(" ")
        if its_model != model or count != str(passages) or not passages:
            return None
        packed = base64.b64decode(data)
        firsts = np.fromiter(accumulate(packed[:passages], initial=0), np.int32, passages + 1)
        signs = np.frombuffer(packed, np.uint8, offset=passages).reshape(int(firsts[-1]), int(bytes_each))
    except ValueError:
        return None
    return PassageMeanings(signs=signs, firsts=firsts) if min(packed[:passages]) else None


def nearness(signs: Signs, question: QuestionMeaning) -> Floats:
    """How near vectors are to a question's, about as their cosine is."""
    own = question.vector.reshape(-1, 8)
    table = own @ _BITS.T
    found: Floats = table[np.arange(len(own)), signs].sum(axis=1) / np.float32(np.sqrt(own.size))
    return found


class LibraryMeanings:
    """Meanings of all materials of a library, one after another; of those that have none yet, none."""

    def __init__(self, parts: Iterator[tuple[int, PassageMeanings]]) -> None:
        """parts: the number of each material's first passage, with its meanings."""
        known = list(parts)
        starts = [0, *accumulate(len(part.signs) for _, part in known)]
        bytes_each = known[0][1].signs.shape[1] if known else 0
        self._signs: Signs = np.concatenate([np.zeros((0, bytes_each), np.uint8), *(part.signs for _, part in known)])
        self.passages: npt.NDArray[np.int32] = _joined([_numbers(first, part) for first, part in known])
        """Numbers of the passages that have a meaning, rising."""
        self._firsts = _joined([part.firsts[:-1] + start for (_, part), start in zip(known, starts, strict=False)])
        self._ends = _joined([part.firsts[1:] + start for (_, part), start in zip(known, starts, strict=False)])

    @property
    def nbytes(self) -> int:
        return self._signs.nbytes + self.passages.nbytes + self._firsts.nbytes + self._ends.nbytes

    def near(self, question: QuestionMeaning) -> Floats:
        """How near each passage as a whole is."""
        return nearness(self._signs[self._firsts], question)

    def nearest_sentences(self, places: npt.NDArray[np.intp], question: QuestionMeaning) -> Floats:
        """How near the nearest sentence is, of the passages at these places among `passages`."""
        firsts, counts = self._firsts[places] + 1, self._ends[places] - self._firsts[places] - 1
        begins = np.cumsum(counts) - counts
        rows = np.repeat(firsts - begins, counts) + np.arange(int(counts.sum()))
        found: Floats = np.maximum.reduceat(nearness(self._signs[rows], question), begins)
        return found


def _numbers(first: int, part: PassageMeanings) -> npt.NDArray[np.int32]:
    return np.arange(first, first + len(part.firsts) - 1, dtype=np.int32)


def _joined(parts: Sequence[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return np.concatenate([np.zeros(0, np.int32), *parts]).astype(np.int32)
