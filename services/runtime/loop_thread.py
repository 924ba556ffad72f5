"""`LoopThread`: an event loop in a daemon thread, for synchronous code that shares one asynchronous client."""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, TypeVar

log = logging.getLogger(__name__)

Result = TypeVar("Result")
CLOSING_S = 10.0


class LoopEnded(RuntimeError):
    """The loop has ended, and with it the work that was waited for."""


class LoopThread:
    """Thread and loop, started at once. Safe to use from any thread but its own."""

    def __init__(self, name: str, *, on_end: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """on_end: awaited on the loop at its end, after its work was cancelled."""
        self._on_end = on_end
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._is_ending = False
        self._loop = _new_event_loop()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    @property
    def is_usable(self) -> bool:
        """False once it has ended, and in a process that was forked from its own, where there is no such thread."""
        return self._process == os.getpid() and not self._is_ending

    def run(self, work: Coroutine[Any, Any, Result], *, timeout_s: float) -> Result:
        """Run it on the loop and wait for its result; what it raises is raised.

        Raises `LoopEnded` when the loop has ended or ends meanwhile, or when nothing has come of it after `timeout_s`,
        which is longer than the work ever takes. The work is cancelled when the thread that waits is interrupted.
        """
        with self._lock:
            if not self.is_usable:
                work.close()
                raise LoopEnded
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(timeout_s)
        except CancelledError:
            raise LoopEnded from None
        except TimeoutError as late:
            if future.done():
                raise
            raise LoopEnded from late
        finally:
            future.cancel()

    def stop(self) -> None:
        """Cancel its work and end the thread. Safe to repeat."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.stop)
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSING_S)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            with self._lock:
                self._is_ending = True
            self._end()

    def _end(self) -> None:
        try:
            self._loop.run_until_complete(_cancel_all())
            if self._on_end is not None:
                self._loop.run_until_complete(self._on_end())
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        finally:
            self._loop.close()


async def _cancel_all() -> None:
    """Cancel all tasks, those included that begin only now."""
    await asyncio.sleep(0)
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=CLOSING_S)


def _new_event_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:  # Windows has none.
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
