"""Idle connection timeout: uvicorn would wait for a request as long as the process lives."""

import asyncio
import time
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from services.runtime.capacity import Capacity

SWEEP_S = 2.0
REQUEST_S = 20.0
"""Seconds for the head of a request, since its first byte or since the last response."""
PRESSED_S = 2.0
"""The same while open files run short."""
FLUSH_S = 10.0
"""Seconds in which a client must take what is left when its connection is closed."""
BODY_S = 900.0
"""Seconds for a whole body: a file of 20 MB on a slow phone line takes ten minutes."""


class IdleConnections:
    """Sweeper of idle connections, for deployments without a proxy that does it sooner."""

    def __init__(
        self, server: uvicorn.Server, capacity: Capacity, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._server = server
        self._capacity = capacity
        self._monotonic = monotonic
        self._since: dict[tuple[object, object], float] = {}

    async def run(self) -> None:
        """Sweep until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            self.sweep()

    def sweep(self) -> None:
        """Close each connection whose client is silent for too long; websockets have pings of their own."""
        now, seen = self._monotonic(), self._since
        self._since = {}
        request_s = PRESSED_S if self._capacity.is_short() else REQUEST_S
        for connection in self._http_connections():
            cycle = connection.cycle
            if connection.transport.is_closing():
                self._flush(connection, seen, now)
                continue
            is_between = cycle is None or cycle.response_complete
            if not is_between and not cycle.more_body:
                continue
            since = seen.get((connection, cycle), now)
            if now - since >= (request_s if is_between else BODY_S):
                connection.transport.close()
            else:
                self._since[connection, cycle] = since

    def _flush(self, connection: H11Protocol, seen: dict[tuple[object, object], float], now: float) -> None:
        """Abort a connection that is closed here, but whose client does not take the rest."""
        since = self._since[connection, None] = seen.get((connection, None), now)
        if now - since >= FLUSH_S:
            connection.transport.abort()

    def _http_connections(self) -> list[H11Protocol]:
        """A copy: closing one changes the set that uvicorn keeps."""
        return [found for found in self._server.server_state.connections if isinstance(found, H11Protocol)]
