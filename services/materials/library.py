"""`MaterialLibrary`: a student's course materials: listed, read by page, searched, shown; the only door to them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from services.errors import ItemNotFound, PermissionMissing, ServiceUnavailable
from services.files.upload import Upload
from services.i18n import gettext
from services.identity.students import Student
from services.materials.connected_sources import ConnectedSources
from services.materials.ingestion.reading_job import ReadingJob, not_agreed
from services.materials.ingestion.reading_pool import Progress
from services.materials.library_search import LibrarySearch
from services.materials.limits import LibraryMeter
from services.materials.listings import Listings
from services.materials.material import Material, MaterialCourse
from services.materials.own_courses import OwnCourses
from services.materials.page_access import PageAccess, away_note
from services.materials.question_search import QuestionSearch
from services.materials.results import (
    CourseList,
    CourseMaterials,
    LibraryUsage,
    MaterialPages,
    PagePicture,
    SearchResult,
)
from services.materials.store.class_libraries import is_of_class
from services.materials.store.original_file_cache import OriginalFileCache
from services.materials.store.records import SHELF, CourseRecord
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock

ASKED_WITHIN_S = 25.0
"""Seconds that the reading of one material, or a search that needs all of them, may take."""
QUESTION_S = 1.5
"""Seconds that a question waits for courses that nobody has read in: it tells what it searched; reading goes on."""
_FRESH_START = {"tries": 0, "trouble": "", "is_withheld": False}


@dataclass(frozen=True, kw_only=True)
class LibraryParts:
    """Parts of a library, made by `services.wiring.materials`."""

    repository: MaterialRepository
    sources: ConnectedSources
    listings: Listings
    access: PageAccess
    questions: QuestionSearch
    search: LibrarySearch
    own_courses: OwnCourses
    originals: OriginalFileCache
    meter: LibraryMeter
    job: ReadingJob
    clock: Clock


def _untold(note: str) -> None:
    pass


class MaterialLibrary:
    """Library of all students; every method takes the student first and sees nothing of anybody else.

    What is told is checked with its source at that moment: what the student may not read any more is left out, and gone
    from the store. Where a source is away, what was read before is told with its date (`is_live` false, `as_of`).
    Raises `StorageError`; `ReconnectRequired` where the account is to be connected again, and nothing else answers.
    """

    def __init__(self, parts: LibraryParts) -> None:
        self._parts = parts
        self._repository, self._listings, self._clock = parts.repository, parts.listings, parts.clock

    def courses(self, student: Student, *, live: bool = True) -> CourseList:
        """List the student's courses, those with uploads alone too. live: ask the sources; else as last known."""
        if live:
            listed = self._listings.courses(student.id)
            courses, notes, is_live = listed.courses, listed.notes, listed.is_live
            shown = [course for course in courses.values() if course.source not in listed.blocked]
        else:
            shown, notes, is_live = list(self._listings.known(student.id).values()), (), False
        known = [course for course in shown if course.is_current or course.materials or course.uploads]
        times = [course.listed_at for course in known if course.listed_at]
        now = self._clock()
        return CourseList(
            courses=[course.status() for course in known],
            as_of=now if is_live else max(times, default=now),
            is_live=is_live,
            notes=notes,
        )

    def materials(self, student: Student, course_key: str, *, live: bool = True) -> CourseMaterials:
        """List a course's materials by module; raises `ItemNotFound` for a course that the student does not have."""
        course = self._listings.course(student.id, course_key)
        self._listings.touch(student.id, course)
        notes: Sequence[str] = ()
        is_live = live or course.source == SHELF
        if live:
            try:
                notes = self._listings.refresh(student.id, course)
            except ServiceUnavailable as error:
                is_live, notes = False, [away_note(student, course, str(error))]
            course = self._repository.course(student.id, course_key) or course
        records = self._repository.materials(student.id, [course_key])
        now = self._clock()
        return CourseMaterials(
            status=course.status(),
            materials=[record.listed() for record in records if record.is_listed],
            as_of=now if is_live else course.listed_at or now,
            is_live=is_live,
            notes=notes,
        )

    def material(self, student: Student, material_id: str) -> Material:
        """Find a material as last listed, without asking its source; raises `ItemNotFound`."""
        courses, record = self._listings.known(student.id), self._repository.material(student.id, material_id)
        if record is None or record.material.course_key not in courses:
            raise ItemNotFound(
                "Homeroom",
                gettext("There is no such material in your library."),
                next_step=gettext("Look at the list of the course's materials."),
            )
        return record.material

    def pages(
        self,
        student: Student,
        material_id: str,
        numbers: Collection[int] | None = None,
        *,
        within_s: float = ASKED_WITHIN_S,
        progress: Progress = _untold,
    ) -> MaterialPages:
        """Read pages of a material, all of them where `numbers` is None; read in now if it is not yet.

        Raises `ItemNotFound` for one that there is not (any more), `PermissionMissing` for one that is locked, with the
        reason, `FileRefused` for one that cannot be read, `LibraryFull` where a limit is reached, `ServiceUnavailable`
        where it is not read in and its source is away or takes longer than `within_s`.
        """
        progress(gettext("Opening the material"))
        return self._parts.access.pages(student, material_id, numbers, within_s=within_s)

    def search(
        self,
        student: Student,
        query: str,
        *,
        course_keys: Sequence[str] | None = None,
        limit: int = 8,
        within_s: float = ASKED_WITHIN_S,
        progress: Progress = _untold,
    ) -> SearchResult:
        """Search one, several or all courses (None); reads in what is not read yet as far as `within_s` allows, and
        goes on with the rest behind. Never raises for a source that is away: the notes tell. Raises `ItemNotFound` for
        a course that the student does not have.
        """
        return self._parts.questions.search(
            student, query, course_keys=course_keys, limit=limit, within_s=within_s, progress=progress
        )

    def page_picture(
        self, student: Student, material_id: str, number: int, mark: str = "", *, within_s: float = ASKED_WITHIN_S
    ) -> PagePicture:
        """Draw a page as a picture, with the words of `mark` marked where they are found.

        Raises as `pages` does, and `FileRefused` for a kind that has no pictures: those are shown as their text.
        """
        return self._parts.access.picture(student, material_id, number, mark, within_s=within_s)

    def read_ahead(self, student: Student, course_key: str) -> None:
        """Read a course ahead in the background from now on, and again when it changes. Raises `LibraryFull`, and
        `PermissionMissing` where the student does not agree that answers use its account.
        """
        course = self._listings.course(student.id, course_key)
        self._parts.meter.require_room(student.id)
        self._require_agreed(student, course)
        now = self._clock()
        started = {"mode": "ahead", "is_paused": False, "due_at": now, "used_at": now}
        self._change(student, course, {**started, **_FRESH_START})

    def pause(self, student: Student, course_key: str) -> None:
        """Pause the reading of a course; what is read stays."""
        course = self._listings.course(student.id, course_key)
        self._change(student, course, {"is_paused": True, "is_reading": False, "due_at": None})

    def resume(self, student: Student, course_key: str) -> None:
        """Go on with a paused course; raises `PermissionMissing` as `read_ahead` does."""
        course = self._listings.course(student.id, course_key)
        self._require_agreed(student, course)
        due_at = None if course.mode == "off" else self._clock()
        self._change(student, course, {"is_paused": False, "due_at": due_at, **_FRESH_START})

    def remove(self, student: Student, course_key: str) -> None:
        """Delete all that was read of a course and stop reading it; uploads stay."""
        course = self._listings.course(student.id, course_key)
        stopped = {"mode": "off", "is_paused": False, "is_reading": False, "due_at": None, "listed_at": None}
        self._change(student, course, {**stopped, "read_at": None, **_FRESH_START})
        records = self._repository.materials(student.id, [course_key])
        read = [record.material.id for record in records if record.source != SHELF]
        self._repository.delete_materials(student.id, read)
        self._parts.originals.drop(student.id)
        self._parts.search.drop(student.id)
        self._repository.recount(student.id, course_key)

    def add_own_course(self, student: Student, name: str) -> MaterialCourse:
        """Add a course of the student's own, for uploads; raises `BadArguments` for a name that is empty or taken."""
        return self._parts.own_courses.add(student.id, name)

    def remove_own_course(self, student: Student, course_key: str) -> None:
        """Delete a course of the student's own with its uploads; raises `ItemNotFound`."""
        self._parts.own_courses.remove(student.id, course_key)
        self._parts.search.drop(student.id)

    def add_upload(self, student: Student, course_key: str, upload: Upload) -> Material:
        """Add a file to a course's shelf and read it in; raises `FileRefused`, `LibraryFull` where a limit is reached,
        `ItemNotFound` for a course that there is not.
        """
        return self._parts.own_courses.add_upload(student.id, course_key, upload)

    def remove_upload(self, student: Student, material_id: str) -> None:
        """Delete an upload; raises `ItemNotFound`."""
        self._parts.own_courses.remove_upload(student.id, material_id)
        self._parts.search.drop(student.id)

    def usage(self, student: Student) -> LibraryUsage:
        """Tell what the student's library takes, and its limits."""
        return self._parts.meter.usage(student.id)

    def has_anything(self, student_id: str) -> bool:
        """Whether the student has uploads, or a class of theirs has something to read: the tools are offered for these
        without any connected source.
        """
        courses = self._repository.courses(student_id)
        return any(course.uploads or (is_of_class(key) and course.materials) for key, course in courses.items())

    def remove_lost_accounts(self, student_id: str) -> None:
        """Delete what was read through accounts that the student has disconnected, or connected anew as another."""
        self._listings.known(student_id)
        self._parts.search.drop(student_id)

    def review_consent(self, student_id: str, source: str) -> None:
        """Look anew whether the courses of an account may be read ahead, after its consent was given or withdrawn."""
        for key, course in self._repository.courses(student_id).items():
            if course.source == source and course.mode != "off" and not course.is_paused:
                self._repository.update_course(student_id, key, {"due_at": self._clock()})
        self._parts.job.wake()

    def _require_agreed(self, student: Student, course: CourseRecord) -> None:
        sources = self._parts.sources
        if not sources.is_agreed(student.id, course.source):
            step = gettext("Agree to it under Settings, then begin again.")
            raise PermissionMissing("Homeroom", not_agreed(sources.label(course.source)), next_step=step)

    def _change(self, student: Student, course: CourseRecord, changes: Mapping[str, object]) -> None:
        self._repository.update_course(student.id, course.course.key, changes)
        self._parts.job.wake()
