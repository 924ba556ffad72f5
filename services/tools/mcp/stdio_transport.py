"""The stdio transport: JSON-RPC lines of a child process as the SDK's streams, capped and counted."""

import asyncio
import logging
import os
import signal
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from services.settings.mcp_servers import McpServer
from services.tools.mcp.framer import LineFramer, OversizedLine, ids_in
from services.tools.mcp.limits import McpLimits, per_minute

log = logging.getLogger(__name__)

TOO_LARGE = -32090
"""Our own JSON-RPC code: the answer was longer than a message may be."""
NONSENSE = -32091
"""Our own JSON-RPC code: the answer was no JSON-RPC."""
WANTED = ("notifications/tools/list_changed", "notifications/cancelled")
"""Notifications that are passed on. Progress and log messages are nothing that we show."""

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]
Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def stdio_streams(process: ServerProcess, limits: McpLimits, over: anyio.Event) -> AsyncIterator[Streams]:
    """The SDK's pair of streams over a process, which is stopped and reaped at the end whatever happens.

    over: set when the process will send no more.
    """
    incoming, to_session = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    from_session, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    wire = _Wire(process, limits, over)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(wire.read_into, incoming)
            group.start_soon(wire.write_from, outgoing)
            try:
                yield to_session, from_session
            finally:
                group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await process.stop()
        for stream in (incoming, to_session, from_session, outgoing):
            await stream.aclose()


class _Wire:
    def __init__(self, process: ServerProcess, limits: McpLimits, over: anyio.Event) -> None:
        self._process = process
        self._over = over
        self._lines = LineFramer(limits.message_bytes)
        self._bytes = per_minute(limits.spare_bytes)
        self._messages = per_minute(limits.spare_messages)
        self._open: set[int | str] = set()

    async def write_from(self, outgoing: Outgoing) -> None:
        with suppress(BrokenPipeError, anyio.ClosedResourceError):
            async for item in outgoing:
                message = item.message
                if isinstance(message, JSONRPCRequest):
                    self._open.add(message.id)
                line = message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._process.write(line.encode() + b"\n")

    async def read_into(self, incoming: Incoming) -> None:
        """Until the process is silent for good or sends too much; the session then sees the end of the stream."""
        async with incoming:
            try:
                await self._pump(incoming)
            finally:
                self._over.set()

    async def _pump(self, incoming: Incoming) -> None:
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            while chunk := await self._process.read():
                if not self._bytes.spend(len(chunk)):
                    log.warning("mcp_server_floods")
                    return
                for line in self._lines.feed(chunk):
                    if not self._messages.spend(1):
                        log.warning("mcp_server_floods")
                        return
                    for message in self._read(line):
                        await incoming.send(SessionMessage(message))
                await anyio.lowlevel.checkpoint()

    def _read(self, line: bytes | OversizedLine) -> list[JSONRPCMessage]:
        if isinstance(line, OversizedLine):
            alone = tuple(id for id in self._open if len(self._open) == 1 and isinstance(id, int))
            return self._failed(line.ids or alone, TOO_LARGE)
        try:
            message = jsonrpc_message_adapter.validate_json(line, by_name=False)
        except ValueError:
            # Servers print banners to stdout: what is no message is skipped, unless it was meant as an answer.
            return self._failed(ids_in(line), NONSENSE)
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._answered(message.id)
        if isinstance(message, JSONRPCNotification) and message.method not in WANTED:
            return []
        return [message]

    def _failed(self, ids: Sequence[int], code: int) -> list[JSONRPCMessage]:
        """The answer that the session gets in place of one that cannot be used."""
        known = [id for id in ids if id in self._open][-1:]
        for id in known:
            self._answered(id)
        error = ErrorData(code=code, message="unusable answer")
        return [JSONRPCError(jsonrpc="2.0", id=id, error=error) for id in known]

    def _answered(self, id: Any) -> None:
        if id in self._open:
            self._open.discard(id)
            self._bytes.refill()
            self._messages.refill()


