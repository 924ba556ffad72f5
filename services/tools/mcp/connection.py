"""`ServerConnection`: the one connection of this process to a server, with start, reconnection and backoff."""

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError as FutureCancelled
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from services.settings.mcp_servers import McpServer
from services.tools.mcp.blocking_portal import LazyPortal, PortalClosed
from services.tools.mcp.errors import AnswerLate, ServerGone, ServerNotReached
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.server_process import ServerProcess

if TYPE_CHECKING:
    from services.tools.mcp.session import McpSession

Result = TypeVar("Result")
log = logging.getLogger(__name__)


class ServerStatus(StrEnum):
    UNTRIED = "untried"
    STARTING = "starting"
    UP = "up"
    DOWN = "down"


class ServerConnection:
    """Connection with retries. `status`, `listing`, `wake` and `call` are for any thread;
    the rest runs on the portal's loop.
    """

    def __init__(
        self,
        server: McpServer,
        portal: LazyPortal,
        limits: McpLimits,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.server = server
        self.status = ServerStatus.UNTRIED
        self.listing: tuple[Mapping[str, Any], ...] | None = None
        """What the server listed last, as it is on the wire; None before the first time. A new tuple each time."""
        self._portal = portal
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._next_try = 0.0
        self._up_since = 0.0
        self._life: asyncio.Task[None] | None = None
        self._session: McpSession | None = None
        self._process: ServerProcess | None = None
        self._settled = asyncio.Event()
        self._stopping = asyncio.Event()
        self._changed = asyncio.Event()
        self._listed = asyncio.Event()
        portal.on_close(self._stop)

    @property
    def last_words(self) -> str:
        """What the process wrote to stderr last: for the operator's own terminal."""
        return self._process.last_words if self._process else ""

    @property
    def is_down(self) -> bool:
        """Whether it is down, or tried again after more than one failure."""
        return self.status is ServerStatus.DOWN or (self.status is ServerStatus.STARTING and self._failures > 1)

    def wake(self) -> None:
        """Connect in the background, unless it is connected or has failed a moment ago."""
        with self._lock:
            may_begin = self._may_begin()
        if may_begin:
            try:
                # Without the lock: the portal answers when its loop does, and the loop takes the lock as well.
                self._portal.submit(self._start())
            except PortalClosed:
                self.status = ServerStatus.DOWN

    def ready(self, timeout_s: float) -> bool:
        """Whether it is up now; waits for a start that is under way."""
        self.wake()
        try:
            return self._wait(self._until_settled(timeout_s), timeout_s + 1)
        except (PortalClosed, TimeoutError, FutureCancelled):
            return False

    def await_listing(self, seen: object, *, timeout_s: float) -> bool:
        """Whether the server has listed its tools since it listed `seen`; waits for it."""
        return self._wait(self._until_listed(seen, timeout_s), timeout_s + 1)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Call a tool and wait for the answer, as it is on the wire; raises an `McpCallError`."""
        self.wake()
        whole = self._limits.start_s + self._limits.call_s + 3 * self._limits.stop_s
        try:
            return self._wait(self._call(tool, arguments), whole)
        except PortalClosed:
            raise ServerNotReached from None
        except (TimeoutError, FutureCancelled):
            raise AnswerLate from None

    def _wait(self, work: Coroutine[Any, Any, Result], timeout_s: float) -> Result:
        future = self._portal.submit(work)
        try:
            return future.result(timeout_s)
        finally:
            future.cancel()

    def _may_begin(self) -> bool:
        """Claim the start: True for exactly one caller, who holds the lock."""
        may = self.status in (ServerStatus.UNTRIED, ServerStatus.DOWN) and self._clock() >= self._next_try
        if may:
            self.status = ServerStatus.STARTING
        return may

    async def _start(self) -> None:
        self._settled.clear()
        if self._life is not None:
            await asyncio.wait([self._life])
        self._life = asyncio.get_running_loop().create_task(self._run())

    async def _until_settled(self, timeout_s: float) -> bool:
        with anyio.move_on_after(timeout_s):
            await self._current_session()
        return self._session is not None

    async def _until_listed(self, seen: object, timeout_s: float) -> bool:
        with anyio.move_on_after(timeout_s):
            while self.listing is seen:
                await self._listed.wait()
        return self.listing is not seen

    async def _current_session(self) -> "McpSession | None":
        """The session, after a start that is under way, or anew when the last one has just ended."""
        if self._session is not None and self._session.over.is_set() and self._life is not None:
            await asyncio.wait([self._life])
            with self._lock:
                may_begin = self._may_begin()
            if may_begin:
                await self._start()
        while self.status is ServerStatus.STARTING and not self._settled.is_set():
            await self._settled.wait()
        return self._session

    async def _call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        session = await self._current_session()
        if session is None:
            raise ServerNotReached
        try:
            answer = await session.call(tool, arguments)
        except ServerGone:
            session.over.set()
            raise
        self._failures = 0
        return answer

    async def _run(self) -> None:
        """Run one connection: from the start to the first failure, or to the end of this process."""
        problem = "ended"
        try:
            await self._connected()
        except Exception as error:
            # A hostile server may make the SDK raise anything, also in groups.
            problem = _type_name(error)
        finally:
            self._session = None
            self._schedule_retry(problem)
            self._settled.set()

    async def _connected(self) -> None:
        # The SDK takes a second to import and is needed nowhere else: here it costs no start and no page.
        from services.tools.mcp.session import open_session

        with anyio.fail_after(self._limits.start_s) as starting:
            async with open_session(
                self.server, self._limits, on_change=self._changed.set, on_process=self._set_process
            ) as session:
                await self._list(session)
                starting.deadline = float("inf")
                self._session, self._up_since, self.status = session, self._clock(), ServerStatus.UP
                self._settled.set()
                log.info("mcp_server_up server=%s", self.server.name)
                await self._serve(session)

    async def _serve(self, session: "McpSession") -> None:
        """Serve until the server goes away or the process ends; list the tools anew when they have changed."""
        while not (session.over.is_set() or self._stopping.is_set()):
            await _first_of(session.over, self._stopping, self._changed)
            if self._changed.is_set():
                await _first_of(session.over, self._stopping, timeout_s=self._limits.relist_s)
                self._changed.clear()
                if not (session.over.is_set() or self._stopping.is_set()):
                    await self._list(session)

    async def _list(self, session: "McpSession") -> None:
        self.listing = tuple(await session.tools())
        self._listed.set()
        self._listed = asyncio.Event()

    def _set_process(self, process: ServerProcess) -> None:
        self._process = process

    def _schedule_retry(self, problem: str) -> None:
        """Schedule the next try with exponential backoff: at once after a long connection,
        never at once after a failed start.
        """
        was_up = self.status is ServerStatus.UP
        if was_up and self._clock() - self._up_since >= self._limits.settled_s:
            self._failures = 0
        failures = self._failures if was_up else max(self._failures, 1)
        first, longest = self._limits.backoff_s
        pause_s = min(first * 2 ** (failures - 1), longest) * random.uniform(0.8, 1.2) if failures else 0.0
        self._failures = min(failures + 1, 30)
        self._next_try = self._clock() + pause_s
        self.status = ServerStatus.DOWN
        level = logging.INFO if self._stopping.is_set() else logging.WARNING
        log.log(level, "mcp_server_down server=%s problem=%s pause_s=%.1f", self.server.name, problem, pause_s)

    async def _stop(self) -> None:
        self._stopping.set()
        if self._life is not None:
            if self._session is None:
                self._life.cancel()
            await asyncio.wait([self._life], timeout=4 * self._limits.stop_s + 1)


async def _first_of(*events: Any, timeout_s: float | None = None) -> None:
    """Wait until one of the events is set, or for so long."""
    tasks = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _type_name(error: BaseException) -> str:
    """The innermost type of an error: no text of a server's ever reaches a log."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
