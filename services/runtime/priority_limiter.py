"""Semaphore with priorities, for work that keeps the CPU busy when many students send at the same moment."""

import heapq
import itertools
import threading
import time
from enum import IntEnum

WIDTH = 2
"""Pieces at once: one that computes, one that waits for the disk meanwhile."""
PATIENCE_S = 0.5
"""Nobody waits for longer, and nobody counts as inside for longer: it is a courtesy, never a lock."""


class Priority(IntEnum):
    """Priorities from the most urgent: the model is asked before anything is drawn, words are shown before a turn is
    tidied up.
    """

    REQUEST = 0
    SEND = 1
    PAGE = 2
    END = 3


class PriorityLimiter:
    """Semaphore that serves waiting threads by priority, then by arrival.

    Python runs one thread at a time and switches blindly, so that fifty pieces that begin together all end late. One
    after another, half of them end in half of the time. Text that is only passed on does not take a slot.
    """

    def __init__(self, *, width: int = WIDTH, patience_s: float = PATIENCE_S) -> None:
        self._width = width
        self._patience_s = patience_s
        self._guard = threading.Lock()
        self._holders: dict[Slot, float] = {}
        self._queue: list[tuple[Priority, int, Slot]] = []
        self._numbers = itertools.count()
        self._thread = threading.local()

    def acquire(self, priority: Priority) -> "Slot":
        """Wait for a slot, at most `patience_s`; the slot is a context manager."""
        slot = Slot(self)
        place = (priority, next(self._numbers), slot)
        with self._guard:
            heapq.heappush(self._queue, place)
            self._admit()
        if not slot.called.wait(self._patience_s):
            with self._guard:
                if place in self._queue:
                    self._queue.remove(place)
                    heapq.heapify(self._queue)
        self._thread.latest = slot
        return slot

    @property
    def waiting(self) -> int:
        """How many wait for a slot."""
        with self._guard:
            return len(self._queue)

    def release_current(self) -> None:
        """Release the slot that this thread took last, where the rest of its work may run beside others."""
        latest: Slot | None = getattr(self._thread, "latest", None)
        if latest is not None:
            self._thread.latest = None
            latest.release()

    def release(self, slot: "Slot") -> None:
        with self._guard:
            self._holders.pop(slot, None)
            self._admit()

    def _admit(self) -> None:
        now = time.monotonic()
        if self._queue and len(self._holders) >= self._width:
            self._holders = {slot: until for slot, until in self._holders.items() if until > now}
        while self._queue and len(self._holders) < self._width:
            _, _, first = heapq.heappop(self._queue)
            self._holders[first] = now + self._patience_s
            first.called.set()


class Slot:
    """Slot that one piece of work holds or waits for."""

    def __init__(self, limiter: PriorityLimiter) -> None:
        self._limiter = limiter
        self.called = threading.Event()

    def release(self) -> None:
        """Give the slot back; a second time it does nothing."""
        self._limiter.release(self)

    def __enter__(self) -> "Slot":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


CPU_SLOTS = PriorityLimiter()
"""CPU slots of this process, shared by all of its work, since it has one interpreter."""
