"""`Listings`: courses and their materials as their sources list them, stored for when these are away."""

import logging
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitTimeout
from dataclasses import dataclass
from datetime import timedelta

from services.errors import ItemNotFound, PermissionMissing, ReconnectRequired, ServiceError, ServiceUnavailable
from services.i18n import gettext
from services.materials.connected_sources import ConnectedSources, Verification, is_same_account
from services.materials.store.original_file_cache import OriginalFileCache
from services.materials.store.records import SHELF, CourseRecord, MaterialRecord
from services.materials.store.repository import MaterialRepository
from services.runtime.clock import Clock
from services.runtime.deadline import Deadline
from services.runtime.thread_pools import DaemonPool

log = logging.getLogger(__name__)

FRESH = timedelta(minutes=1)
"""A listing of just now is not asked for again; what is told is checked all the same."""
USED_EVERY = timedelta(hours=1)
THREADS = 6


class ListingSlow(ServiceUnavailable):
    """A listing that takes longer than its caller waits; it goes on behind."""


@dataclass(frozen=True, kw_only=True)
class Listed:
    """Courses as they are known now. live: sources that have just listed them. notes: what could not be listed.

    blocked: sources whose account must be connected again: nothing that was read through them is told.
    """

    courses: dict[str, CourseRecord]
    is_live: bool = True
    notes: Sequence[str] = ()
    blocked: frozenset[str] = frozenset()


