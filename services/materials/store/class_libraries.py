"""`ClassLibraries`: what students have to read, with what their classes have: read in once, for all who are in one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from services.materials.material import MaterialKind
from services.materials.store.records import CourseRecord, MaterialRecord, StoredIndex
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.storage.store import Store, StudentDocuments

CLASS = "class"
"""How the keys of courses begin that a class reads, and the owners of their libraries."""
OpenLibraries = Callable[[str], Mapping[str, str]]
"""Owners of the libraries that a student may read now besides their own, each with the name of its class."""


class ClassLibraries(MaterialRepository):
    """Repository whose reads look into the libraries of a student's classes, too.

    Its writes do not: what a member changes is their own alone. Who manages a class's library does so as its owner.
    """

    def __init__(self, store: Store, clock: Clock, open_libraries: OpenLibraries) -> None:
        super().__init__(store, clock)
        self._open_libraries = open_libraries

    def courses(self, student_id: str) -> dict[str, CourseRecord]:
        names = self._open_libraries(student_id)
        found = self.courses_of([student_id, *names])
        return found[student_id] | _of_classes(names, found)

    def course(self, student_id: str, key: str) -> CourseRecord | None:
        found = super().course(student_id, key)
        if found is not None or not is_of_class(key):
            return found
        names = self._open_libraries(student_id)
        return _of_classes(names, self.courses_of([*names])).get(key)

    def materials(self, student_id: str, course_keys: Collection[str]) -> list[MaterialRecord]:
        found = super().materials(student_id, course_keys)
        for owner, keys in self._by_owner(student_id, course_keys).items():
            found += [_as_read(record) for record in super().materials(owner, keys)]
        return found

    def material(self, student_id: str, id: str) -> MaterialRecord | None:
        if (found := super().material(student_id, id)) is not None:
            return found
        theirs = (super(ClassLibraries, self).material(owner, id) for owner in self._open_libraries(student_id))
        return next((_as_read(record) for record in theirs if record is not None), None)

    def indexes(self, student_id: str, records: Sequence[MaterialRecord]) -> dict[str, StoredIndex]:
        found = super().indexes(student_id, [r for r in records if not is_of_class(r.material.course_key)])
        for owner, keys in self._by_owner(student_id, {r.material.course_key for r in records}).items():
            found |= super().indexes(owner, [r for r in records if r.material.course_key in keys])
        return found

    def reader(self, student_id: str, record: MaterialRecord) -> StudentDocuments:
        owners = self._by_owner(student_id, [record.material.course_key])
        return self.store.for_student(next(iter(owners), student_id))

    def _by_owner(self, student_id: str, course_keys: Collection[str]) -> Mapping[str, Sequence[str]]:
        """The courses of classes among these that the student may read now, by the owner of the library."""
        keys = {_owner(key): [key] for key in course_keys if is_of_class(key)}
        return {owner: keys[owner] for owner in self._open_libraries(student_id) if owner in keys} if keys else {}


def is_of_class(course_key: str) -> bool:
    """Whether a course is what a class has to read."""
    return course_key.startswith(f"{CLASS}-")


def _owner(course_key: str) -> str:
    return course_key.replace("-", ".", 1)


def _of_classes(names: Mapping[str, str], found: Mapping[str, Mapping[str, CourseRecord]]) -> dict[str, CourseRecord]:
    """The courses of classes, as their members have them. names: of the classes, by the owner of the library."""
    return {key: _as_course(record, name) for owner, name in names.items() for key, record in found[owner].items()}


def _as_course(record: CourseRecord, name: str) -> CourseRecord:
    """The course of a class as its members have it: its files are materials, none of them an upload of theirs."""
    files = record.uploads
    return replace(record, course=replace(record.course, name=name), materials=files, read=files, uploads=0)


def _as_read(record: MaterialRecord) -> MaterialRecord:
    """A file of a class as its members have it: the school's, not an upload of their own."""
    return replace(record, material=replace(record.material, kind=MaterialKind.FILE))
