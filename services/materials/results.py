"""Answers of the `MaterialLibrary`: courses, listings, pages, hits, pictures and usage, as one student has them now."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from services.materials.material import Material, MaterialCourse, MaterialPage, PageUnit


class CourseState(StrEnum):
    """How far the reading of a course is. OFF: nothing is read ahead; what was asked for may be read all the same."""

    OFF = "off"
    QUEUED = "queued"
    READING = "reading"
    READY = "ready"
    PAUSED = "paused"


@dataclass(frozen=True, kw_only=True)
class CourseStatus:
    """Course and how far it is read. materials: those that the student may read, 0 before the first listing.

    read: how many of them are read in at their present version. failed: how many cannot be read. pages: of those read.
    stored_bytes: what the library stores of it. read_at: when the last one was read or checked. trouble: why reading
    does not go on, in words for the student, "" when it does. uploads: how many the student added.
    is_current: the source still lists the course; only uploads and what was read before are left of others.
    """

    course: MaterialCourse
    state: CourseState = CourseState.OFF
    materials: int = 0
    read: int = 0
    failed: int = 0
    pages: int = 0
    stored_bytes: int = 0
    uploads: int = 0
    read_at: datetime | None = None
    trouble: str = ""
    is_current: bool = True


@dataclass(frozen=True, kw_only=True)
class CourseList:
    """Courses of a student. as_of: when the sources listed them. is_live: they did so just now. notes: what could not
    be listed, in words for the student.
    """

    courses: Sequence[CourseStatus]
    as_of: datetime
    is_live: bool = True
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class ListedMaterial:
    """Material and what the library has read of it. is_read: at its present version. pages: 0 before it is read.

    refusal: why it cannot be read, in words for the student; "" when it can, or when nobody has tried.
    """

    material: Material
    is_read: bool = False
    pages: int = 0
    unit: PageUnit | None = None
    read_at: datetime | None = None
    refusal: str = ""


@dataclass(frozen=True, kw_only=True)
class CourseMaterials:
    """Materials of a course in its order, locked ones too; uploads last. as_of, is_live, notes: as of `CourseList`."""

    status: CourseStatus
    materials: Sequence[ListedMaterial]
    as_of: datetime
    is_live: bool = True
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class MaterialPages:
    """Pages of a material. pages: those that were asked for and exist; count: of all. as_of: when the source was last
    seen to offer it; is_live: just now. has_pictures: a page can be drawn. notes: such as why an older text is given.
    """

    material: Material
    unit: PageUnit
    pages: Sequence[MaterialPage]
    count: int
    as_of: datetime
    is_live: bool = True
    has_pictures: bool = False
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class MaterialHit:
    """Passage that answers a query. page: the whole page. unit, count: of its material. passage: its text with its
    neighbours on the page; mark: the words to mark on the page's picture. score: falls from hit to hit.
    """

    material: Material
    page: MaterialPage
    unit: PageUnit
    count: int
    passage: str = field(repr=False)
    mark: str = field(default="", repr=False)
    score: float = 0.0


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Hits, best first. searched, unread: materials that were searched, and those that are not read in yet.

    reading: keys of the courses that are being listed or read behind, so that the same search has more later.
    as_of: when the oldest of the sources was last reached; is_live: all of them were, just now.
    """

    hits: Sequence[MaterialHit]
    as_of: datetime
    is_live: bool = True
    searched: int = 0
    unread: int = 0
    reading: Sequence[str] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class PagePicture:
    """Picture of a page. mark_top: where the marked words begin, 0 at the page's top and 1 at its end; None where they
    were not found.
    """

    content: bytes = field(repr=False)
    media_type: str = "image/png"
    mark_top: float | None = None


@dataclass(frozen=True, kw_only=True)
class ReadAheadEstimate:
    """What reading a course ahead takes. unread_bytes: of files whose size the source tells. warning: a limit that this
    comes near to or passes, in words for the student; "" when none. fits: whether all of it fits.
    """

    materials: int
    unread: int
    unread_bytes: int
    warning: str = ""
    fits: bool = True


@dataclass(frozen=True, kw_only=True)
class LibraryUsage:
    """What a student's library takes, in bytes, and its limits. warning: words before one bites; "" when far off."""

    text_bytes: int
    text_limit: int
    upload_bytes: int
    upload_limit: int
    warning: str = ""
