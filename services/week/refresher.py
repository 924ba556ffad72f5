"""`WeekRefresher`: reads a student's days anew behind the page that shows them as they were last read."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import datetime
from types import TracebackType
from zoneinfo import ZoneInfo

from services.connections.connection import Connection
from services.connections.connections import Connections
from services.errors import StorageError
from services.i18n import locale_scope
from services.identity.students import Student
from services.runtime.clock import Clock
from services.runtime.logs import error_location
from services.runtime.thread_pools import DaemonPool
from services.storage.store import Store
from services.study.overview import StudyDay
from services.week.day_sources import DayPart, SourceReading, read_sources
from services.week.moved_dates import MovedDates
from services.week.part_calls import ToolGatewayPort
from services.week.snapshots import WeekSnapshots, account_stamps
from services.week.today import PendingCard, Today, make_today
from services.week.week import WeekEntry

log = logging.getLogger(__name__)

FIRST_AFTER_S = 2.0
"""Seconds: quicker than that all services are waited for, as a page that fills in steps is harder to read."""
MOST_READINGS = 3
AT_ONCE = 2
"""Students whose days are read at the same time: when a whole class opens the page, drawing it goes first."""


class WeekRefresher:
    """Reader of students' days into their snapshots; one reading for each student at a time in this process."""

    def __init__(
        self,
        *,
        gateway: ToolGatewayPort,
        connections: Connections,
        store: Store,
        study_day: Callable[[Student], StudyDay],
        clock: Clock,
    ) -> None:
        """study_day: what a student is to practise today, from the store."""
        self._gateway, self._connections, self._clock = gateway, connections, clock
        self._study_day = study_day
        self._snapshots, self._moved_dates = WeekSnapshots(store, clock), MovedDates(store, clock)
        self._pool = DaemonPool("week-refresh", AT_ONCE)
        self._lock = threading.Lock()
        self._waiting: dict[str, list[Callable[[], None]]] = {}

    def today(
        self,
        student: Student,
        connections: Mapping[str, Connection],
        *,
        since: datetime | None = None,
        waiting: Sequence[PendingCard] = (),
    ) -> Today:
        """Today as of the last snapshot and with today's practice, from the store alone."""
        snapshot = self._snapshots.latest(student, connections)
        now = self._clock().astimezone(ZoneInfo(student.timezone))
        return make_today(
            snapshot, now, locale=student.locale, since=since, waiting=waiting, study=self._study_day(student)
        )

    def entry(self, student: Student, key: str) -> WeekEntry | None:
        """Work or an event as its service tells it now, by `WeekEntry.key`; as it was last read where that is away."""
        connections = self._connections.all(student.id)
        if not self._snapshots.latest(student, connections).is_current:
            self.refresh(student)
            connections = self._connections.all(student.id)
        return self._snapshots.latest(student, connections).entry(key)

    def refresh(self, student: Student) -> None:
        """Read the student's days from their services into the snapshot, and wait for it; once more where they have
        connected or disconnected one meanwhile. Raises `StorageError`.
        """
        with locale_scope(student.locale):
            connections = self._connections.all(student.id)
            for _ in range(MOST_READINGS):
                self._read(student, connections)
                read, connections = account_stamps(connections), self._connections.all(student.id)
                if account_stamps(connections) == read:
                    break

    def _read(self, student: Student, connections: Mapping[str, Connection]) -> None:
        def save(found: Sequence[SourceReading], awaited: frozenset[DayPart]) -> None:
            with suppress(StorageError):
                if self._snapshots.save_first_readings(student, found, connections, awaited=awaited):
                    self._tell(student)

        with FirstReadings(save) as first:
            readings = read_sources(self._gateway, student, self._clock(), on_reading=first.add)
        due = [entry for reading in readings for entry in reading.entries if not entry.is_done]
        accounts = account_stamps(connections)
        self._moved_dates.note(student, due, accounts)
        moves = SourceReading(source="moved", changes=self._moved_dates.moves(student, accounts))
        self._snapshots.save_readings(student, [*readings, moves], connections)

    def refresh_behind(self, student: Student, when_read: Callable[[], None]) -> None:
        """Refresh on another thread, joining a reading that is under way. `when_read` is called however it ends, and
        before when the first services have answered, nothing was known and others take long.
        """
        with self._lock:
            is_new = student.id not in self._waiting
            self._waiting.setdefault(student.id, []).append(when_read)
        if is_new:
            self._pool.submit_for(student.id, self.refresh, student).add_done_callback(
                lambda done: self._end(student, done)
            )

    def _end(self, student: Student, done: "Future[None]") -> None:
        if isinstance(error := done.exception(), Exception):
            log.warning("week_not_refreshed at=%s", error_location(error))
        self._tell(student, is_over=True)

    def _tell(self, student: Student, *, is_over: bool = False) -> None:
        with self._lock:
            waiting = self._waiting.pop(student.id, []) if is_over else list(self._waiting.get(student.id, []))
        for when_read in waiting:
            when_read()


class FirstReadings:
    """Collector of readings, a context manager: what has come is given to `save` after `FIRST_AFTER_S`, and again
    where more came since, on a thread of its own and never after the block's end.
    """

    def __init__(self, save: Callable[[Sequence[SourceReading], frozenset[DayPart]], None]) -> None:
        self._save = save
        self._readings: list[SourceReading] = []
        self._awaited: frozenset[DayPart] = frozenset()
        self._timer: threading.Timer | None = None
        self._lock, self._is_over = threading.Lock(), False

    def add(self, reading: SourceReading | None, awaited: frozenset[DayPart]) -> None:
        with self._lock:
            self._awaited = awaited
            if reading is None:
                return
            self._readings.append(reading)
            if self._timer is None:
                self._timer = threading.Timer(FIRST_AFTER_S, self._save_now)
                self._timer.daemon = True
                self._timer.start()

    def __enter__(self) -> "FirstReadings":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._lock:
            self._is_over = True
            if self._timer is not None:
                self._timer.cancel()

    def _save_now(self) -> None:
        with self._lock:
            self._timer = None
            if not self._is_over:
                self._save(tuple(self._readings), self._awaited)
