"""Worker threads for blocking calls of the HTTP API: bounded pools with a queue limit and a deadline."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from api.errors import ApiError
from services.i18n import gettext
from services.runtime.thread_pools import ThreadPools

POOL_SIZE = 16
"""Threads for each kind of work: a service that hangs takes those of its own kind only."""
MOST_IN_LINE = 64
"""Jobs of one kind that run or wait; more are turned away at once."""

Result = TypeVar("Result")


class Workers:
    def __init__(self, *, size: int = POOL_SIZE, most_in_line: int = MOST_IN_LINE) -> None:
        self._pools = ThreadPools(size)
        self._most_in_line = most_in_line
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    async def run(
        self,
        kind: str,
        deadline_s: float,
        function: Callable[..., Result],
        *arguments: object,
        on_end: Callable[[], None] = lambda: None,
        lane: str = "",
    ) -> Result:
        """Run a blocking function on a thread; raises `ApiError` 503 when too much is in line, 504 at the deadline.

        Work that has begun is not broken off by its deadline: it ends by itself, and nobody waits for it any more.
        on_end: called when the work has ended or will never begin, on whatever thread. lane: for whom it is; what waits
        for them delays each other lane by one place.
        """
        if not self._lines_up(kind):
            on_end()
            raise ApiError(503, "busy", gettext("Too much is going on just now. Try again in a moment."))
        future = self._pools.get_pool(f"api-{kind}").submit_for(lane, function, *arguments)
        future.add_done_callback(lambda _: self._leaves(kind))
        future.add_done_callback(lambda _: on_end())
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), deadline_s)
        except TimeoutError:
            message = gettext("This took too long. It may still come to an end; look before you repeat a change.")
            raise ApiError(504, "timed_out", message) from None

    def _lines_up(self, kind: str) -> bool:
        with self._lock:
            has_room = self._open[kind] < self._most_in_line
            self._open[kind] += has_room
            return has_room

    def _leaves(self, kind: str) -> None:
        with self._lock:
            self._open[kind] -= 1
