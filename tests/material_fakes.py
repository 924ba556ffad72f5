"""A library of course materials in memory, and a few materials to fill it with."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from services.connections.connection import Health
from services.errors import ItemNotFound, PermissionMissing
from services.files.upload import FileRefused
from services.identity.students import Student
from services.materials.library import MaterialLibrary
from services.materials.material import Material, MaterialCourse, MaterialKind, MaterialPage, PageUnit
from services.materials.results import (
    CourseList,
    CourseMaterials,
    CourseStatus,
    ListedMaterial,
    MaterialHit,
    MaterialPages,
    PagePicture,
    SearchResult,
)
from services.runtime.clock import utc_now

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)


def deck(*slides: str, **fields: Any) -> tuple[PageUnit, tuple[MaterialPage, ...]]:
    """Slides with these texts, each headed by its first line; an empty one is a picture only."""
    pages = tuple(
        MaterialPage(number=n, label=text.partition("\n")[0], text=text, is_blank=not text, **fields)
        for n, text in enumerate(slides, 1)
    )
    return PageUnit.SLIDE, pages


def reading(*texts: str) -> tuple[PageUnit, tuple[MaterialPage, ...]]:
    return PageUnit.PAGE, tuple(MaterialPage(number=n, text=t, is_blank=not t) for n, t in enumerate(texts, 1))


def sections(**texts: str) -> tuple[PageUnit, tuple[MaterialPage, ...]]:
    headed = enumerate(texts.items(), 1)
    return PageUnit.SECTION, tuple(MaterialPage(number=n, label=k.replace("_", " "), text=t) for n, (k, t) in headed)


@dataclass
class FakeLibrary(MaterialLibrary):
    """Library of one student. texts: by material. searched: the courses of each search. away: the sources do not
    answer, and everything is as last known.
    """

    courses_there: list[MaterialCourse] = field(default_factory=list)
    listed: list[Material] = field(default_factory=list)
    texts: dict[str, tuple[PageUnit, Sequence[MaterialPage]]] = field(default_factory=dict)
    now: Callable[[], datetime] = utc_now
    away: str = ""
    unread: int = 0
    unread_of: tuple[str, ...] = ()
    searched: list[Sequence[str] | None] = field(default_factory=list)
    drawn: list[tuple[str, int]] = field(default_factory=list)
    cannot_draw: bool = False
    refused: dict[str, str] = field(default_factory=dict)

    def add(self, material: Material, text: tuple[PageUnit, Sequence[MaterialPage]] | None = None) -> Material:
        self.listed.append(material)
        if text is not None:
            self.texts[material.id] = text
        return material

    @property
    def _state(self) -> dict[str, Any]:
        return {"as_of": self.now(), "is_live": not self.away, "notes": (self.away,) if self.away else ()}

    def _status(self, course: MaterialCourse) -> CourseStatus:
        mine = [material for material in self.listed if material.course_key == course.key]
        uploads = sum(material.kind is MaterialKind.UPLOAD for material in mine)
        return CourseStatus(course=course, materials=len(mine), read=len(mine), uploads=uploads)

    def courses(self, student: Student, *, live: bool = True) -> CourseList:
        return CourseList(courses=[self._status(course) for course in self.courses_there], **self._state)

    def materials(self, student: Student, course_key: str, *, live: bool = True) -> CourseMaterials:
        course = next(course for course in self.courses_there if course.key == course_key)
        mine = [self._listed(material) for material in self.listed if material.course_key == course_key]
        return CourseMaterials(status=self._status(course), materials=mine, **self._state)

    def _listed(self, material: Material) -> ListedMaterial:
        unit, pages = self.texts.get(material.id, (None, ()))
        return ListedMaterial(material=material, is_read=bool(pages), pages=len(pages), unit=unit)

    def material(self, student: Student, material_id: str) -> Material:
        found = next((material for material in self.listed if material.id == material_id), None)
        if found is None:
            raise ItemNotFound("Materials", "There is no such material.")
        return found

    def pages(
        self, student: Student, material_id: str, numbers: Collection[int] | None = None, **rest: Any
    ) -> MaterialPages:
        material = self.material(student, material_id)
        if material.locked:
            raise PermissionMissing("Canvas", material.locked)
        if material_id in self.refused:
            raise FileRefused(self.refused[material_id], next_step="Open the original.")
        unit, pages = self.texts[material_id]
        wanted = [page for page in pages if numbers is None or page.number in numbers]
        return MaterialPages(material=material, unit=unit, pages=wanted, count=len(pages), **self._state)

    def search(
        self,
        student: Student,
        query: str,
        *,
        course_keys: Sequence[str] | None = None,
        limit: int = 8,
        **rest: Any,
    ) -> SearchResult:
        self.searched.append(course_keys)
        words = {word.casefold().strip("?.,") for word in query.split() if len(word) > 3}
        hits = [
            MaterialHit(material=material, page=page, unit=unit, count=len(pages), passage=page.text)
            for material in self.listed
            if course_keys is None or material.course_key in course_keys
            for unit, pages in [self.texts.get(material.id, (PageUnit.PAGE, ()))]
            for page in pages
            if any(word in page.text.casefold() for word in words)
        ]
        return SearchResult(
            hits=hits[:limit], searched=len(self.texts), unread=self.unread, reading=self.unread_of, **self._state
        )

    def has_anything(self, student_id: str) -> bool:
        return any(material.kind is MaterialKind.UPLOAD for material in self.listed)

    def page_picture(self, student: Student, material_id: str, number: int, mark: str = "") -> PagePicture:
        self.drawn.append((material_id, number))
        if self.cannot_draw:
            raise PermissionMissing("Canvas", "This is locked now.")
        return PagePicture(content=PIXEL)


BIO = MaterialCourse(key="canvas-101", name="Cell Biology", code="BIOL 201", url="https://canvas.example/courses/101")
CHEM = MaterialCourse(key="canvas-102", name="General Chemistry", code="CHEM 110")
SHELF = MaterialCourse(key="shelf-1", name="Own reading")
TUESDAY = datetime(2026, 11, 17, 15, 0, tzinfo=UTC)


def material(id: str, title: str, **fields: Any) -> Material:
    """Material of a course by its key, such as "canvas-101.file-7"."""
    given = {"kind": MaterialKind.FILE, "module": "Week 9", "dated_at": TUESDAY, **fields}
    return Material(id=id, course_key=id.partition(".")[0], title=title, url=f"https://canvas.example/{id}", **given)


def filled_library() -> FakeLibrary:
    """Two courses: bio with a deck, a scanned reading, a guide and a syllabus; chem with a reading."""
    library = FakeLibrary(courses_there=[BIO, CHEM])
    slides = [f"Point {n}\nFact {n}a\n  detail\nFact {n}b" for n in range(1, 25)]
    slides[11] = "Osmosis\nWater moves across a membrane\n  towards more solute"
    library.add(
        material("canvas-101.file-7", "Lecture 9: Membranes", name="lecture-09.pptx"), deck(*slides, notes="Ask.")
    )
    monday = replace(
        material("canvas-101.file-8", "Lecture 8: Enzymes", name="lecture-08.pptx"),
        dated_at=datetime(2026, 11, 12, 15, 0, tzinfo=UTC),
    )
    library.add(monday, deck("Enzymes", "Rates"))
    library.add(material("canvas-101.file-9", "Cell atlas (scan)", name="atlas.pdf"), reading("", "", ""))
    library.add(
        material("canvas-101.file-10", "Midterm study guide", name="guide.docx"),
        sections(Topics="Osmosis and enzymes.", Format="Forty minutes."),
    )
    library.add(
        material("canvas-101.syllabus-1", "Syllabus", kind=MaterialKind.SYLLABUS, module=""),
        sections(Grading="Labs 40 %.", Late_work="Late work loses 10 % a day."),
    )
    library.add(
        material("canvas-101.announcement-3", "No lecture on Tuesday", kind=MaterialKind.ANNOUNCEMENT, module=""),
        sections(Text="None."),
    )
    library.add(
        material("canvas-101.file-11", "Lecture 10: Transport", name="lecture-10.pptx", locked="It opens on Tuesday.")
    )
    library.add(
        material("canvas-102.file-5", "Equilibrium reading", name="eq.pdf"),
        reading("At equilibrium both rates are equal.\n\nKeq is constant.", "Le Chatelier."),
    )
    return library


def canvas_connection(health: Health = Health.HEALTHY) -> dict[str, Any]:
    """Connections and integrations of a context, with Canvas in this health."""
    canvas = SimpleNamespace(id="canvas", capabilities=frozenset({"materials"}), category="courses", label="Canvas")
    connection = SimpleNamespace(health=health)
    return {"connections": {"canvas": connection}, "integrations": {"canvas": canvas}}
