"""Health check over a socket: whether a process answers `GET /health`."""

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable
from pathlib import Path

TIMEOUT_S = 5.0
_REQUEST = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
_LOCAL = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}


async def is_healthy_at(path: Path) -> bool:
    """Whether the worker on this Unix socket answers."""
    return path.exists() and await _answers(asyncio.open_unix_connection(path))


async def is_healthy_behind(listener: socket.socket) -> bool:
    """Whether somebody answers on the port of this socket, which is open even while nobody listens to it."""
    host, port = listener.getsockname()[:2]
    local = _LOCAL[listener.family] if host in ("::", "0.0.0.0") else host  # noqa: S104 - compared, not bound
    return await _answers(asyncio.open_connection(local, port))


async def _answers(connecting: Awaitable[tuple[StreamReader, StreamWriter]]) -> bool:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await connecting
            try:
                writer.write(_REQUEST)
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return False
