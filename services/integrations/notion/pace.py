"""`Pace`: how one workspace's calls wait together when Notion asks us to slow down (R33)."""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.integrations.deadline import Deadline
from services.integrations.notion.problems import slow_down

DEFAULT_WAIT_S = 1.0
"""How long to be quiet when Notion does not say."""
MOST_WORKSPACES = 1_000


class Pace:
    """While Notion wants quiet, the requests of a workspace wait, and then go one after the other, never side by side.

    `clock` is replaced in tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._quiet_until = 0.0
        self._line = threading.Lock()

    def wait_s(self) -> float:
        """Seconds until requests are welcome again."""
        return max(0.0, self._quiet_until - self._clock())

    def slow_down(self, wait_s: float | None) -> None:
        """Notion refused a request and wants `wait_s` seconds of quiet."""
        self._quiet_until = max(self._quiet_until, self._clock() + (wait_s or DEFAULT_WAIT_S))

    @contextmanager
    def turn(self, deadline: Deadline) -> Iterator[None]:
        """The time for one request: now, or in line after the quiet; raises `Throttled` when that is too late."""
        if not self.wait_s():
            yield
            return
        if not self._line.acquire(timeout=deadline.remaining_s()):
            raise slow_down(self.wait_s())
        try:
            if (wait_s := self.wait_s()) and not deadline.pause(0, wait_s):
                raise slow_down(wait_s)
            yield
        finally:
            self._line.release()


_paces: OrderedDict[str, Pace] = OrderedDict()
_known = threading.Lock()


def pace_of(token: str) -> Pace:
    """The pace that all calls with this token share in this process."""
    key = hashlib.sha256(token.encode()).hexdigest()
    with _known:
        pace = _paces.setdefault(key, Pace())
        _paces.move_to_end(key)
        while len(_paces) > MOST_WORKSPACES:
            _paces.popitem(last=False)
    return pace
