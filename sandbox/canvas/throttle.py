"""Canvas's throttle: a bucket for each token that every request fills and that leaks all the time."""

import threading
import time

from sandbox.canvas.answers import throttled
from sandbox.state import State

REQUEST_COST = 1.0


class Throttle:
    """Refuses requests of a token whose bucket is over the limit; off until a test sets one.

    https://developerdocs.instructure.com/services/canvas/basics/file.throttling
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, token: str) -> None:
        """Count a request; raises `Refused` when it is too much."""
        limits = self._state.get("canvas.settings", "throttle")
        if not limits or not limits["limit"]:
            return
        now = time.monotonic()
        with self._lock:
            level, since = self._buckets.get(token, (0.0, now))
            level = max(0.0, level - (now - since) * limits["per_second"])
            is_full = level >= limits["limit"]
            self._buckets[token] = (level if is_full else level + REQUEST_COST, now)
        if is_full:
            raise throttled()