class Listings:
    """Listings of all students; the same course is listed once at a time in this process."""

    def __init__(
        self, *, repository: MaterialRepository, sources: ConnectedSources, originals: OriginalFileCache, clock: Clock
    ) -> None:
        self._repository, self._sources, self._originals, self._clock = repository, sources, originals, clock
        self._pool = DaemonPool("material-listings", THREADS)
        self._lock = threading.Lock()
        self._running: dict[tuple[str, str], Future[tuple[str, ...]]] = {}

    def known(self, student_id: str) -> dict[str, CourseRecord]:
        """Courses of the accounts that are connected now; what was read through others is deleted here."""
        accounts = self._sources.accounts(student_id)
        courses = self._repository.courses(student_id)
        lost = [record for record in courses.values() if _is_lost(record, accounts)]
        for record in lost:
            log.info("materials_of_lost_account_removed")
            self._originals.drop(student_id)
            self._repository.give_up_course(student_id, record)
        return self._repository.courses(student_id) if lost else courses

    def courses(self, student_id: str) -> Listed:
        """Ask every source for the student's courses. Raises `StorageError` alone: the notes tell the rest."""
        courses = self.known(student_id)
        notes: list[str] = []
        blocked: set[str] = set()
        is_live = True
        for source, account in self._sources.accounts(student_id).items():
            try:
                listed = self._sources.open(student_id, source).courses()
            except (ReconnectRequired, PermissionMissing) as error:
                blocked.add(source)
                notes.append(f"{error} {error.next_step}")
                if isinstance(error, ReconnectRequired):
                    self._sources.report(student_id, source, error)
            except ServiceUnavailable as error:
                is_live = False
                notes.append(str(error))
            else:
                courses = self._repository.save_courses(student_id, source, account, listed)
        return Listed(courses=courses, is_live=is_live, notes=notes, blocked=frozenset(blocked))

    def course(self, student_id: str, key: str) -> CourseRecord:
        """Find a course, asking the sources for one that is not known yet. Raises `ItemNotFound`."""
        record = self.known(student_id).get(key) or self.courses(student_id).courses.get(key)
        if record is None:
            raise ItemNotFound(
                "Homeroom",
                gettext("There is no such course in your library."),
                next_step=gettext("Look at the list of your courses."),
            )
        return record

    def refresh(self, student_id: str, record: CourseRecord) -> tuple[str, ...]:
        """List a course's materials anew and store them; the notes of the listing. Joins one that is under way.

        Raises what the source raises. A course that is closed to the student by now loses what was read of it.
        """
        if record.source == SHELF:
            return ()
        return self._begin(student_id, record).result()

    def refresh_within(self, student_id: str, record: CourseRecord, seconds: float) -> tuple[str, ...]:
        """Refresh, and raise `ListingSlow` when that takes longer; it goes on behind then."""
        if record.source == SHELF:
            return ()
        try:
            return self._begin(student_id, record).result(timeout=max(0.0, seconds))
        except WaitTimeout:
            label = self._sources.label(record.source)
            raise ListingSlow(label, gettext("{service} takes long to list its materials.", service=label)) from None

    def refresh_all_within(
        self, student_id: str, records: Sequence[CourseRecord], seconds: float
    ) -> dict[str, ServiceError]:
        """Refresh several courses side by side; those that were not listed in time, by key, each with the reason."""
        deadline, failed = Deadline(seconds), {}
        for record in records:
            if record.source != SHELF:
                self._begin(student_id, record)
        for record in records:
            try:
                self.refresh_within(student_id, record, deadline.remaining_s())
            except ServiceError as error:
                failed[record.course.key] = error
        return failed

    def is_fresh(self, record: CourseRecord, within: timedelta = FRESH) -> bool:
        return record.listed_at is not None and self._clock() - record.listed_at < within

    def verify(self, student_id: str, records: Sequence[MaterialRecord]) -> Verification:
        """Ask which of these the student may read now; texts of those that they may not are deleted.

        Raises `ReconnectRequired` and `SealBroken`.
        """
        found = self._sources.verify(student_id, records)
        closed = [record for record in records if record.material.id in found.closed]
        if closed:
            self._originals.drop(student_id)
            self._repository.drop_texts(student_id, closed, locked=_closed())
        return found

    def touch(self, student_id: str, record: CourseRecord) -> None:
        """Note that the student has asked for a course, for its retention; and let a sleeping one be read again."""
        now = self._clock()
        if record.used_at is None or now - record.used_at >= USED_EVERY:
            wakes = record.mode == "ahead" and record.due_at is None and not record.is_paused
            changes = {"used_at": now, **({"due_at": now} if wakes else {})}
            self._repository.update_course(student_id, record.course.key, changes)

    def _begin(self, student_id: str, record: CourseRecord) -> Future[tuple[str, ...]]:
        key = (student_id, record.course.key)
        with self._lock:
            if running := self._running.get(key):
                return running
            started = self._running[key] = self._pool.submit_for(student_id, self._refresh, student_id, record)
        started.add_done_callback(lambda _: self._end(key))
        return started

    def _end(self, key: tuple[str, str]) -> None:
        with self._lock:
            self._running.pop(key, None)

    def _refresh(self, student_id: str, record: CourseRecord) -> tuple[str, ...]:
        at = self._clock()
        try:
            listing = self._sources.open(student_id, record.source).listing(record.course.key)
        except (PermissionMissing, ItemNotFound):
            known = self._repository.materials(student_id, [record.course.key])
            mine = [r for r in known if r.source == record.source]
            self._repository.drop_texts(student_id, mine, locked=_closed())
            self._repository.update_course(student_id, record.course.key, {"is_current": False, "listed_at": at})
            self._repository.recount(student_id, record.course.key)
            raise
        is_whole = not listing.notes
        self._repository.save_listing(student_id, record, listing.materials, is_whole=is_whole, at=at)
        if not is_whole:
            # What is not listed may be gone, or stand in the part that could not be listed.
            known = self._repository.materials(student_id, [record.course.key])
            self.verify(student_id, [r for r in known if r.source == record.source and r.reading and not r.is_listed])
        return tuple(listing.notes)


def _is_lost(record: CourseRecord, accounts: Mapping[str, str]) -> bool:
    """Whether the account through which a course was seen is not connected any more."""
    account = accounts.get(record.source)
    return record.source != SHELF and (account is None or not is_same_account(account, record.account))


def _closed() -> str:
    return gettext("You cannot read this any more.")
