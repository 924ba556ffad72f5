"""`PageAccess`: pages and pictures of one material, for a student who may read it at this moment."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import timedelta
from zoneinfo import ZoneInfo

from services.errors import ItemNotFound, PermissionMissing, ServiceUnavailable
from services.files.documents.document_reader import DrawnPage, document_reader
from services.files.reader_queue import reading_for
from services.files.upload import FileRefused, Upload
from services.i18n import formats, gettext
from services.identity.students import Student
from services.materials.ingestion.ingester import Ingester
from services.materials.ingestion.reading_pool import ReadingPool
from services.materials.listings import Listings
from services.materials.material import MaterialPage
from services.materials.results import MaterialPages, PagePicture
from services.materials.store.records import SHELF, CourseRecord, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.materials.store.text_parts import DamagedText
from services.runtime.clock import Clock
from services.runtime.deadline import Deadline

CHECKED_WITHIN_S = 8.0
"""Seconds that a source has to tell whether the student may read a material; else it counts as away."""
VERSIONS_FROM = timedelta(minutes=1)
"""A listing that is older is asked for again: the file may have been replaced since."""
REFUSED_FOR = timedelta(minutes=5)
"""Time for which a file that could not be read is not tried again."""

DrawPage = Callable[[Upload, int, str], DrawnPage]


@dataclass(frozen=True, kw_only=True)
class CheckedMaterial:
    """Material that the student may read now, or could when its source was last there. notes: why the latter."""

    record: MaterialRecord
    course: CourseRecord
    is_live: bool = True
    notes: list[str] = field(default_factory=list)


class PageAccess:
    def __init__(
        self,
        *,
        repository: MaterialRepository,
        listings: Listings,
        reader: Ingester,
        pool: ReadingPool,
        clock: Clock,
        draw: DrawPage | None = None,
    ) -> None:
        self._repository, self._listings, self._reader = repository, listings, reader
        self._pool, self._clock = pool, clock
        self._draw = draw or document_reader().picture

    def pages(
        self, student: Student, material_id: str, numbers: Collection[int] | None, *, within_s: float
    ) -> MaterialPages:
        """Read pages; the errors are those of `MaterialLibrary.pages`."""
        deadline = Deadline(within_s)
        checked = self.check(student, material_id, within_s=min(within_s, CHECKED_WITHIN_S))
        notes = list(checked.notes)
        if not checked.record.is_read:
            notes += self._read(student, checked, deadline)
        record, pages = self._stored(student, checked, numbers, deadline)
        return MaterialPages(
            material=record.material,
            unit=record.unit,
            pages=pages,
            count=record.count,
            as_of=self._clock() if checked.is_live else checked.course.listed_at or self._clock(),
            is_live=checked.is_live,
            has_pictures=record.has_pictures,
            notes=[*notes, *record.remarks],
        )

    def picture(self, student: Student, material_id: str, number: int, mark: str, *, within_s: float) -> PagePicture:
        """Draw a page; the errors are those of `MaterialLibrary.page_picture`."""
        if not self.pages(student, material_id, (), within_s=within_s).has_pictures:
            raise FileRefused(
                gettext("There is no picture of this page."),
                next_step=gettext("Read its text, or open the original."),
            )
        record = self._repository.material(student.id, material_id)
        if record is None:
            raise _gone()
        content = self._reader.fetch(student.id, record)
        with reading_for(student.id):
            drawn = self._draw(Upload(name=content.name, content=content.content), number, mark)
        return PagePicture(content=drawn.content, media_type=drawn.media_type, mark_top=drawn.mark_top)

    def check(self, student: Student, material_id: str, *, within_s: float) -> CheckedMaterial:
        """Find a material that the student may read now. Raises `ItemNotFound`, `PermissionMissing`, and
        `ReconnectRequired` where its account must be connected again.
        """
        record, course = self._find(student.id, material_id, within_s)
        self._listings.touch(student.id, course)
        if record.source == SHELF:
            return CheckedMaterial(record=record, course=course)
        try:
            if self._listings.is_fresh(course, VERSIONS_FROM):
                is_closed = material_id in self._listings.verify(student.id, [record]).closed_or_raise()
            else:
                self._listings.refresh_within(student.id, course, within_s)
                is_closed = self._is_closed(student.id, material_id)
        except ServiceUnavailable as error:
            note = away_note(student, course, str(error))
            return CheckedMaterial(record=record, course=course, is_live=False, notes=[note])
        found = self._repository.material(student.id, material_id)
        if found is None:
            raise _gone()
        if is_closed or found.material.locked:
            raise PermissionMissing(
                "Homeroom",
                found.material.locked or gettext("You cannot read this any more."),
                next_step=gettext("Ask your teacher if you need it, or go on without it."),
            )
        return CheckedMaterial(record=found, course=course)

    def _stored(
        self, student: Student, checked: CheckedMaterial, numbers: Collection[int] | None, deadline: Deadline
    ) -> tuple[MaterialRecord, list[MaterialPage]]:
        """The stored pages; of a text that the disk has damaged, read in anew."""
        for attempt in range(2):
            record = self._repository.material(student.id, checked.record.material.id)
            if record is None or not record.reading:
                raise _gone()
            try:
                return record, self._repository.pages(student.id, record, numbers)
            except DamagedText:
                self._repository.drop_texts(student.id, [record])
                if not attempt:
                    self._read(student, replace(checked, record=replace(record, reading="")), deadline)
        raise _gone()

    def _is_closed(self, student_id: str, material_id: str) -> bool:
        """Whether a material that the course's listing of just now does not name is closed to the student."""
        record = self._repository.material(student_id, material_id)
        if record is None or record.is_listed:
            return False
        return material_id in self._listings.verify(student_id, [record]).closed_or_raise()

    def _find(self, student_id: str, material_id: str, within_s: float) -> tuple[MaterialRecord, CourseRecord]:
        courses = self._listings.known(student_id)
        record = self._repository.material(student_id, material_id)
        if record is None:
            # One that was posted after the course was last listed, or of a course that never was.
            courses = courses or self._listings.courses(student_id).courses
            own = [course for key, course in courses.items() if material_id.startswith(f"{key}.")]
            self._listings.refresh_all_within(student_id, own, within_s)
            record = self._repository.material(student_id, material_id)
        if record is None or record.material.course_key not in courses:
            raise _gone()
        return record, courses[record.material.course_key]

    def _read(self, student: Student, checked: CheckedMaterial, deadline: Deadline) -> list[str]:
        """Read a material in; the note of an older text that is given instead, where it cannot be read now."""
        record = checked.record
        if record.is_refused and self._is_final(record):
            raise FileRefused(record.refusal, next_step=record.next_step)
        try:
            if not checked.is_live:
                raise ServiceUnavailable("Homeroom", " ".join(checked.notes) or _not_read())
            self._pool.read(student.id, record, deadline.remaining_s())
        except ServiceUnavailable:
            if not record.reading:
                raise
            when = formats.moment(record.read_at or self._clock(), ZoneInfo(student.timezone))
            return [gettext("It has changed since; this is its text of {when}.", when=when)]
        return []

    def _is_final(self, record: MaterialRecord) -> bool:
        """Whether a refusal is of just now. A student who asks later gets another try: what came in the file's place,
        such as a page about maintenance, may be gone.
        """
        return record.refused_at is not None and self._clock() - record.refused_at < REFUSED_FOR


def away_note(student: Student, course: CourseRecord, why: str) -> str:
    """Sentence about what is told of a course whose source is away."""
    if course.listed_at is None:
        return why
    when = formats.moment(course.listed_at, ZoneInfo(student.timezone))
    return gettext("{why} This is as of {when}.", why=why, when=when)


def _not_read() -> str:
    return gettext("This material has not been read yet.")


def _gone() -> ItemNotFound:
    return ItemNotFound(
        "Homeroom",
        gettext("There is no such material, or you cannot read it any more."),
        next_step=gettext("Look at the list of the course's materials."),
    )
