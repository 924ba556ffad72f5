"""`MaterialRepository`: courses, materials, texts and indexes in the store, each reached with its student only."""

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from services.errors import DuplicateDocument, WriteConflict
from services.materials.material import Material, MaterialCourse, MaterialPage
from services.materials.store.records import (
    SHELF,
    CourseRecord,
    MaterialRecord,
    StoredIndex,
    course_document,
    course_fields,
    material_fields,
    read_course,
    read_material,
    stamped_course,
)
from services.materials.store.text_parts import DamagedText, PackedText, unpack_pages
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_all, read_or_none
from services.storage.store import Store, StudentDocuments

COURSES, MATERIALS, TEXTS = "material_courses", "materials", "material_texts"
INDEXES, UPLOADS = "material_indexes", "material_uploads"
CONTENTS = (TEXTS, INDEXES, UPLOADS)
_NEW: Document = {"is_listed": True, "reading": ""}
_TRIES = 4
_AT_ONCE = 200
"""Ids in one condition: an engine takes a limited number of values."""


class MaterialRepository:
    """Repository of all students' libraries."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store, self._clock = store, clock

    def courses(self, student_id: str) -> dict[str, CourseRecord]:
        """The student's courses by key, in their order."""
        return self.own_courses(student_id)

    def own_courses(self, student_id: str) -> dict[str, CourseRecord]:
        """The courses of the student's own library: one store read."""
        return self.courses_of([student_id])[student_id]

    def courses_of(self, owners: Sequence[str]) -> dict[str, dict[str, CourseRecord]]:
        """The courses of each of these libraries: one store read."""
        found = self.store.find_of(owners, COURSES)
        return {owner: _in_order(read_all(read_course, documents)) for owner, documents in found.items()}

    def course(self, student_id: str, key: str) -> CourseRecord | None:
        document = self._of(student_id).get(COURSES, key)
        return read_course(document) if document else None

    def add_course(self, student_id: str, record: CourseRecord) -> bool:
        """Add a course; False when there is one of its key."""
        try:
            self._of(student_id).insert(COURSES, course_document(record))
        except DuplicateDocument:
            return False
        return True

    def update_course(
        self, student_id: str, key: str, changes: Mapping[str, Any], *, expected: Mapping[str, Any] | None = None
    ) -> bool:
        """Change fields of a course; False when it is gone, or is not as expected any more."""
        own, is_so, becomes = self._of(student_id), stamped_course(expected or {}), stamped_course(changes)
        return own.compare_and_set(COURSES, key, is_so, becomes) is not None

    def save_courses(
        self, student_id: str, source: str, account: str, listed: Sequence[MaterialCourse]
    ) -> dict[str, CourseRecord]:
        """Save what a source lists as the student's current courses; what it does not list stays, as not current."""
        known = self.courses(student_id)
        for position, course in enumerate(listed):
            record = known.pop(course.key, None)
            now = self._clock()
            told = CourseRecord(course=course, source=source, account=account, position=position, tidied_at=now)
            if record is None:
                self.add_course(student_id, told)
            elif (record.course, record.position, record.is_current) != (course, position, True):
                fields = course_fields(course)
                self.update_course(student_id, course.key, {"position": position, "is_current": True, **fields})
        for key, record in known.items():
            if record.source == source and record.is_current:
                self.update_course(student_id, key, {"is_current": False})
        return self.courses(student_id)

    def materials(self, student_id: str, course_keys: Collection[str]) -> list[MaterialRecord]:
        """The materials of courses, in their order."""
        found = self._of(student_id).find(MATERIALS, {"course_key": {"$in": list(course_keys)}})
        records = read_all(read_material, found)
        return sorted(records, key=lambda r: (r.material.course_key, r.source == SHELF, r.material.position))

    def material(self, student_id: str, id: str) -> MaterialRecord | None:
        document = self._of(student_id).get(MATERIALS, id)
        return read_material(document) if document else None

    def save_listing(
        self, student_id: str, course: CourseRecord, listed: Sequence[Material], *, is_whole: bool, at: datetime
    ) -> None:
        """Save a source's listing of a course. is_whole: what is not in it is gone, and is deleted with its text.

        What is locked loses its text. Raises `WriteConflict` when others go on changing the same course meanwhile.
        """
        for attempt in range(_TRIES):
            try:
                self._save_listing(student_id, course, listed, is_whole=is_whole)
                break
            except (WriteConflict, DuplicateDocument):
                if attempt + 1 == _TRIES:
                    raise WriteConflict(MATERIALS) from None
        self.update_course(student_id, course.course.key, {"listed_at": at})
        self.recount(student_id, course.course.key)

    def _save_listing(
        self, student_id: str, course: CourseRecord, listed: Sequence[Material], *, is_whole: bool
    ) -> None:
        known = {
            record.material.id: record
            for record in self.materials(student_id, [course.course.key])
            if record.source == course.source
        }
        unreadable = self._unreadable(student_id, [material.id for material in listed if material.id not in known])
        batch = self.store.batch()
        mine = batch.for_student(student_id)
        # What cannot be read is written anew, or the course could never be listed again.
        self._delete(mine, unreadable)
        for material in listed:
            record = known.pop(material.id, None)
            if record is None:
                fields = material_fields(material)
                mine.insert(MATERIALS, {"id": material.id, "source": course.source, **_NEW, **fields})
                continue
            changes = {} if record.material == material and record.is_listed else material_fields(material)
            if material.locked and record.reading:
                changes |= self._without_text(mine, record)
            if changes:
                changes["is_listed"] = True
                mine.compare_and_set(MATERIALS, material.id, {"course_key": material.course_key}, changes)
        for record in known.values():
            if is_whole:
                self._delete(mine, [record.material.id])
            elif record.is_listed:
                mine.compare_and_set(MATERIALS, record.material.id, {}, {"is_listed": False})
        batch.commit()

    def _unreadable(self, student_id: str, ids: Sequence[str]) -> list[str]:
        """Which of these are stored, and cannot be read."""
        groups = [list(ids[at : at + _AT_ONCE]) for at in range(0, len(ids), _AT_ONCE)]
        found = [row for group in groups for row in self._of(student_id).find(MATERIALS, {"id": {"$in": group}})]
        return [row["id"] for row in found if read_or_none(read_material, row) is None]

    def save_text(self, student_id: str, material: Material, packed: PackedText) -> bool:
        """Store what was read of a material; False when it changed, was locked or deleted meanwhile: nothing is stored
        then. A reader that dies on the way leaves at most parts that no material names, which `delete_orphans` deletes.
        """
        record = self.material(student_id, material.id)
        if record is None or record.material.version != material.version or record.material.locked:
            return False
        reading = secrets.token_hex(6)
        batch = self.store.batch()
        mine = batch.for_student(student_id)
        where = {"material_id": material.id, "reading": reading, "at": stamp(self._clock())}
        for number, part in enumerate(packed.parts):
            own = {"id": f"{material.id}.{reading}.{number:03d}", "first": part.first, "last": part.last}
            mine.insert(TEXTS, {**own, **where, "data": part.data})
        mine.insert(INDEXES, {"id": f"{material.id}.{reading}", **where, "data": packed.index})
        expected = {"version": material.version, "locked": "", "reading": record.reading}
        mine.compare_and_set(MATERIALS, material.id, expected, self._text_fields(material, packed, reading))
        self._delete_reading(mine, material.id, record.reading)
        try:
            batch.commit()
        except WriteConflict:
            self._delete_reading(self._of(student_id), material.id, reading)
            return False
        return True

    def _text_fields(self, material: Material, packed: PackedText, reading: str) -> Document:
        return {
            "reading": reading,
            "read_version": material.version,
            "unit": str(packed.unit),
            "pages": packed.pages,
            "count": packed.count,
            "has_pictures": packed.has_pictures,
            "remarks": list(packed.remarks),
            "text_bytes": packed.stored_bytes,
            "read_at": stamp(self._clock()),
            "refused_version": None,
        }

    def save_refusal(self, student_id: str, material: Material, sentence: str, next_step: str) -> None:
        """Note why this version of a material cannot be read, so that no job tries again; its older text goes."""
        record = self.material(student_id, material.id)
        if record is not None:
            self.drop_texts(student_id, [record])
            refusal = {"refusal": sentence, "next_step": next_step, "refused_version": material.version}
            refusal["refused_at"] = stamp(self._clock())
            self._of(student_id).compare_and_set(MATERIALS, material.id, {}, refusal)

    def drop_texts(self, student_id: str, records: Iterable[MaterialRecord], *, locked: str = "") -> None:
        """Delete the texts of materials that the student may not read any more. locked: why, in words for them."""
        for record in records:
            batch = self.store.batch()
            changes = self._without_text(batch.for_student(student_id), record)
            if locked:
                changes["locked"] = locked
            batch.for_student(student_id).compare_and_set(MATERIALS, record.material.id, {}, changes)
            try:
                batch.commit()
            except WriteConflict:
                self.delete_materials(student_id, [record.material.id])

    def delete_materials(self, student_id: str, ids: Sequence[str]) -> None:
        """Delete materials with all that is stored of them."""
        batch = self.store.batch()
        self._delete(batch.for_student(student_id), ids)
        batch.commit()

    def delete_course(self, student_id: str, key: str) -> None:
        """Delete a course with all of its materials; the course first, so that no job begins on it again."""
        self._of(student_id).delete(COURSES, {"id": key})
        self.delete_materials(
            student_id, [each["id"] for each in self._of(student_id).find(MATERIALS, {"course_key": key})]
        )

    def give_up_course(self, student_id: str, record: CourseRecord) -> None:
        """Delete what was read through an account; a course with uploads becomes a shelf of the student's own."""
        key = record.course.key
        uploads = [kept for kept in self.materials(student_id, [key]) if kept.source == SHELF]
        if uploads:
            shelf = CourseRecord(course=MaterialCourse(key=new_own_course_key(), name=record.course.name), source=SHELF)
            self.add_course(student_id, replace(shelf, used_at=record.used_at, tidied_at=record.tidied_at))
            for upload in uploads:
                changes = {"course_key": shelf.course.key}
                self._of(student_id).compare_and_set(MATERIALS, upload.material.id, {}, changes)
            self.recount(student_id, shelf.course.key)
        self.delete_course(student_id, key)

    def pages(self, student_id: str, record: MaterialRecord, numbers: Collection[int] | None) -> list[MaterialPage]:
        """Read pages as stored; all where `numbers` is None. Raises `DamagedText` for parts that are not whole."""
        where: Document = {"material_id": record.material.id, "reading": record.reading}
        if numbers is not None:
            if not numbers:
                return []
            where |= {"first": {"$lte": max(numbers)}, "last": {"$gte": min(numbers)}}
        found = self.reader(student_id, record).find(TEXTS, where, order=[("first", 1)])
        pages = [page for document in found for page in unpack_pages(document["data"])]
        if numbers is None and len(pages) != record.pages:
            raise DamagedText
        return pages if numbers is None else [page for page in pages if page.number in numbers]

    def indexes(self, student_id: str, records: Sequence[MaterialRecord]) -> dict[str, StoredIndex]:
        """The stored indexes by material id, of those that are still as these records say."""
        ids = [f"{record.material.id}.{record.reading}" for record in records if record.reading]
        groups = [ids[at : at + _AT_ONCE] for at in range(0, len(ids), _AT_ONCE)]
        found = [
            document for group in groups for document in self._of(student_id).find(INDEXES, {"id": {"$in": group}})
        ]
        return {row["material_id"]: StoredIndex(data=row["data"], vectors=row.get("vectors", "")) for row in found}

    def save_index(self, student_id: str, record: MaterialRecord, **changes: str) -> None:
        """Replace the index (`data`) of a text that is still stored, or the vectors of its passages (`vectors`)."""
        id = f"{record.material.id}.{record.reading}"
        self.reader(student_id, record).compare_and_set(INDEXES, id, {}, changes)

    def recount(self, student_id: str, key: str) -> CourseRecord | None:
        """Count a course's materials anew into its record."""
        records = self.materials(student_id, [key])
        told = [record for record in records if record.source != SHELF and record.is_listed]
        read = [record for record in told if record.is_read]
        counts = {
            "materials": sum(not record.material.locked for record in told),
            "read": len(read),
            "failed": sum(record.is_refused for record in told),
            "pages": sum(record.pages for record in read),
            "uploads": sum(record.source == SHELF for record in records),
            "text_bytes": sum(record.text_bytes for record in records),
            "upload_bytes": sum(record.upload_bytes for record in records),
        }
        self.update_course(student_id, key, counts)
        return self.course(student_id, key)

    def _without_text(self, mine: StudentDocuments, record: MaterialRecord) -> Document:
        self._delete_reading(mine, record.material.id, record.reading)
        return {"reading": "", "read_version": "", "pages": 0, "text_bytes": 0}

    def _delete_reading(self, mine: StudentDocuments, material_id: str, reading: str) -> None:
        if reading:
            for collection in (TEXTS, INDEXES):
                mine.delete(collection, {"material_id": material_id, "reading": reading})

    def _delete(self, mine: StudentDocuments, ids: Sequence[str]) -> None:
        for id in ids:
            mine.delete(MATERIALS, {"id": id})
            for collection in CONTENTS:
                mine.delete(collection, {"material_id": id})

    def reader(self, student_id: str, record: MaterialRecord) -> StudentDocuments:
        """The documents in which the contents of a material stand."""
        return self._of(student_id)

    def _of(self, student_id: str) -> StudentDocuments:
        return self.store.for_student(student_id)


def new_own_course_key() -> str:
    return f"shelf-{secrets.token_hex(5)}"


def _in_order(records: Iterable[CourseRecord]) -> dict[str, CourseRecord]:
    """Courses by key, in the order in which a student sees them."""
    ordered = sorted(records, key=lambda record: (record.source == SHELF, record.position, record.course.key))
    return {record.course.key: record for record in ordered}
