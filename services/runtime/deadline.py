"""Deadline with retry pauses: how long one tool call may go on trying, over all its requests."""

import random
import time
from collections.abc import Callable

FIRST_PAUSE_S = 0.25
"""Before the second try, give or take a half; twice as long before each further one."""
LEAST_TRY_S = 0.5
"""With less time left no further try is made."""


class Deadline:
    """Deadline of `seconds` from now; `clock` and `sleep` are replaced in tests."""

    def __init__(
        self,
        seconds: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._ends = clock() + seconds

    def remaining_s(self) -> float:
        return max(0.0, self._ends - self._clock())

    def pause(self, attempt: int, at_least_s: float | None = None) -> bool:
        """Wait before try number `attempt` + 1, longer each time, never less than the service asked for.

        False, at once, when that wait would not leave time for another try.
        """
        delay_s = max(at_least_s or 0.0, min(4.0, FIRST_PAUSE_S * 2**attempt) * random.uniform(0.5, 1.5))
        if delay_s + LEAST_TRY_S > self.remaining_s():
            return False
        self._sleep(delay_s)
        return True
