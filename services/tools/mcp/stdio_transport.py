"""Stdio transport: JSON-RPC lines of a child process as the SDK's streams, with limits of size and number."""

import logging
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
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

from services.tools.mcp.limits import McpLimits, per_minute
from services.tools.mcp.server_process import ServerProcess

log = logging.getLogger(__name__)

TOO_LARGE = -32090
"""Our own JSON-RPC code: the answer was longer than a message may be."""
NONSENSE = -32091
"""Our own JSON-RPC code: the answer was no JSON-RPC."""
WANTED = ("notifications/tools/list_changed", "notifications/cancelled")
"""Notifications that are passed on; progress and log messages are dropped."""

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]
Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
_ID = re.compile(rb'"id"\s*:\s*(\d{1,18})')
_EDGE = 300
"""Bytes kept from both ends of a line that is thrown away: JSON-RPC writes the id first or last."""


@dataclass(frozen=True, kw_only=True)
class OversizedLine:
    """Line that was thrown away: its size in bytes, and the request ids that it may have answered."""

    size: int
    ids: tuple[int, ...]


class LineFramer:
    """Framer from chunks to lines; of a line over `limit` bytes only its ends are kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()
        self._head = b""
        self._dropped = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | OversizedLine]:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            self._keep(chunk[start:end])
            yield self._line()
            start = end + 1
        self._keep(chunk[start:])

    def _keep(self, piece: bytes) -> None:
        self._rest += piece
        if self._dropped or len(self._rest) > self._limit:
            self._head = self._head or bytes(self._rest[:_EDGE])
            excess = len(self._rest) - _EDGE
            self._dropped += max(excess, 0)
            del self._rest[: max(excess, 0)]

    def _line(self) -> bytes | OversizedLine:
        whole, dropped, head = bytes(self._rest), self._dropped, self._head
        self._rest, self._dropped, self._head = bytearray(), 0, b""
        if not dropped:
            return whole.rstrip(b"\r")
        return OversizedLine(size=len(whole) + dropped, ids=tuple(dict.fromkeys((*ids_in(head), *ids_in(whole)))))


def ids_in(line: bytes) -> tuple[int, ...]:
    """The request ids that a line names near its ends, whether or not it is JSON."""
    return tuple(int(found) for part in (line[:_EDGE], line[-_EDGE:]) for found in _ID.findall(part))


@asynccontextmanager
async def stdio_streams(process: ServerProcess, limits: McpLimits, over: anyio.Event) -> AsyncIterator[Streams]:
    """Open the SDK's pair of streams over a process.

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
        for stream in (incoming, to_session, from_session, outgoing):
            stream.close()


class _Wire:
    """Reader and writer between a process and the SDK's streams."""

    def __init__(self, process: ServerProcess, limits: McpLimits, over: anyio.Event) -> None:
        self._process = process
        self._over = over
        self._lines = LineFramer(limits.message_bytes)
        self._bytes = per_minute(limits.spare_bytes)
        self._messages = per_minute(limits.spare_messages)
        self._open: set[int | str] = set()

    async def write_from(self, outgoing: Outgoing) -> None:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            async for item in outgoing:
                message = item.message
                if isinstance(message, JSONRPCRequest):
                    self._open.add(message.id)
                line = message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._process.write(line.encode() + b"\n")

    async def read_into(self, incoming: Incoming) -> None:
        """Read until the process ends or sends too much; the session then sees the end of the stream."""
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
