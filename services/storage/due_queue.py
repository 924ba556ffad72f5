"""`DueQueue`: due work of all students in one collection: the oldest first, each student in turn, and it moves on."""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import chain, islice, zip_longest

from services.runtime.clock import Clock, stamp
from services.storage.documents import Where
from services.storage.record_guard import FIRST_REST
from services.storage.store import OwnedId, Store

ROUND_S = 10.0
"""After so long a round ends, and the next one begins with whoever has waited: other jobs wait for it."""
_MOST_PAGES = 40
_MOST_SERVED = 2_000
"""Students who are remembered to have had their place in this turn."""

Work = Callable[[str, str], object]
"""Does what is due for a student's record; takes the ids of both."""


@dataclass(kw_only=True, eq=False)
class DueQueue:
    """Queue of the records whose stamp in `due_field` has come. job: as it is logged and counted.

    A student has one place in each turn, whatever number of records: 200 of one student delay each other student by one
    place. A record that fails, or that its work leaves due, is put off, so that it is not in front again. moves:
    whether `due_field` may be changed for that; one that means more than "when to look", such as the time of a
    deletion, may not: a record that fails is then left alone by this process for as long.
    """

    store: Store
    job: str
    collection: str
    due_field: str
    clock: Clock
    where: Where = field(default_factory=dict)
    moves: bool = True
    monotonic: Callable[[], float] = time.monotonic
    _served: dict[str, None] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def run(self, work: Work, *, limit: int, age: timedelta = timedelta()) -> int:
        """Do what is due, up to `limit` records and for some seconds; how many were looked at.

        age: how long their stamps must be over. Raises `StorageUnavailable` when the store is away.
        """
        ends, done = self.monotonic() + ROUND_S, 0
        for record in self.take(limit, age=age):
            self.work_on(record, work)
            done += 1
            if self.monotonic() > ends:
                break
        return done

    def take(self, limit: int, *, age: timedelta = timedelta(), without: Collection[str] = ()) -> Sequence[OwnedId]:
        """Records that are due, without those of some students: the first one of each student, then the second ones.

        Students who had their place in this turn come after those who had not.
        """
        with self._lock:
            served = set(self._served)
        lanes: dict[str, list[OwnedId]] = {}
        for page in self._pages(limit, age, served | set(without)):
            for record in page:
                if record.student not in without:
                    lanes.setdefault(record.student, []).append(record)
            if len(lanes.keys() - served) >= limit:
                break
        if served and lanes.keys() <= served:
            with self._lock:
                self._served.clear()
            return self.take(limit, age=age, without=without)
        ordered = sorted(lanes.values(), key=lambda lane: lane[0].student in served)
        places = chain.from_iterable(zip_longest(*ordered))
        return list(islice((record for record in places if record is not None), limit))

    def work_on(self, record: OwnedId, work: Work) -> None:
        """Do the work on a record in its student's place; one that is still due afterwards comes again later."""
        if self.attempt(record, work) and self.moves:
            self._move_on(record, FIRST_REST)

    def attempt(self, record: OwnedId, work: Work) -> bool:
        """Do the work on a record in its student's place; whether it was done. One that fails is put off."""
        self.note_place(record.student)
        is_done = self.store.guard.run(self.job, self.collection, _key(record), lambda: work(record.student, record.id))
        if not is_done and self.moves:
            self.put_off(record)
        return is_done

    def note_place(self, student_id: str) -> None:
        """Note that a student had their place in this turn."""
        with self._lock:
            self._served[student_id] = None
            if len(self._served) > _MOST_SERVED:
                self._served.clear()

    def put_off(self, record: OwnedId) -> None:
        """Look at a record that failed later, unless its work has moved it; what cannot be written rests here."""
        trouble = (self.job, self.collection, _key(record))
        with suppress(ValueError, TypeError, LookupError):
            self._move_on(record, self.store.guard.pause(*trouble))
            self.store.guard.wake(*trouble)

    def _move_on(self, record: OwnedId, pause: timedelta) -> None:
        """Let a record that its work has left as it was come again later, behind what waits."""
        now = self.clock()
        expected, changes = {self.due_field: {"$lte": stamp(now)}}, {self.due_field: stamp(now + pause)}
        self.store.for_student(record.student).compare_and_set(self.collection, record.id, expected, changes)

    def _pages(self, limit: int, age: timedelta, later: set[str]) -> Iterator[list[OwnedId]]:
        """Due records, the oldest first; after the first page without the students of the pages before, and `later`.

        Only a page that is full is followed by another one: whoever has thousands fills one page, not all.
        """
        due, guard = {**self.where, self.due_field: {"$lte": stamp(self.clock() - age)}}, self.store.guard
        limit += len(guard.resting(self.job, self.collection))
        without: set[str] = set()
        for _ in range(_MOST_PAGES):
            page = self.store.owned_page(
                self.collection, due, order=[(self.due_field, 1)], limit=limit, without=without
            )
            yield [row for row in page.records if not guard.is_resting(self.job, self.collection, _key(row))]
            if not page.is_full:
                return
            without |= later | {row.student for row in page.records} or {_NOBODY}


_NOBODY = "/"
"""No student has this id."""


def _key(record: OwnedId) -> str:
    return f"{record.student}/{record.id}"
