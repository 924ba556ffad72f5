"""Queue of those who wait for a reader process: shared by student, so that nobody's files hold up everybody's."""

import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_OWNER: ContextVar[str] = ContextVar("reader_owner", default="")


@contextmanager
def reading_for(owner: str) -> Iterator[None]:
    """What is read within counts for this owner, mostly a student's id."""
    token = _OWNER.set(owner)
    try:
        yield
    finally:
        _OWNER.reset(token)


def reading_owner() -> str:
    """Whom a reading counts for; "" where nobody was named."""
    return _OWNER.get()


class ReaderQueue:
    """Fair semaphore: `places` at once, all but one of them for the same owner, and the owners take turns. Thread-safe.

    Within an owner the first who came is the first who is let in.
    """

    def __init__(self, places: int) -> None:
        self._places, self._most_of_owner = places, max(1, places - 1)
        self._changed = threading.Condition()
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[object]] = OrderedDict()

    def acquire(self, owner: str, timeout_s: float) -> bool:
        """Wait for a place; False when none came within the time."""
        ticket, until = object(), time.monotonic() + timeout_s
        with self._changed:
            self._waiting.setdefault(owner, deque()).append(ticket)
            try:
                while not self._is_next(owner, ticket):
                    left_s = until - time.monotonic()
                    if left_s <= 0 or not self._changed.wait(left_s):
                        return False
                self._running[owner] += 1
                return True
            finally:
                self._leave(owner, ticket)
                self._changed.notify_all()

    def release(self, owner: str) -> None:
        """Give a place back."""
        with self._changed:
            self._running[owner] -= 1
            self._running += Counter()
            self._changed.notify_all()

    def _is_next(self, owner: str, ticket: object) -> bool:
        if self._running.total() >= self._places or self._running[owner] >= self._most_of_owner:
            return False
        ready = [other for other in self._waiting if self._running[other] < self._most_of_owner]
        fewest = min(ready, key=lambda other: self._running[other])
        return fewest == owner and self._waiting[owner][0] is ticket

    def _leave(self, owner: str, ticket: object) -> None:
        """Take a ticket out, and put its owner behind the others."""
        self._waiting[owner].remove(ticket)
        self._waiting.move_to_end(owner)
        if not self._waiting[owner]:
            del self._waiting[owner]
