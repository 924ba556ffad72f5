"""Graceful shutdown: on a signal running turns finish first, then the server stops, with exit code 0."""

import asyncio
import gc
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE_S = 2
"""Seconds that the server waits for open requests once the turns have ended."""


class GracefulShutdown:
    """Signal handler: the first signal drains running turns while the server still serves, the second exits at once.

    uvicorn alone would first wait for every open request (in the demo the model's own streams are such), only then let
    the turns end, and at last end itself by the same signal: a host would take that for a crash.
    """

    def __init__(self, server: uvicorn.Server, drain: Callable[[], None]) -> None:
        self._server = server
        self._drain = drain
        self._loop = asyncio.get_running_loop()
        self.has_begun = False

    def on_signal(self) -> None:
        """Handle a signal; runs on the server's event loop."""
        if self.has_begun:
            self._leave()
            return
        self.has_begun = True
        log.warning("stopping: running turns may finish; nothing new is begun")
        threading.Thread(target=self._drain_and_leave, name="stopping", daemon=True).start()

    def _drain_and_leave(self) -> None:
        try:
            self._drain()
        finally:
            self._loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        if self._server.config.timeout_graceful_shutdown is None:
            self._server.config.timeout_graceful_shutdown = GRACE_S
        self._server.should_exit = True


@contextmanager
def graceful_shutdown(drain: Callable[[], None]) -> Iterator["GracefulShutdown | None"]:
    """Replace uvicorn's signal handlers on its loop; do nothing under another server or outside the main thread."""
    server = current_server()
    if server is None:
        yield None
        return
    loop, stopping = asyncio.get_running_loop(), GracefulShutdown(server, drain)
    for number in SIGNALS:
        loop.add_signal_handler(number, stopping.on_signal)
    try:
        yield stopping
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
            # uvicorn puts back what was there before it; until then a late signal must not end us half-way.
            signal.signal(number, signal.SIG_IGN)
        # An interpreter that ends collects garbage several times over; on a large heap that takes seconds.
        gc.freeze()


def current_server() -> uvicorn.Server | None:
    """Running uvicorn server, found by its signal handler; None under another server."""
    if threading.current_thread() is not threading.main_thread():
        return None
    owner = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return owner if isinstance(owner, uvicorn.Server) else None
