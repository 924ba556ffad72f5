"""How long work takes as what it works on grows: hostile text must cost time in proportion, never in squares."""

import time
from collections.abc import Callable

GARBAGE_S = 0.02
"""Below this a time says more about the collection of garbage than about the work."""


def growth(work: Callable[[int], object], *, size: int, times: int = 8) -> float:
    """By what factor the processor time of `work` grows when its size does by `times`; that is 8 for linear work."""
    small, large = (min(_seconds(work, many) for _ in range(2)) for many in (size, size * times))
    return large / max(small, GARBAGE_S)


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.thread_time()
    work(size)
    return time.thread_time() - began
