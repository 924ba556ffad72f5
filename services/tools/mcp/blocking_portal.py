"""`LazyPortal`: anyio's blocking portal for all MCP servers; the rest of the services is synchronous."""

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

Result = TypeVar("Result")
Closer = Callable[[], Coroutine[Any, Any, None]]


class PortalClosed(RuntimeError):
    pass


class LazyPortal:
    """Event loop in a daemon thread, started by the first `submit`. Safe to use from any thread but its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: AbstractContextManager[BlockingPortal] | None = None
        self._portal: BlockingPortal | None = None
        self._is_closed = False
        self._closers: list[Closer] = []

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run it on the loop; cancelling the future cancels the work. Raises `PortalClosed`."""
        with self._lock:
            if self._is_closed:
                work.close()
                raise PortalClosed("The portal was closed.")
            return (self._portal or self._start()).start_task_soon(lambda: work)

    def on_close(self, closer: Closer) -> None:
        """What to await on the loop before it ends."""
        self._closers.append(closer)

    def close(self, timeout_s: float = 10.0) -> None:
        """End everything that runs on it, for good; waits no longer than `timeout_s`. Safe to repeat."""
        with self._lock:
            thread, portal, self._is_closed, self._thread = self._thread, self._portal, True, None
        if thread is None or portal is None:
            return
        atexit.unregister(self.close)
        portal.start_task_soon(self._end, portal)
        ending = threading.Thread(target=thread.__exit__, args=(None, None, None), daemon=True)
        ending.start()
        ending.join(timeout_s)

    def _start(self) -> BlockingPortal:
        self._thread = start_blocking_portal(name="mcp")
        self._portal = self._thread.__enter__()
        atexit.register(self.close)
        return self._portal

    async def _end(self, portal: BlockingPortal) -> None:
        await asyncio.gather(*(closer() for closer in self._closers), return_exceptions=True)
        await portal.stop(cancel_remaining=True)
