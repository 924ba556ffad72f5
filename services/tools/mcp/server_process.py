"""`ServerProcess`: the child process of one stdio server; what it writes is drained, and it is always reaped."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.abc import ByteReceiveStream, Process

from services.settings.mcp_servers import McpServer
from services.tools.mcp.limits import McpLimits

_LAST_OUTPUT_S = 0.2
"""What a process wrote before it ended is still read for so long; a grandchild may hold the pipe for ever."""
_GONE = (OSError, anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


class ServerProcess:
    """Child process in a process group of its own, which ends with it. Made by `running`."""

    def __init__(self, process: Process, limits: McpLimits) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._limits = limits
        self._read_bytes = 0
        self._last_words = bytearray()

    @classmethod
    @asynccontextmanager
    async def running(cls, server: McpServer, limits: McpLimits) -> "AsyncIterator[ServerProcess]":
        """Start a server's command, and stop and reap it at the end whatever happens.

        Raises `OSError` when the command cannot be run.
        """
        child = await anyio.open_process(server.command, env=dict(server.env), cwd=server.cwd, start_new_session=True)
        process = cls(child, limits)
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(process._keep_last_words)
                group.start_soon(process._end_output_after_exit)
                try:
                    yield process
                finally:
                    group.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await process._stop()

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr: for the operator's own terminal, never for a log."""
        return self._last_words.decode("utf-8", "replace")

    async def read(self) -> bytes:
        """The next bytes of its stdout; empty when there will be no more."""
        try:
            chunk = await self._stdout.receive()
        except _GONE:
            return b""
        self._read_bytes += len(chunk)
        return chunk

    async def write(self, line: bytes) -> None:
        """Waits while the child does not read. Raises `OSError` or an error of anyio's streams when it is gone."""
        await self._stdin.send(line)

    async def _keep_last_words(self) -> None:
        with suppress(*_GONE):
            while True:
                self._last_words += await self._stderr.receive()
                del self._last_words[: -self._limits.stderr_bytes]

    async def _end_output_after_exit(self) -> None:
        await self._process.wait()
        seen = -1
        while self._read_bytes != seen:
            seen = self._read_bytes
            await anyio.sleep(_LAST_OUTPUT_S)
        await self._stdout.aclose()

    async def _stop(self) -> None:
        """Close its stdin, wait, then end its whole group (MCP 2025-11-25, lifecycle: shutdown)."""
        async with anyio.create_task_group() as group:
            # A process that cannot write does not end.
            group.start_soon(self._keep_last_words)
            group.start_soon(_discard, self._stdout)
            with suppress(*_GONE):
                await self._stdin.aclose()
            if not await self._has_ended():
                self._signal_group(signal.SIGTERM)
                await self._has_ended()
            self._signal_group(signal.SIGKILL)
            await self._has_ended()
            group.cancel_scope.cancel()
        if self._process.returncode is not None:
            await self._process.aclose()

    async def _has_ended(self) -> bool:
        with anyio.move_on_after(self._limits.stop_s):
            await self._process.wait()
        return self._process.returncode is not None

    def _signal_group(self, what: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, what)


async def _discard(stream: ByteReceiveStream) -> None:
    with suppress(*_GONE):
        while True:
            await stream.receive()
