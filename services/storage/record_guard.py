"""`RecordGuard`: error boundary around the work on one record, so that a poison message stops no job."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

from services.errors import HomeroomError, RecordUnreadable, StorageUnavailable
from services.runtime.clock import Clock, utc_now
from services.runtime.logs import error_location
from services.runtime.metrics_registry import RECORDS_PASSED_OVER, MetricsRegistry
from services.storage.documents import Document
from services.storage.unreadable_records import log_id

log = logging.getLogger(__name__)

FIRST_REST, LONGEST_REST = timedelta(minutes=1), timedelta(hours=1)
"""How long a record is left alone after it has failed; twice as long after each further time."""
MOST_OUTAGES = 3
"""Records in a row for which the store did not answer; more of them mean that it is away, and the job ends."""
_MOST_REMEMBERED = 10_000

Read = TypeVar("Read")
Trouble = tuple[str, str, str]
"""The job, the collection, and the id of a record."""


class RecordGuard:
    """Logs a record that cannot be read or finished once, by its id, counts it each time, and lets the job go on.

    It remembers what failed until that succeeds: `pause` grows from time to time, and `is_resting` says for how long
    the record is not tried again by this process.
    """

    def __init__(self, registry: MetricsRegistry | None = None, clock: Clock = utc_now) -> None:
        self._registry, self._clock = registry or MetricsRegistry(), clock
        self._lock = threading.Lock()
        self._failures: OrderedDict[Trouble, tuple[int, datetime]] = OrderedDict()
        self._outages: dict[str, int] = {}

    def run(self, job: str, collection: str, id: object, work: Callable[[], object]) -> bool:
        """Do the work on a record; whether it was done. Raises `StorageUnavailable` once the store is plainly away."""
        trouble = (job, collection, str(id))
        try:
            work()
        except StorageUnavailable as error:
            with self._lock:
                self._outages[job] = self._outages.get(job, 0) + 1
                is_away = self._outages[job] >= MOST_OUTAGES
            if is_away:
                raise
            self._note(trouble, error)
            return False
        except Exception as error:
            self._note(trouble, error)
            return False
        with self._lock:
            self._failures.pop(trouble, None)
            self._outages.pop(job, None)
        return True

    def read(
        self, job: str, collection: str, documents: Iterable[Document], read: Callable[[Document], Read]
    ) -> Iterator[Read]:
        """What `read` makes of each document; those that it cannot read are passed over."""
        results: list[Read] = []
        for document in documents:
            if self.run(job, collection, document.get("id"), partial(_append, results, read, document)):
                yield results.pop()

    def work_through(
        self, job: str, collection: str, documents: Iterable[Document], work: Callable[[Document], Read]
    ) -> Iterator[Read]:
        """As `read`, for work that is not repeated in each round: what failed lately is left alone."""
        rested = (found for found in documents if not self.is_resting(job, collection, str(found.get("id"))))
        return self.read(job, collection, rested, work)

    def pause(self, job: str, collection: str, id: str) -> timedelta:
        """How long a record that has just failed is to be left alone."""
        with self._lock:
            failures, _ = self._failures.get((job, collection, id), (1, None))
        return _rest(failures)

    def is_resting(self, job: str, collection: str, id: str) -> bool:
        """Whether a record failed so lately that it is not tried yet."""
        now = self._clock()
        with self._lock:
            _, until = self._failures.get((job, collection, id), (0, now))
        # A later time than the longest rest is from before the clock was set back.
        return now < until <= now + LONGEST_REST

    def wake(self, job: str, collection: str, id: str) -> None:
        """Let the store say when a record is tried again: its due time is a later one by now."""
        trouble = (job, collection, id)
        with self._lock:
            if trouble in self._failures:
                self._failures[trouble] = self._failures[trouble][0], self._clock()

    def resting(self, job: str, collection: str) -> Sequence[str]:
        """Ids of the records of a collection that this job leaves alone."""
        now = self._clock()
        with self._lock:
            known = list(self._failures.items())
        return [trouble[2] for trouble, (_, until) in known if trouble[:2] == (job, collection) and until > now]

    def _note(self, trouble: Trouble, error: Exception) -> None:
        job, collection, id = trouble
        self._registry.count(RECORDS_PASSED_OVER, job, collection)
        with self._lock:
            failures = self._failures.pop(trouble, (0, None))[0] + 1
            self._failures[trouble] = failures, self._clock() + _rest(failures)
            while len(self._failures) > _MOST_REMEMBERED:
                self._failures.popitem(last=False)
        if failures == 1:
            is_damaged = isinstance(error, RecordUnreadable) or not isinstance(error, HomeroomError)
            level = logging.ERROR if is_damaged else logging.WARNING
            message = "record_passed_over job=%s collection=%s record=%s at=%s"
            log.log(level, message, job, collection, log_id(id), error_location(error))


def _append(results: list[Read], read: Callable[[Document], Read], document: Document) -> None:
    results.append(read(document))


def _rest(failures: int) -> timedelta:
    return min(FIRST_REST * float(2 ** min(failures - 1, 10)), LONGEST_REST)
