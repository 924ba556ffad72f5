"""Sockets: connect to the first address that answers (happy eyeballs, RFC 8305), and read within one budget."""

import errno
import os
import selectors
import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from typing import Any

import httpcore

from services.runtime.deadline import Deadline

Dial = Callable[[Sequence[str], int, Deadline], socket.socket]
"""A connected socket to one of the addresses; raises OSError."""

HEAD_START_S = 0.25
"""How long an address may be silent before the next one is tried beside it: an IPv6 black hole costs no more."""


def dial(addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    """Connect to the first address that answers, IPv6 and IPv4 by turns; raises `TimeoutError` or another OSError."""
    waiting, last = list(_interleaved(addresses)), OSError("no address")
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or selector.get_map():
                if waiting:
                    last = _start_connect(selector, waiting.pop(0), port) or last
                if not selector.get_map():
                    continue
                if deadline.remaining_s() == 0.0:
                    raise TimeoutError
                for key, _ in selector.select(min(deadline.remaining_s(), HEAD_START_S if waiting else 60.0)):
                    connection: socket.socket = selector.unregister(key.fileobj).fileobj  # type: ignore[assignment]
                    if (code := connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)) == 0:
                        return connection
                    connection.close()
                    last = OSError(code, os.strerror(code))
            raise last
        finally:
            for key in list(selector.get_map().values()):
                key.fileobj.close()  # type: ignore[union-attr]


def _start_connect(selector: selectors.BaseSelector, address: str, port: int) -> OSError | None:
    """Start connecting; the error when that fails at once."""
    connection = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    connection.setblocking(False)
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        code = connection.connect_ex((address, port))
    except OSError as error:
        connection.close()
        return error
    if code not in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
        connection.close()
        return OSError(code, os.strerror(code))
    selector.register(connection, selectors.EVENT_WRITE)
    return None


def _interleaved(addresses: Iterable[str]) -> Iterable[str]:
    found = list(addresses)
    first, second = [a for a in found if ":" in a], [a for a in found if ":" not in a]
    if found and ":" not in found[0]:
        first, second = second, first
    return (address for address in chain.from_iterable(zip_longest(first, second)) if address is not None)


class BoundedStream(httpcore.NetworkStream):
    """Connection that gives at most so many bytes and lives no longer than its deadline, however slowly it drips."""

    def __init__(self, connected: socket.socket, deadline: Deadline, spare_bytes: int) -> None:
        self._socket = connected
        self._deadline = deadline
        self._spare_bytes = spare_bytes

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            self._set_timeout()
            received = self._socket.recv(max_bytes)
        except TimeoutError:
            raise httpcore.ReadTimeout from None
        except OSError as error:
            raise httpcore.ReadError(type(error).__name__) from None
        self._spare_bytes -= len(received)
        if self._spare_bytes < 0:
            raise AnswerOverLimit
        return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        try:
            self._set_timeout()
            self._socket.sendall(buffer)
        except TimeoutError:
            raise httpcore.WriteTimeout from None
        except OSError as error:
            raise httpcore.WriteError(type(error).__name__) from None

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        self._set_timeout()
        wrapped = ssl_context.wrap_socket(self._socket, server_hostname=server_hostname)
        return BoundedStream(wrapped, self._deadline, self._spare_bytes)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.close()

    def get_extra_info(self, info: str) -> Any:
        return self._socket if info == "socket" else None

    def _set_timeout(self) -> None:
        left_s = self._deadline.remaining_s()
        if left_s == 0.0:
            raise TimeoutError
        self._socket.settimeout(left_s)


class AnswerOverLimit(Exception):
    """More bytes came than the limit allows."""