_PAUSE_ABOVE = 1_000_000
"""Bytes read and not yet looked at; above this the child has to wait."""


_POLL_S = 0.02


_LAST_WORDS_S = 0.2


class ServerProcess(asyncio.SubprocessProtocol):
    """Made by `start`; runs in a process group of its own, which ends with it."""

    def __init__(self, limits: McpLimits) -> None:
        self._limits = limits
        self._transport: asyncio.SubprocessTransport | None = None
        self._chunks: deque[bytes] = deque()
        self._waiting = 0
        self._news = asyncio.Event()
        self._is_over = False
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._stderr = bytearray()

    @classmethod
    async def start(cls, server: McpServer, limits: McpLimits) -> "ServerProcess":
        """Raises `OSError` when the command cannot be run."""
        _, process = await asyncio.get_running_loop().subprocess_exec(
            lambda: cls(limits),
            *server.command,
            env=dict(server.env),
            cwd=server.cwd,
            start_new_session=True,
        )
        return process

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr: for the operator's own terminal, never for a log."""
        return self._stderr.decode("utf-8", "replace")

    async def read(self) -> bytes:
        """The next bytes of its stdout; empty when there will be no more."""
        while not self._chunks:
            if self._is_over:
                return b""
            self._news.clear()
            await self._news.wait()
        chunk = self._chunks.popleft()
        self._waiting -= len(chunk)
        if self._waiting <= _PAUSE_ABOVE:
            self._reading(True)
        return chunk

    async def write(self, line: bytes) -> None:
        """Waits while the child does not read. Raises `BrokenPipeError` when it is gone."""
        await self._may_write.wait()
        pipe = self._transport and self._transport.get_pipe_transport(0)
        if self._is_over or pipe is None or pipe.is_closing():
            raise BrokenPipeError("The server has ended.")
        assert isinstance(pipe, asyncio.WriteTransport)
        pipe.write(line)

    async def stop(self) -> None:
        """Close its stdin, wait, then end its whole group (MCP 2025-11-25, lifecycle: shutdown)."""
        transport = self._transport
        if transport is None:
            return
        if pipe := transport.get_pipe_transport(0):
            pipe.close()
        self._reading(True)
        await self._has_ended(transport, self._limits.stop_s)
        if transport.get_returncode() is None:
            self._signal_group(transport, signal.SIGTERM)
            await self._has_ended(transport, self._limits.stop_s)
        self._signal_group(transport, signal.SIGKILL)
        await self._has_ended(transport, self._limits.stop_s)
        transport.close()

    async def _has_ended(self, transport: asyncio.SubprocessTransport, patience_s: float) -> None:
        """Not `wait()`: that also waits for grandchildren that hold the pipes."""
        deadline = asyncio.get_running_loop().time() + patience_s
        while transport.get_returncode() is None and asyncio.get_running_loop().time() < deadline:
            self._chunks.clear()
            self._waiting = 0
            await asyncio.sleep(_POLL_S)

    def _signal_group(self, transport: asyncio.SubprocessTransport, what: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(transport.get_pid(), what)

    def _reading(self, is_on: bool) -> None:
        pipe = self._transport and self._transport.get_pipe_transport(1)
        if isinstance(pipe, asyncio.ReadTransport) and pipe.is_reading() is not is_on and not pipe.is_closing():
            pipe.resume_reading() if is_on else pipe.pause_reading()

    # What asyncio calls (asyncio.SubprocessProtocol).

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._stderr += data
            del self._stderr[: -self._limits.stderr_bytes]
            return
        self._chunks.append(data)
        self._waiting += len(data)
        if self._waiting > _PAUSE_ABOVE:
            self._reading(False)
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._end()
        if fd == 0:
            self._may_write.set()

    def process_exited(self) -> None:
        # Its last words may still be in the pipe, and a grandchild may hold the pipe for ever.
        asyncio.get_running_loop().call_later(_LAST_WORDS_S, self._end)

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    def _end(self) -> None:
        self._is_over = True
        self._may_write.set()
        self._news.set()
