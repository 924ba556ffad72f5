"""`PriorityLimiter`: who may keep the interpreter busy first, when many students send at the same moment."""

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
    """From the most urgent: the model is asked before anything is drawn, words are shown before a turn is tidied up."""

    REQUEST = 0
    SEND = 1
    PAGE = 2
    END = 3


class PriorityLimiter:
    """Python runs one thread at a time and hands on blindly, so that fifty pieces that begin together all end late.

    One after another, half of them end in half of the time. Words that only pass through go around the limiter.
    """

    def __init__(self, *, width: int = WIDTH, patience_s: float = PATIENCE_S) -> None:
        self._width = width
        self._patience_s = patience_s
        self._guard = threading.Lock()
        self._inside: dict[Slot, float] = {}
        self._line: list[tuple[Priority, int, Slot]] = []
        self._numbers = itertools.count()
        self._thread = threading.local()

    def acquire(self, rank: Priority) -> "Slot":
        """Wait until it is one's turn, at most `PATIENCE_S`. Use it as a context, or `leave` it."""
        mine = Slot(self)
        place = (rank, next(self._numbers), mine)
        with self._guard:
            heapq.heappush(self._line, place)
            self._admit()
        if not mine.called.wait(self._patience_s):
            with self._guard:
                if place in self._line:
                    self._line.remove(place)
                    heapq.heapify(self._line)
        self._thread.latest = mine
        return mine

    def release_current(self) -> None:
        """Let the next one in, where the rest of what this thread has entered for can go on beside it."""
        latest: Slot | None = getattr(self._thread, "latest", None)
        if latest is not None:
            self._thread.latest = None
            latest.release()

    def release(self, slot: "Slot") -> None:
        with self._guard:
            self._inside.pop(slot, None)
            self._admit()

    def _admit(self) -> None:
        now = time.monotonic()
        if self._line and len(self._inside) >= self._width:
            self._inside = {one: until for one, until in self._inside.items() if until > now}
        while self._line and len(self._inside) < self._width:
            _, _, first = heapq.heappop(self._line)
            self._inside[first] = now + self._patience_s
            first.called.set()


class Slot:
    """One piece of work on its way through."""

    def __init__(self, limiter: PriorityLimiter) -> None:
        self._turnstile = limiter
        self.called = threading.Event()

    def release(self) -> None:
        """Let the next one in; a second time it does nothing."""
        self._turnstile.release(self)

    def __enter__(self) -> "Slot":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


CPU_SLOTS = PriorityLimiter()
"""The one of this process, since it has one interpreter."""
