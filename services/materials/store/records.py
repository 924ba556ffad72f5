"""Records of the library: `CourseRecord` and `MaterialRecord`, as they are stored for one student."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from services.materials.material import Material, MaterialCourse, PageUnit
from services.materials.results import CourseState, CourseStatus, ListedMaterial
from services.runtime.clock import stamp
from services.storage.documents import Document
from services.storage.records import read_record, record_reader

SHELF = "shelf"
"""Source of courses that only the student made, and of all uploads."""
Mode = Literal["off", "once", "ahead"]
"""off: read when asked for. once: the rest of what a question began. ahead: read, and again when it changes."""


@dataclass(frozen=True, kw_only=True)
class CourseRecord:
    """Course of a student. source, account: through which integration and which account there it was seen.

    is_withheld: it is not read ahead, as its student does not agree (any more) that answers use its account.
    due_at: when the reading job goes on with it, None when it has nothing to do. tries: how often in a row its source
    was away. listed_at: when its materials were last listed. used_at: when the student last asked for it.
    tidied_at: when retention last looked at it. All sizes are bytes as stored.
    """

    course: MaterialCourse
    source: str
    account: str = ""
    position: int = 0
    is_current: bool = True
    mode: Mode = "off"
    is_paused: bool = False
    is_withheld: bool = False
    is_reading: bool = False
    due_at: datetime | None = None
    tries: int = 0
    trouble: str = field(default="", repr=False)
    listed_at: datetime | None = None
    read_at: datetime | None = None
    used_at: datetime | None = None
    tidied_at: datetime | None = None
    materials: int = 0
    read: int = 0
    failed: int = 0
    pages: int = 0
    uploads: int = 0
    text_bytes: int = 0
    upload_bytes: int = 0

    @property
    def state(self) -> CourseState:
        if self.is_paused or self.is_withheld:
            return CourseState.PAUSED
        if self.is_reading:
            return CourseState.READING
        if self.mode == "off":
            return CourseState.OFF
        is_done = self.listed_at is not None and self.read + self.failed >= self.materials
        return CourseState.READY if is_done and not self.trouble else CourseState.QUEUED

    def status(self) -> CourseStatus:
        return CourseStatus(
            course=self.course,
            state=self.state,
            materials=self.materials,
            read=self.read,
            failed=self.failed,
            pages=self.pages,
            stored_bytes=self.text_bytes + self.upload_bytes,
            uploads=self.uploads,
            read_at=self.read_at,
            trouble=self.trouble,
            is_current=self.is_current,
        )


@dataclass(frozen=True, kw_only=True)
class MaterialRecord:
    """Material with what was read of it. is_listed: its source listed it the last time.

    reading: id of the stored text, "" for none; read_version: the version that it is of.
    refusal: why the file of `refused_version` cannot be read, as found at `refused_at`.
    """

    material: Material
    source: str
    is_listed: bool = True
    reading: str = ""
    read_version: str = ""
    unit: PageUnit = PageUnit.PAGE
    pages: int = 0
    count: int = 0
    has_pictures: bool = False
    remarks: tuple[str, ...] = ()
    text_bytes: int = 0
    upload_bytes: int = 0
    read_at: datetime | None = None
    refusal: str = field(default="", repr=False)
    next_step: str = field(default="", repr=False)
    refused_version: str | None = None
    refused_at: datetime | None = None

    @property
    def is_read(self) -> bool:
        """Whether its text is stored, at the version that was last listed."""
        return bool(self.reading) and self.read_version == self.material.version

    @property
    def is_refused(self) -> bool:
        return self.refused_version is not None and self.refused_version == self.material.version

    @property
    def is_wanted(self) -> bool:
        """Whether it is to be read in."""
        return self.is_listed and not (self.material.locked or self.is_read or self.is_refused)

    def listed(self) -> ListedMaterial:
        return ListedMaterial(
            material=self.material,
            is_read=self.is_read,
            pages=self.pages if self.is_read else 0,
            unit=self.unit if self.is_read else None,
            read_at=self.read_at if self.is_read else None,
            refusal=self.refusal if self.is_refused else "",
        )


@dataclass(frozen=True, kw_only=True)
class StoredIndex:
    """Index of a material as stored. vectors: "" without any."""

    data: str = field(repr=False)
    vectors: str = field(default="", repr=False)


def course_fields(course: MaterialCourse) -> Document:
    """The fields that a source tells of a course."""
    return {"name": course.name, "code": course.code, "url": course.url}


def course_document(record: CourseRecord) -> Document:
    fields = {name: value for name, value in vars(record).items() if name != "course"}
    return {"id": record.course.key, **course_fields(record.course), **stamped_course(fields)}


def stamped_course(fields: Mapping[str, Any]) -> Document:
    """Fields of a course as they are stored."""
    return {name: stamp(value) if name in _COURSE_TIMES and value else value for name, value in fields.items()}


@record_reader("material_courses")
def read_course(document: Document) -> CourseRecord:
    return read_record(CourseRecord, document, course={**document, "key": document["id"]})


def material_fields(material: Material) -> Document:
    """The fields that a source tells of a material."""
    return {
        "course_key": material.course_key,
        "kind": str(material.kind),
        "title": material.title,
        "module": material.module,
        "position": material.position,
        "url": material.url,
        "name": material.name,
        "version": material.version,
        "size": material.size,
        "dated_at": stamp(material.dated_at) if material.dated_at else None,
        "locked": material.locked,
    }


@record_reader("materials")
def read_material(document: Document) -> MaterialRecord:
    return read_record(MaterialRecord, document, material=document)


_COURSE_TIMES = ("due_at", "listed_at", "read_at", "used_at", "tidied_at")
