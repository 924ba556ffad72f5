"""`ServerProcess`: the child process of one stdio server; what it writes is drained, and it is always reaped."""

import asyncio
import os
import signal
from collections import deque
from contextlib import suppress

from services.settings.mcp_servers import McpServer
from services.tools.mcp.limits import Limits

_PAUSE_ABOVE = 1_000_000
"""Bytes read and not yet looked at; above this the child has to wait."""
_POLL_S = 0.02
_LAST_WORDS_S = 0.2


class ServerProcess(asyncio.SubprocessProtocol):
    """Made by `start`; runs in a process group of its own, which ends with it."""

    def __init__(self, limits: Limits) -> None:
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
    async def start(cls, server: McpServer, limits: Limits) -> "ServerProcess":
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
