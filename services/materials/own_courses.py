"""`OwnCourses`: courses of the student's own, and the files that they add to these and to their school's courses."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from services.errors import BadArguments, ItemNotFound, ServiceUnavailable
from services.files.reader_queue import reading_for
from services.files.upload import OPEN_ORIGINAL, FileRefused, Upload
from services.i18n import gettext
from services.materials.ingestion.ingester import PackText
from services.materials.limits import MOST_OWN_COURSES, MOST_OWN_FILES, LibraryFull, LibraryMeter
from services.materials.listings import Listings
from services.materials.material import Material, MaterialCourse
from services.materials.source import MaterialContent
from services.materials.store.records import SHELF, CourseRecord
from services.materials.store.repository import MaterialRepository, new_own_course_key
from services.materials.store.text_parts import PackedText
from services.materials.store.uploads import Uploads
from services.runtime.clock import Clock
from services.safety.text import one_line
from services.storage.leases import Lease, Leases

LONGEST_COURSE_NAME = 80
KIND = "material-uploads"
WAIT_S = 30.0
"""Seconds that a file waits for others of its student, longer than a lease lasts whose holder has died."""


class OwnCourses:
    def __init__(
        self,
        *,
        repository: MaterialRepository,
        listings: Listings,
        uploads: Uploads,
        meter: LibraryMeter,
        pack: PackText,
        leases: Leases,
        clock: Clock,
    ) -> None:
        self._repository, self._listings, self._uploads = repository, listings, uploads
        self._meter, self._pack, self._leases, self._clock = meter, pack, leases, clock

    def add(self, student_id: str, name: str) -> MaterialCourse:
        """Add a course; raises `BadArguments` for a name that is empty or taken, and for more than there may be."""
        courses, name = self._repository.own_courses(student_id), one_line(name, LONGEST_COURSE_NAME)
        if not name:
            raise BadArguments(
                gettext("Give the course a name."), field="name", next_step=gettext("Such as “Biology reading group”.")
            )
        if name.casefold() in {record.course.name.casefold() for record in courses.values()}:
            raise BadArguments(
                gettext("There is a course of this name already."), field="name", next_step=gettext("Choose another.")
            )
        if sum(record.source == SHELF for record in courses.values()) >= MOST_OWN_COURSES:
            raise BadArguments(
                gettext("{most} courses of your own are the most.", most=MOST_OWN_COURSES),
                next_step=gettext("Remove one that you do not need any more."),
            )
        now = self._clock()
        course = MaterialCourse(key=new_own_course_key(), name=name)
        record = CourseRecord(course=course, source=SHELF, listed_at=now, used_at=now, tidied_at=now)
        self._repository.add_course(student_id, record)
        return course

    def remove(self, student_id: str, key: str) -> None:
        """Delete a course of the student's own with its files; raises `ItemNotFound`."""
        record = self._repository.course(student_id, key)
        if record is None or record.source != SHELF:
            raise _no_course()
        self._repository.delete_course(student_id, key)

    def add_upload(self, student_id: str, key: str, upload: Upload) -> Material:
        """Read a file and keep it; nothing is kept of one that cannot be read. The same file again changes nothing.

        Raises `FileRefused`, `LibraryFull`, `ItemNotFound` for a course that there is not.
        """
        record = self._listings.course(student_id, key)
        if key not in self._repository.own_courses(student_id):
            # A member reads what their class has; its instructors add to it, in its own name.
            raise _no_course()
        self._meter.require_room(student_id, upload=len(upload.content))
        material = self._uploads.material(key, upload, position=record.uploads)
        known = self._repository.material(student_id, material.id)
        if known is not None and known.is_read:
            # A process may have died between the text of this file and the counts.
            self._repository.recount(student_id, key)
            return known.material
        content = MaterialContent(name=material.name, content=upload.content)
        if record.uploads >= MOST_OWN_FILES:
            raise LibraryFull(
                gettext("{most} files of your own are the most for one course.", most=MOST_OWN_FILES),
                next_step=gettext("Remove files that you do not need any more."),
            )
        with reading_for(student_id):
            packed = self._read(content)
        with self._storing_alone(student_id):
            self._meter.require_room(student_id, text=packed.stored_bytes, upload=len(upload.content))
            self._uploads.add(student_id, material, upload)
            self._repository.save_text(student_id, material, packed)
            self._meter.add(packed.stored_bytes + len(upload.content))
            counted = self._repository.recount(student_id, key)
        if counted is None:
            # The course was removed while the file was read.
            self._repository.delete_materials(student_id, [material.id])
            raise _no_course()
        self._listings.touch(student_id, record)
        return material

    @contextmanager
    def _storing_alone(self, student_id: str) -> Iterator[None]:
        """Store one file of a student at a time, over all replicas: those that come at once pass no limit together.

        Raises `ServiceUnavailable` when others take long.
        """
        lease = Lease(
            name=f"{KIND}/{student_id}", kind=KIND, student=student_id, work=KIND, holder=secrets.token_hex(8)
        )
        if not self._leases.acquire_within(lease, WAIT_S, takes_over=True):
            raise ServiceUnavailable(
                "Homeroom",
                gettext("Other files of yours are being stored at the moment."),
                next_step=gettext("Try again in a moment."),
            )
        try:
            yield
        finally:
            self._leases.release(lease)

    def _read(self, content: MaterialContent) -> PackedText:
        try:
            return self._pack(content, is_background=False)
        except FileRefused as refusal:
            if refusal.next_step != gettext(OPEN_ORIGINAL):
                raise
            # This file is the original.
            raise FileRefused(str(refusal), next_step=gettext("Save it as a PDF, and add that.")) from None

    def remove_upload(self, student_id: str, material_id: str) -> None:
        """Delete a file; raises `ItemNotFound`."""
        record = self._repository.material(student_id, material_id)
        if record is None or record.source != SHELF:
            raise ItemNotFound(
                "Homeroom", gettext("There is no such file of yours."), next_step=gettext("Look at the list anew.")
            )
        self._repository.delete_materials(student_id, [material_id])
        self._repository.recount(student_id, record.material.course_key)


def _no_course() -> ItemNotFound:
    return ItemNotFound(
        "Homeroom",
        gettext("There is no such course of your own."),
        next_step=gettext("Look at the list of your courses."),
    )
