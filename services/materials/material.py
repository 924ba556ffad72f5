"""`Material`: one text of a course, such as a file or a page; `MaterialPage`: what stands on one of its pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class MaterialKind(StrEnum):
    FILE = "file"
    PAGE = "page"
    ASSIGNMENT = "assignment"
    ANNOUNCEMENT = "announcement"
    DISCUSSION = "discussion"
    SYLLABUS = "syllabus"
    LINK = "link"
    UPLOAD = "upload"


class PageUnit(StrEnum):
    """What a material is counted in: Word files, pages of Canvas and texts have headings and no pages."""

    PAGE = "page"
    SLIDE = "slide"
    SECTION = "section"


@dataclass(frozen=True, kw_only=True)
class MaterialCourse:
    """Course that has materials. key: "canvas-101", or "shelf-…" of one that only the student made; unique for them."""

    key: str
    name: str = field(repr=False)
    code: str = field(default="", repr=False)
    url: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Material:
    """One text of a course, as its source lists it for this student now; nothing of it has been read.

    id: unique for the student, such as "canvas-101.file-7". course_key: of its `MaterialCourse`.
    module: the name of its module, "" for none; position: its place in the course, from 0.
    url: where a person opens it. name: of a file, with its extension; else "".
    version: the source's mark of change (time or hash): the same mark, the same content.
    size: bytes, 0 where the source does not tell. dated_at: when it was posted or last changed.
    locked: why this student may not read it now, in words for them; "" when they may.
    """

    id: str
    course_key: str
    kind: MaterialKind
    title: str = field(repr=False)
    module: str = field(default="", repr=False)
    position: int = 0
    url: str = field(default="", repr=False)
    name: str = field(default="", repr=False)
    version: str = ""
    size: int = 0
    dated_at: datetime | None = None
    locked: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class MaterialPage:
    """Text of one page, slide or section. number: from 1. label: its heading or printed number, "" for none.

    notes: speaker's notes of a slide. is_blank: it has no text of its own, as a scanned page: only its picture tells.
    """

    number: int
    label: str = field(default="", repr=False)
    text: str = field(default="", repr=False)
    notes: str = field(default="", repr=False)
    is_blank: bool = False


@dataclass(frozen=True, kw_only=True)
class MaterialText:
    """What was read of a material, at the version that it had then.

    count: its pages in all; fewer are in `pages` where it was too long. has_pictures: a page can be drawn.
    remarks: what was left out, in words for the student.
    """

    unit: PageUnit
    pages: Sequence[MaterialPage]
    count: int = 0
    has_pictures: bool = False
    remarks: Sequence[str] = ()
