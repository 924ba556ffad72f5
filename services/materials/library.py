"""`MaterialLibrary`: a student's course materials: listed, read by page, searched, shown; the only door to them."""

from collections.abc import Callable, Collection, Sequence

from services.files.upload import Upload
from services.identity.students import Student
from services.materials.material import Material, MaterialCourse
from services.materials.results import (
    CourseList,
    CourseMaterials,
    LibraryUsage,
    MaterialPages,
    PagePicture,
    ReadAheadEstimate,
    SearchResult,
)

Progress = Callable[[str], None]
"""Told in a few words how far a reading is, in the student's language."""
ASKED_WITHIN_S = 25.0
"""Seconds that a question waits for what is not read in yet."""


def _untold(note: str) -> None:
    pass


class MaterialLibrary:
    """Library of all students; every method takes the student first and sees nothing of anybody else.

    What is told is checked with its source at that moment: what the student may not read any more is left out, and gone
    from the store. Where a source is away, what was read before is told with its date (`is_live` false, `as_of`).
    Raises `StorageError`; `ReconnectRequired` where the account is to be connected again, and nothing else answers.
    """

    def courses(self, student: Student, *, live: bool = True) -> CourseList:
        """List the student's courses, those with uploads alone too. live: ask the sources; else as last known."""
        raise NotImplementedError

    def materials(self, student: Student, course_key: str, *, live: bool = True) -> CourseMaterials:
        """List a course's materials by module; raises `ItemNotFound` for a course that the student does not have."""
        raise NotImplementedError

    def material(self, student: Student, material_id: str) -> Material:
        """Find a material as last listed, without asking its source; raises `ItemNotFound`."""
        raise NotImplementedError

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
        reason, `FileRefused` for one that cannot be read, `ServiceUnavailable` where it is not read in and its source
        is away or takes longer than `within_s`.
        """
        raise NotImplementedError

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
        goes on with the rest behind. Never raises for a source that is away: the notes tell.
        """
        raise NotImplementedError

    def page_picture(self, student: Student, material_id: str, number: int, mark: str = "") -> PagePicture:
        """Draw a page as a picture, with the words of `mark` marked where they are found.

        Raises as `pages` does, and `FileRefused` for a kind that has no pictures: those are shown as their text.
        """
        raise NotImplementedError

    def estimate(self, student: Student, course_key: str) -> ReadAheadEstimate:
        """Tell what reading a course ahead takes, from its listing."""
        raise NotImplementedError

    def read_ahead(self, student: Student, course_key: str) -> None:
        """Read a course ahead in the background from now on, and again when it changes."""
        raise NotImplementedError

    def pause(self, student: Student, course_key: str) -> None:
        """Pause the reading of a course; what is read stays."""
        raise NotImplementedError

    def resume(self, student: Student, course_key: str) -> None:
        """Go on with a paused course."""
        raise NotImplementedError

    def remove(self, student: Student, course_key: str) -> None:
        """Delete all that was read of a course and stop reading it; uploads stay."""
        raise NotImplementedError

    def add_shelf(self, student: Student, name: str) -> MaterialCourse:
        """Add a course of the student's own, for uploads; raises `BadArguments` for a name that is empty or taken."""
        raise NotImplementedError

    def remove_shelf(self, student: Student, course_key: str) -> None:
        """Delete a course of the student's own with its uploads."""
        raise NotImplementedError

    def add_upload(self, student: Student, course_key: str, upload: Upload) -> Material:
        """Add a file to a course's shelf and read it in; raises `FileRefused`, also where a limit is reached."""
        raise NotImplementedError

    def remove_upload(self, student: Student, material_id: str) -> None:
        """Delete an upload; raises `ItemNotFound`."""
        raise NotImplementedError

    def usage(self, student: Student) -> LibraryUsage:
        """Tell what the student's library takes, and its limits."""
        raise NotImplementedError

    def has_anything(self, student_id: str) -> bool:
        """Tell whether the student has uploads: the tools are offered for these without any connected source."""
        return False
