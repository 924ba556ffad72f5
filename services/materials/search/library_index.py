"""`LibraryIndex`: one student's passages in memory, by word; `IndexCache`: those of the students who searched last."""

import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from services.materials.material import Material
from services.materials.search.material_index import MaterialIndex, hash_stem
from services.materials.search.meanings import LibraryMeanings, PassageMeanings
from services.materials.search.passages import Passage
from services.materials.search.titles import TitleIndex, title_stems
from services.materials.search.vectors import Vectors, similarities
from services.materials.search.word_forms import SpellingIndex

MOST_BYTES = 96_000_000
"""Of all indexes together; one of 5,000 passages takes about 6 MB."""
_SPELLED, _TITLED = 50, 3_000
"""Bytes of a word in the `SpellingIndex`, and of a material in the `TitleIndex`."""
LONGEST_COVER, COVER_SHARE = 30, 0.34
"""A title page has at most so many words, of which at least this share are its material's title."""
Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32]
_NO_PLACES, _NO_HASHES = np.zeros((0, 7), np.int32), np.zeros(0, np.uint32)


@dataclass(frozen=True, kw_only=True)
class IndexedMaterial:
    """Material that has been read, with its index as the store has it, decoded. vectors: one for each passage, of a
    provider; meanings: those made here.

    course: code and name of its course, such as "BIOL 201 Cell Biology".
    """

    material: Material
    index: MaterialIndex
    course: str = field(default="", repr=False)
    vectors: Vectors | None = None
    meanings: PassageMeanings | None = None

    @property
    def has_vectors(self) -> bool:
        return self.vectors is not None or self.meanings is not None


@dataclass(frozen=True, kw_only=True)
class Postings:
    """Where a word stands: its tokens, by their place among all tokens, and the passage of each."""

    tokens: Numbers
    passages: Numbers


