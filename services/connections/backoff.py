"""Backoff after a service's 429 (Too Many Requests), shared by all requests of one account.

This obeys the limits of others; limits of our own are in `services.runtime.rate_limiter`.
"""

import logging
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial

from services.connections import messages
from services.connections.connection import Connection
from services.errors import StorageError, Throttled
from services.runtime.clock import Clock, stamp, utc_now
from services.runtime.deadline import Deadline
from services.storage.documents import Document

log = logging.getLogger(__name__)

Update = Callable[[str, str, Callable[[Connection], Document | None]], None]
"""Changes the document of a student's connection, unless it is given None."""

DEFAULT_WAIT_S = 1.0
"""Pause when the service does not say how long."""
MOST_WAIT_S = 3600.0
"""No service is believed that wants more: a mistake of its own would shut a student out."""
WORTH_TELLING_S = 1.0
ONE_BY_ONE_FOR = timedelta(seconds=30)
MOST_ACCOUNTS = 1_000


class Backoff:
    """Backoff of one account: while the service wants quiet, its requests wait, then they go one by one for a while.

    tell: is given the end of each new quiet that is worth keeping for other replicas.
    """

    def __init__(self, clock: Clock = utc_now, tell: Callable[[datetime], None] = lambda until: None) -> None:
        self._clock = clock
        self._tell = tell
        self._quiet_until: datetime | None = None
        self._one_by_one_until: datetime | None = None
        self._line = threading.Lock()

    def wait_s(self) -> float:
        """Seconds until requests are welcome again."""
        until = self._quiet_until
        return max(0.0, (until - self._clock()).total_seconds()) if until else 0.0

    def learn(self, until: datetime | None) -> bool:
        """Another replica was asked for quiet until then; False when that was known."""
        if until is None or (self._quiet_until and until <= self._quiet_until):
            return False
        self._quiet_until = until
        return True

    def slow_down(self, wait_s: float | None) -> None:
        """The service refused a request and wants `wait_s` seconds of quiet."""
        wait_s = min(wait_s or DEFAULT_WAIT_S, MOST_WAIT_S)
        until = self._clock() + timedelta(seconds=wait_s)
        self._one_by_one_until = until + ONE_BY_ONE_FOR
        if self.learn(until) and wait_s >= WORTH_TELLING_S:
            self._tell(until)

    def go_one_by_one(self) -> None:
        """The service has little patience left: requests side by side could use it up."""
        self._one_by_one_until = self._clock() + ONE_BY_ONE_FOR

    @property
    def is_strained(self) -> bool:
        """Whether the service wants quiet or has little patience left: what can wait is not asked for now."""
        return self.wait_s() > 0 or self._is_one_by_one()

    @contextmanager
    def request_slot(self, deadline: Deadline, service: str) -> Iterator[None]:
        """The time for one request: now, or in line, after the quiet; raises `Throttled` when that is too late.

        service: its label, for the sentence.
        """
        if not self.is_strained:
            yield
            return
        if not self._line.acquire(timeout=deadline.remaining_s()):
            raise throttled(service, self.wait_s())
        try:
            if (wait_s := self.wait_s()) and not deadline.pause(0, wait_s):
                raise throttled(service, wait_s)
            yield
        finally:
            self._line.release()

    def _is_one_by_one(self) -> bool:
        return self._one_by_one_until is not None and self._clock() < self._one_by_one_until


class Backoffs:
    """LRU cache of the backoffs of accounts that this process has used lately, so that all calls share them."""

    def __init__(self) -> None:
        self._backoffs: OrderedDict[Hashable, Backoff] = OrderedDict()
        self._lock = threading.Lock()

    def get_or_make(self, account: Hashable, make: Callable[[], Backoff]) -> Backoff:
        with self._lock:
            backoff = self._backoffs.get(account) or self._backoffs.setdefault(account, make())
            self._backoffs.move_to_end(account)
            while len(self._backoffs) > MOST_ACCOUNTS:
                self._backoffs.popitem(last=False)
            return backoff


class AccountBackoffs:
    """Backoffs of students' accounts: all calls to one share it here at once, in other replicas with the next read."""

    def __init__(self, clock: Clock, update: Update) -> None:
        """update: changes the document of a student's connection."""
        self._clock, self._update, self._backoffs = clock, update, Backoffs()

    def of(self, student_id: str, connection: Connection) -> Backoff:
        id = connection.integration
        account = (student_id, id, connection.connected_at)
        backoff = self._backoffs.get_or_make(
            account, lambda: Backoff(self._clock, partial(self._keep_quiet, student_id, id))
        )
        backoff.learn(connection.quiet_until)
        return backoff

    def _keep_quiet(self, student_id: str, integration: str, until: datetime) -> None:
        def longer_quiet(now: Connection) -> Document | None:
            return None if now.quiet_until and now.quiet_until >= until else {"quiet_until": stamp(until)}

        try:
            self._update(student_id, integration, longer_quiet)
        except StorageError:
            # Other replicas may ask the service once more, and are told the same.
            log.warning("quiet_not_told integration=%s", integration)


def throttled(service: str, wait_s: float | None) -> Throttled:
    """The error when the service's limit is reached, and waiting `wait_s` seconds
    would take longer than this call may.
    """
    whole_s = math.ceil(min(wait_s, MOST_WAIT_S)) if wait_s else None
    return Throttled(service, messages.asks_to_slow_down(service, whole_s), retry_after_s=whole_s)
