"""`ReadingJob`: reads courses ahead in the background, each under a lease, a slice at a time, on any replica."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Protocol

from services.errors import (
    HomeroomError,
    ItemNotFound,
    PermissionMissing,
    ReconnectRequired,
    ServiceError,
    ServiceUnavailable,
    Throttled,
)
from services.files.upload import FileRefused
from services.i18n import gettext, locale_scope
from services.identity.students import Student
from services.materials.connected_sources import ConnectedSources
from services.materials.ingestion.ingester import Ingester
from services.materials.limits import MOST_MATERIALS, LibraryFull
from services.materials.listings import Listings
from services.materials.store.records import CourseRecord, MaterialRecord
from services.materials.store.repository import COURSES, MaterialRepository
from services.runtime.clock import Clock
from services.runtime.logs import error_location
from services.storage.due_queue import DueQueue
from services.storage.leases import Lease, Leases
from services.storage.store import OwnedId

log = logging.getLogger(__name__)

KIND = "materials"
THREADS = 2
"""Courses that are read at once in one process: one waits for its service while the other's file is read."""
EVERY_S = 5.0
SLICE_S = 20.0
"""After so long a course goes to the end of the queue: a class that switches on a hundred courses shares the time."""
LISTED_WITHIN = timedelta(minutes=10)
AGAIN_AFTER = timedelta(hours=6)
"""A course that is read ahead is looked at again."""
ASLEEP_AFTER = timedelta(days=21)
"""Not so a course for which nobody has asked since: it goes on when its student comes back."""
STRAINED = timedelta(seconds=30)
MOST_FAILURES = 3
"""Materials of one slice that may fail for the moment; more of them mean that their service is away."""
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=1)
FULL = timedelta(hours=6)
_CANDIDATES = 60
_IDLE = {"due_at": None, "is_reading": False}


class StudentFinder(Protocol):
    def get(self, id: str) -> Student | None: ...


