"""`LibrarySearch`: questions over what is read of a student's materials, each hit checked to be readable now."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.materials.embeddings.library_vectors import MOST_PASSAGES, LibraryVectors, UnembeddedMaterial
from services.materials.listings import Listings
from services.materials.material import MaterialPage, MaterialText
from services.materials.results import MaterialHit
from services.materials.search.library_index import IndexCache, IndexedMaterial, LibraryIndex
from services.materials.search.material_index import MaterialIndex, decode_index, index_text
from services.materials.search.passages import excerpt
from services.materials.search.relevance import PassageHit, search_index
from services.materials.store.records import MaterialRecord, StoredIndex
from services.materials.store.repository import MaterialRepository
from services.materials.store.text_parts import DamagedText
from services.runtime.clock import Clock

ROUNDS = 3
"""How often the next best are looked at where too many of the best are closed by now."""


@dataclass(frozen=True, kw_only=True)
class FoundHits:
    """Hits, best first. unknown: ids of those whose source is away. trouble: why, by source."""

    hits: Sequence[MaterialHit]
    unknown: frozenset[str] = frozenset()
    trouble: Mapping[str, str] = field(default_factory=dict)


class LibrarySearch:
    def __init__(
        self, repository: MaterialRepository, listings: Listings, clock: Clock, vectors: LibraryVectors | None = None
    ) -> None:
        """vectors: makes those of the search by meaning, where the deployment has it."""
        self._repository, self._listings, self._clock, self._vectors = repository, listings, clock, vectors
        self._indexes = IndexCache()

    def find(
        self, student: Student, query: str, records: Sequence[MaterialRecord], *, keys: Collection[str], limit: int
    ) -> FoundHits:
        """Search materials. records: all that the student may be told of; keys: of the courses to search.

        Raises `ReconnectRequired` and `SealBroken`.
        """
        read = {record.material.id: record for record in records if record.reading}
        index = self._indexes.get(student.id, _version(read.values()), lambda: self._make(student.id, read))
        today = self._clock().astimezone(ZoneInfo(student.timezone)).date()
        vector = self._vectors.of_question(student.id, query) if self._vectors and index.size else None
        ranked = search_index(index, query, limit=limit * 2**ROUNDS, course_keys=keys, today=today, vector=vector)
        return self._checked(student.id, ranked, read, limit)

    def drop(self, student_id: str) -> None:
        """Forget a student's index."""
        self._indexes.drop(student_id)

    def _make(self, student_id: str, read: Mapping[str, MaterialRecord]) -> LibraryIndex:
        stored = self._repository.indexes(student_id, list(read.values()))
        named = self._repository.courses(student_id)
        courses = {key: f"{record.course.code} {record.course.name}" for key, record in named.items()}
        entries = [self._entry(student_id, read[id], index, courses) for id, index in stored.items()]
        if self._vectors is not None:
            bare = [self._bare(student_id, read[entry.material.id], entry) for entry in _without_vectors(entries)]
            self._vectors.add(student_id, bare, lambda: self.drop(student_id))
        return LibraryIndex(entries)

    def _entry(
        self, student_id: str, record: MaterialRecord, stored: StoredIndex, courses: Mapping[str, str]
    ) -> IndexedMaterial:
        index = self._index(student_id, record, stored.data)
        course = courses.get(record.material.course_key, "")
        entry = IndexedMaterial(material=record.material, index=index, course=course)
        return self._vectors.with_vectors(entry, stored.vectors) if self._vectors else entry

    def _bare(self, student_id: str, record: MaterialRecord, entry: IndexedMaterial) -> UnembeddedMaterial:
        return UnembeddedMaterial(
            material=entry.material,
            source=record.source,
            index=entry.index,
            pages=lambda: self._repository.pages(student_id, record, None),
            save=lambda encoded: self._repository.save_index(student_id, record, vectors=encoded),
        )

    def _index(self, student_id: str, record: MaterialRecord, data: str) -> MaterialIndex:
        try:
            return decode_index(data)
        except ValueError:
            # Written by another version of Homeroom: the pages are there, so nothing is fetched again.
            pages = self._repository.pages(student_id, record, None)
            made = index_text(MaterialText(unit=record.unit, pages=pages))
            self._repository.save_index(student_id, record, data=made.encode())
            return made

    def _checked(
        self, student_id: str, ranked: Sequence[PassageHit], read: Mapping[str, MaterialRecord], limit: int
    ) -> FoundHits:
        """The best hits that may be told: checked some at a time, each material once."""
        hits: list[MaterialHit] = []
        allowed: set[str] = set()
        asked: set[str] = set()
        unknown: set[str] = set()
        trouble: dict[str, str] = {}
        rest = list(ranked)
        while rest and len(hits) < limit:
            some, rest = rest[: 2 * limit], rest[2 * limit :]
            ids = {hit.material.id for hit in some} - asked
            found = self._listings.verify(student_id, [read[id] for id in sorted(ids)])
            asked |= ids
            allowed |= found.readable | found.unknown
            unknown |= found.unknown
            trouble |= found.trouble
            open_hits = [hit for hit in some if hit.material.id in allowed]
            hits += self._told(student_id, open_hits[: limit - len(hits)], read)
        return FoundHits(hits=hits, unknown=frozenset(unknown), trouble=trouble)

    def _told(
        self, student_id: str, hits: Sequence[PassageHit], read: Mapping[str, MaterialRecord]
    ) -> list[MaterialHit]:
        numbers: dict[str, set[int]] = {}
        for hit in hits:
            numbers.setdefault(hit.material.id, set()).add(hit.passage.page)
        pages: dict[tuple[str, int], MaterialPage] = {
            (id, page.number): page
            for id, wanted in numbers.items()
            for page in self._pages(student_id, read[id], wanted)
        }
        told = [(hit, pages.get((hit.material.id, hit.passage.page))) for hit in hits]
        return [_hit(hit, page, read[hit.material.id]) for hit, page in told if page is not None]

    def _pages(self, student_id: str, record: MaterialRecord, numbers: set[int]) -> list[MaterialPage]:
        try:
            return self._repository.pages(student_id, record, numbers)
        except DamagedText:
            self._repository.drop_texts(student_id, [record])
            return []


def _hit(hit: PassageHit, page: MaterialPage, record: MaterialRecord) -> MaterialHit:
    return MaterialHit(
        material=record.material,
        page=page,
        unit=record.unit,
        count=record.count,
        passage=excerpt(page, hit.passage),
        mark=hit.passage.of(page),
        score=hit.score,
    )


def _without_vectors(entries: Sequence[IndexedMaterial]) -> list[IndexedMaterial]:
    """The materials that still get vectors, as far as a student's share goes."""
    left = MOST_PASSAGES - sum(len(entry.index.places) for entry in entries if entry.has_vectors)
    bare = []
    for entry in entries:
        if not entry.has_vectors and len(entry.index.places) <= left:
            left -= len(entry.index.places)
            bare.append(entry)
    return bare


def _version(read: Collection[MaterialRecord]) -> str:
    """Version of a library: another one whenever a text or what ranks it changes."""
    lines = sorted(
        f"{r.material.id} {r.reading} {r.material.title} {r.material.module} {r.material.dated_at}" for r in read
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
