"""`FirstReadings`: what quick services told of a day while slow ones have not answered."""

import threading
from collections.abc import Callable, Sequence
from types import TracebackType

from services.week.day_sources import SourceReading

AFTER_S = 2.0
"""Seconds: quicker than that all services are waited for, as a page that fills in steps is harder to read."""


class FirstReadings:
    """Collector of readings, a context manager: what has come is given to `save` after `AFTER_S`, and again
    where more came since, on a thread of its own and never after the block's end.
    """

    def __init__(self, save: Callable[[Sequence[SourceReading]], None]) -> None:
        self._save = save
        self._readings: list[SourceReading] = []
        self._timer: threading.Timer | None = None
        self._lock, self._is_over = threading.Lock(), False

    def add(self, reading: SourceReading) -> None:
        with self._lock:
            self._readings.append(reading)
            if self._timer is None:
                self._timer = threading.Timer(AFTER_S, self._save_now)
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
                self._save(tuple(self._readings))