class ReadingJob:
    """Background reader. Its state is in the store, so that whatever dies is gone on with by another thread or replica:
    a material is stored whole or not at all, and what is stored is not read again.
    """

    def __init__(
        self,
        *,
        repository: MaterialRepository,
        sources: ConnectedSources,
        listings: Listings,
        reader: Ingester,
        leases: Leases,
        students: StudentFinder,
        clock: Clock,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._repository, self._sources, self._listings = repository, sources, listings
        self._reader, self._leases, self._students = reader, leases, students
        self._clock, self._monotonic = clock, monotonic
        self._due = DueQueue(
            store=repository.store, job="material_reading", collection=COURSES, due_field="due_at", clock=clock
        )
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start the threads of this process."""
        self._stopped.clear()
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._run, name=f"material-reading-{number}", daemon=True)
                for number in range(THREADS)
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Let what is being read finish, and begin nothing new."""
        self._stopped.set()
        self._woken.set()
        for thread in self._threads:
            thread.join(timeout=10)
        self._threads = []

    def wake(self) -> None:
        """Look for work at once."""
        self._woken.set()

    def run_once(self) -> bool:
        """Read a slice of the course that has waited longest; whether there was one."""
        for lease in self._leases.expired(KIND):
            if taken := self._leases.take_over(lease, secrets.token_hex(8)):
                log.info("material_reading_taken_over")
                return self._run_leased(taken)
        # An account's budget is for one reading at a time, whatever number of courses were switched on.
        for record in self._due.take(_CANDIDATES, without=self._leases.students_at_work(KIND)):
            if self._leases.acquire(lease := reading_lease(record.student, record.id)):
                return self._run_leased(lease)
        return False

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            try:
                has_read = self.run_once()
            except HomeroomError as error:
                has_read = False
                log.warning("material_reading_failed kind=%s", type(error).__name__)
            except Exception as error:
                has_read = False
                log.error("material_reading_crashed at=%s", error_location(error))
            if not has_read:
                self._woken.wait(EVERY_S)

    def _run_leased(self, lease: Lease) -> bool:
        """Work on a course for a slice; one that cannot be read, as its records are damaged, is put off."""
        try:
            self._due.attempt(OwnedId(student=lease.student, id=lease.work), lambda *_: self._work_on(lease))
        finally:
            self._leases.release(lease)
        return True

    def _work_on(self, lease: Lease) -> None:
        student = self._students.get(lease.student)
        if student is None or student.is_disabled:
            self._repository.update_course(lease.student, lease.work, _IDLE)
            return
        with locale_scope(student.locale):
            self._read_course(lease)

    def _read_course(self, lease: Lease) -> None:
        student_id, key = lease.student, lease.work
        self._listings.known(student_id)
        record = self._repository.course(student_id, key)
        if record is None or record.is_paused or record.mode == "off":
            self._repository.update_course(student_id, key, _IDLE)
            return
        due_at = record.due_at
        try:
            self._repository.update_course(student_id, key, {"is_reading": True})
            wait = self._read_slice(lease, record)
        except ServiceError as error:
            wait = self._put_off(student_id, record, error)
        except LibraryFull as error:
            wait = FULL
            self._repository.update_course(student_id, key, {"trouble": f"{error} {error.next_step}"})
        record = self._repository.recount(student_id, key)
        if record is None or record.is_paused or record.mode == "off":
            return
        # Unless the student has asked for it anew meanwhile.
        next_at = self._clock() + wait if wait is not None else None
        changes = {"due_at": next_at, "is_reading": wait == timedelta(0)}
        self._repository.update_course(student_id, key, changes, expected={"due_at": due_at})

    def _read_slice(self, lease: Lease, record: CourseRecord) -> timedelta | None:
        """Read on until the slice is over; how long the course then waits, None for good."""
        student_id, key, until = lease.student, lease.work, self._monotonic() + SLICE_S
        if not self._sources.is_agreed(student_id, record.source):
            return self._withhold(student_id, record)
        if record.is_withheld:
            self._repository.update_course(student_id, key, {"is_withheld": False, "trouble": ""})
        if not self._listings.is_fresh(record, LISTED_WITHIN):
            self._listings.refresh(student_id, record)
        failed: list[ServiceUnavailable] = []
        for material in self._wanted(student_id, key):
            if self._stopped.is_set() or self._monotonic() >= until or not self._leases.holds(lease):
                return timedelta(0)
            current = self._repository.course(student_id, key)
            if current is None or current.is_paused or current.mode == "off":
                return None
            if not self._sources.is_agreed(student_id, record.source):
                return self._withhold(student_id, current)
            if self._sources.is_strained(student_id, record.source):
                return STRAINED
            try:
                self._read_material(student_id, material)
            except Throttled:
                raise
            except ServiceUnavailable as error:
                # A single one that fails again and again must not hold up those behind it.
                failed.append(error)
                if len(failed) == MOST_FAILURES:
                    raise
            self._show_progress(student_id, current, material)
        if failed:
            raise failed[0]
        return self._finish(student_id, key)

    def _withhold(self, student_id: str, record: CourseRecord) -> timedelta | None:
        """Stop the reading of a course whose account answers may not use; what is read stays for its student's eyes."""
        if record.mode == "once":
            self._repository.update_course(student_id, record.course.key, {"mode": "off"}, expected={"mode": "once"})
            return None
        changes = {"is_withheld": True, "trouble": not_agreed(self._sources.label(record.source))}
        self._repository.update_course(student_id, record.course.key, changes)
        return AGAIN_AFTER

    def _show_progress(self, student_id: str, course: CourseRecord, before: MaterialRecord) -> None:
        """Count one material more; all are counted anew when the slice is over. What was read ends a row of tries."""
        record = self._repository.material(student_id, before.material.id)
        if record is not None and record.is_read:
            changes = {
                "read": course.read + 1,
                "pages": course.pages + record.pages,
                "text_bytes": course.text_bytes + record.text_bytes - before.text_bytes,
                "tries": 0,
                "trouble": "",
            }
            self._repository.update_course(student_id, course.course.key, changes)

    def _wanted(self, student_id: str, key: str) -> list[MaterialRecord]:
        return [record for record in self._repository.materials(student_id, [key]) if record.is_wanted][:MOST_MATERIALS]

    def _read_material(self, student_id: str, material: MaterialRecord) -> None:
        """Read one; what is wrong with it alone is noted with it, and holds up no other."""
        try:
            self._reader.read(student_id, material, is_background=True)
        except (FileRefused, PermissionMissing, ItemNotFound) as error:
            log.info("material_not_read kind=%s", type(error).__name__)
        except ServiceError as error:
            if isinstance(error, ServiceUnavailable | ReconnectRequired):
                raise
            self._repository.save_refusal(student_id, material.material, str(error), error.next_step)

    def _finish(self, student_id: str, key: str) -> timedelta | None:
        record = self._repository.course(student_id, key)
        if record is None:
            return None
        self._repository.update_course(student_id, key, {"trouble": "", "tries": 0, "read_at": self._clock()})
        if record.mode == "once":
            self._repository.update_course(student_id, key, {"mode": "off"}, expected={"mode": "once"})
            return None
        is_asleep = record.used_at is not None and self._clock() - record.used_at > ASLEEP_AFTER
        return None if is_asleep else AGAIN_AFTER

    def _put_off(self, student_id: str, record: CourseRecord, error: ServiceError) -> timedelta:
        if isinstance(error, ReconnectRequired):
            self._sources.report(student_id, record.source, error)
        asked = timedelta(seconds=error.retry_after_s or 0) if isinstance(error, Throttled) else timedelta(0)
        record = self._repository.course(student_id, record.course.key) or record
        pause = max(asked, min(LONGEST_PAUSE, FIRST_PAUSE * float(2 ** min(record.tries, 10))))
        trouble = str(error) if isinstance(error, ReconnectRequired) or record.tries else ""
        self._repository.update_course(student_id, record.course.key, {"tries": record.tries + 1, "trouble": trouble})
        return pause


def not_agreed(label: str) -> str:
    return gettext(
        "You have not agreed that answers use {service}, so nothing is read for them in advance.", service=label
    )


def reading_lease(student_id: str, course_key: str) -> Lease:
    """Build the lease of a course that is read in."""
    return Lease(
        name=f"{KIND}/{student_id}/{course_key}",
        kind=KIND,
        student=student_id,
        work=course_key,
        holder=secrets.token_hex(8),
    )
