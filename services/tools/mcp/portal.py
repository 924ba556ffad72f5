"""`EventLoopThread`: one background event loop for all MCP servers, started when first needed; the rest of services is sync."""

import asyncio
import atexit
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")
Closer = Callable[[], Coroutine[Any, Any, None]]


class PortalClosed(RuntimeError):
    pass


class EventLoopThread:
    """Safe to use from any thread. Its thread is a daemon: it never keeps the process from ending."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._closers: list[Closer] = []

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run it on the loop; cancelling the future cancels the work. Raises `PortalClosed`."""
        with self._lock:
            if self._is_closed:
                work.close()
                raise PortalClosed("The portal was closed.")
            return asyncio.run_coroutine_threadsafe(work, self._loop or self._start())

    def on_close(self, closer: Closer) -> None:
        """What to await on the loop before it ends."""
        self._closers.append(closer)

    def close(self, timeout_s: float = 10.0) -> None:
        """End everything that runs on it, for good. Safe to repeat."""
        with self._lock:
            thread, loop, self._is_closed, self._thread = self._thread, self._loop, True, None
            if loop is not None and thread is not None:
                asyncio.run_coroutine_threadsafe(self._end(), loop)
        if thread is not None:
            atexit.unregister(self.close)
            thread.join(timeout_s)

    def _start(self) -> asyncio.AbstractEventLoop:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name="mcp", daemon=True)
        self._thread.start()
        atexit.register(self.close)
        return self._loop

    async def _end(self) -> None:
        await asyncio.gather(*(closer() for closer in self._closers), return_exceptions=True)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        asyncio.get_running_loop().stop()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
