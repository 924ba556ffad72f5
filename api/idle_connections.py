"""Ends connections on which nothing comes: uvicorn waits for a request for as long as the process lives (R61)."""

import asyncio
import time
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from services.runtime.capacity import Headroom

SWEEP_S = 2.0
REQUEST_S = 20.0
"""For the head of a request, from the first word or from the last answer."""
PRESSED_S = 2.0
"""The same while files run short."""
BODY_S = 900.0
"""For all of a body: a file of 20 MB on a slow phone line takes ten minutes."""


class IdleConnections:
    """A proxy in front does the same sooner; this is for whoever has none, and for what comes past it."""

    def __init__(
        self, server: uvicorn.Server, headroom: Headroom, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._server = server
        self._headroom = headroom
        self._monotonic = monotonic
        self._since: dict[tuple[object, object], float] = {}

    async def close_them(self) -> None:
        """Until it is cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            self.sweep()

    def sweep(self) -> None:
        """One round over all connections that wait for words of the other side; websockets have pings of their own."""
        now, seen = self._monotonic(), self._since
        self._since = {}
        request_s = PRESSED_S if self._headroom.is_short() else REQUEST_S
        for one in [one for one in self._server.server_state.connections if isinstance(one, H11Protocol)]:
            cycle = one.cycle
            is_between = cycle is None or cycle.response_complete
            if not is_between and not cycle.more_body:
                continue
            since = seen.get((one, cycle), now)
            if now - since >= (request_s if is_between else BODY_S):
                one.transport.close()
            else:
                self._since[one, cycle] = since
