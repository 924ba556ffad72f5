"""`Audience`: how many pages of this process follow turns now, and how often each of them is told something new."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

UPDATE_S = 1 / 12
"""Between two views with words, given to one page: every drawn update costs the browser and the server time."""
TOGETHER = 150
"""Updates a second for all pages together: each takes a millisecond of the one interpreter that all share."""
LONGEST_UPDATE_S = 0.5
"""Words still flow when they come twice a second."""


class Audience:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages = 0

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """A page follows for as long as this lasts."""
        with self._lock:
            self._pages += 1
        try:
            yield
        finally:
            with self._lock:
                self._pages -= 1

    @property
    def update_s(self) -> float:
        return update_s(self._pages)


def update_s(pages: int) -> float:
    """Between two views for each of so many pages: 12 a second for up to twelve of them, 3 for fifty, never below 2."""
    return min(LONGEST_UPDATE_S, max(UPDATE_S, pages / TOGETHER))