class LibraryIndex:
    """Index over all materials of one student; never changed, so that threads share it.

    tokens: the place of each token's word in `vocabulary`, all passages after each other. owners: the material of each
    passage, by its number. pages: the page number of each passage. lengths: tokens of each passage.
    is_contents: marks the passages of tables of contents.
    """

    def __init__(self, entries: Sequence[IndexedMaterial]) -> None:
        self.materials = tuple(entry.material for entry in entries)
        self._indexes = tuple(entry.index for entry in entries)
        self._courses = tuple(entry.course for entry in entries)
        self._vectors = tuple(entry.vectors for entry in entries)
        self._meanings = tuple(entry.meanings for entry in entries)
        counts = [len(index.places) for index in self._indexes]
        self.size = sum(counts)
        self._firsts = np.concatenate(([0], np.cumsum(counts, dtype=np.int32))).astype(np.int32)
        self.owners = np.repeat(np.arange(len(entries), dtype=np.int32), counts)
        places: Numbers = np.concatenate([_NO_PLACES, *(index.places for index in self._indexes)])
        self.pages, self.lengths = places[:, 0].copy(), places[:, 4].copy()
        self.is_contents = places[:, 6] > 0
        hashes = np.concatenate([_NO_HASHES, *(index.vocabulary[index.tokens] for index in self._indexes)])
        self.vocabulary, tokens = np.unique(hashes, return_inverse=True)
        self.tokens = tokens.astype(np.int32)
        self._token_starts = np.cumsum(self.lengths) - self.lengths
        self.is_heading = _heading_marks(self.lengths, places[:, 5])
        self._order = np.argsort(self.tokens, kind="stable").astype(np.int32)
        self._starts = np.searchsorted(self.tokens[self._order], np.arange(len(self.vocabulary) + 1))

    @cached_property
    def nbytes(self) -> int:
        """Memory of the index, about, with what its first question makes."""
        arrays = (self.tokens, self.is_heading, self._order, self._starts, self.vocabulary)
        own = sum(len(index.words) + index.places.nbytes + index.tokens.nbytes for index in self._indexes)
        vectors = sum(each.nbytes for each in self._vectors if each is not None)
        vectors += sum(2 * each.nbytes for each in self._meanings if each is not None)
        later = _SPELLED * len(self.vocabulary) + _TITLED * len(self.materials)
        return sum(array.nbytes for array in arrays) + 16 * self.size + own + vectors + later

    def word(self, stem: str) -> int:
        """Number of a stem in the vocabulary; -1 when no passage has it."""
        hashed = np.uint32(hash_stem(stem))
        at = int(np.searchsorted(self.vocabulary, hashed))
        return at if at < len(self.vocabulary) and self.vocabulary[at] == hashed else -1

    def words(self, stems: Iterable[str]) -> list[int]:
        return [number for stem in stems if (number := self.word(stem)) >= 0]

    def postings(self, word: int) -> Postings:
        tokens = self._order[self._starts[word] : self._starts[word + 1]]
        return Postings(tokens=tokens, passages=self.passages_of(tokens))

    def passages_of(self, tokens: Numbers) -> Numbers:
        """The passage of each token, by its place among all."""
        found: Numbers = (np.searchsorted(self._token_starts, tokens, side="right") - 1).astype(np.int32)
        return found

    def passage(self, number: int) -> Passage:
        """The place of a passage in its material."""
        owner = int(self.owners[number])
        return self._indexes[owner].passage(number - int(self._firsts[owner]))

    def material(self, number: int) -> Material:
        """The material of a passage."""
        return self.materials[int(self.owners[number])]

    def in_courses(self, course_keys: Collection[str]) -> npt.NDArray[np.bool_]:
        """Mark the passages of these courses."""
        chosen = np.array([material.course_key in course_keys for material in self.materials], bool)
        return chosen[self.owners] if len(chosen) else np.zeros(0, bool)

    def nearness(self, question: Vectors) -> Floats:
        """How near each passage is to a question's vector, from 0 to 1; 0 for those without a vector."""
        found = np.zeros(self.size, np.float32)
        for number, vectors in enumerate(self._vectors):
            if vectors is not None and vectors.shape[1] == question.shape[1]:
                found[self._firsts[number] : self._firsts[number + 1]] = similarities(vectors, question)
        return found.clip(0, 1)

    @cached_property
    def meanings(self) -> LibraryMeanings:
        """Meanings of the passages, joined at the first question."""
        firsts = self._firsts.tolist()
        return LibraryMeanings((firsts[at], made) for at, made in enumerate(self._meanings) if made is not None)

    @cached_property
    def page_keys(self) -> npt.NDArray[np.int64]:
        """A number for the page of each passage, rising in the order of the library."""
        keys: npt.NDArray[np.int64] = self.owners.astype(np.int64) << 32 | self.pages
        return keys

    @cached_property
    def covers(self) -> Numbers:
        """Passages that are little more than the title of their material; found at the first question."""
        found = []
        for number, material in enumerate(self.materials):
            first, last = int(self._firsts[number]), int(self._firsts[number + 1])
            if last - first > 1 and self.lengths[first] <= LONGEST_COVER:
                start = int(self._token_starts[first])
                said = set(self.tokens[start : start + int(self.lengths[first])].tolist())
                title = {self.word(stem) for stem in title_stems(material.title)} - {-1}
                if title and len(said & title) >= COVER_SHARE * len(said):
                    found.append(first)
        return np.array(found, np.int32)

    @cached_property
    def titles(self) -> TitleIndex:
        """Titles of the materials, indexed at the first question."""
        return TitleIndex(self.materials, self._courses)

    @cached_property
    def spelling(self) -> SpellingIndex:
        """Every stem by its spelling, made at the first question."""
        texts = (zlib.decompress(index.words).decode() for index in self._indexes)
        return SpellingIndex({stem for text in texts for stem in text.split("\n")})


def _heading_marks(lengths: Numbers, headings: Numbers) -> npt.NDArray[np.bool_]:
    """Mark the tokens of labels: the first of each passage."""
    starts = np.cumsum(lengths) - lengths
    places = np.arange(int(lengths.sum())) - np.repeat(starts, lengths)
    marks: npt.NDArray[np.bool_] = places < np.repeat(headings, lengths)
    return marks


class IndexCache:
    """LRU cache by student and version of their library, thread-safe; a student has one index at a time.

    An index that is larger than the whole cache is used and not kept.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[str, LibraryIndex]] = OrderedDict()
        self._bytes = 0

    def get(self, student_id: str, version: str, make: Callable[[], LibraryIndex]) -> LibraryIndex:
        """Return the student's index at this version, made when it is not known yet."""
        with self._lock:
            known = self._known.get(student_id)
            if known is not None and known[0] == version:
                self._known.move_to_end(student_id)
                return known[1]
        made = make()
        with self._lock:
            self._remove(student_id)
            self._known[student_id] = (version, made)
            self._bytes += made.nbytes
            while self._bytes > self._most_bytes:
                self._remove(next(iter(self._known)))
        return made

    def drop(self, student_id: str) -> None:
        """Forget a student's index, as when what was read is deleted."""
        with self._lock:
            self._remove(student_id)

    def _remove(self, student_id: str) -> None:
        if known := self._known.pop(student_id, None):
            self._bytes -= known[1].nbytes
