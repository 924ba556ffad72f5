"""Total timeout of an HTTP request: one deadline for status, headers and body, however slowly they arrive.

Every HTTP library here starts its read timeout anew for each chunk, so that a server that sends a byte every few
seconds, even of a header, would hold a thread for as long as it likes.
"""

import http.client
import io
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter

_ends_at: ContextVar[float | None] = ContextVar("answer_ends_at", default=None)
_MOST_S = 30.0


@contextmanager
def answered_within(seconds: float) -> Iterator[None]:
    """Give requests that begin in this block so many seconds for the whole answer; they time out as usual."""
    before = _ends_at.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _ends_at.reset(before)


def remaining_timeout(timeout_s: float | None) -> float | None:
    """Timeout of the next read: the library's own, but never past the deadline. Raises `TimeoutError`."""
    return _remaining(_ends_at.get(), timeout_s)


def _remaining(ends_at: float | None, timeout_s: float | None) -> float | None:
    if ends_at is None:
        return timeout_s
    left_s = ends_at - time.monotonic()
    if left_s <= 0:
        raise TimeoutError("The answer does not come to an end.")
    return left_s if timeout_s is None else min(left_s, timeout_s)


class TotalTimeoutAdapter(HTTPAdapter):
    """Adapter for `requests`; outside `answered_within` an answer has the timeouts to connect and to read together."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _TlsPool}

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        if _ends_at.get() is not None:
            return super().send(request, *args, **kwargs)
        timeout = kwargs.get("timeout")
        waits = timeout if isinstance(timeout, tuple) else (timeout,)
        with answered_within(sum(float(wait) for wait in waits if wait) or _MOST_S):
            return super().send(request, *args, **kwargs)


class _DeadlineStream(io.RawIOBase):
    """Raw stream with the deadline of the moment when its answer began, so that it holds for the body, too."""

    def __init__(self, raw: io.RawIOBase, connected: socket.socket) -> None:
        self._raw = raw
        self._socket = connected
        self._ends_at = _ends_at.get()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._socket.settimeout(_remaining(self._ends_at, self._socket.gettimeout()))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Answer(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        raw: Any = self.fp.detach()
        self.fp = io.BufferedReader(_DeadlineStream(raw, sock))


class _Connection(urllib3.connection.HTTPConnection):
    response_class = _Answer


class _TlsConnection(urllib3.connection.HTTPSConnection):
    response_class = _Answer


class _Pool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Connection


class _TlsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


class TotalTimeoutBackend:
    """Network backend for httpx's pool. library: `httpcore`, or `httpcore2`, which has the same names."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._backend = library.SyncBackend()

    def connect_tcp(self, *args: Any, **kwargs: Any) -> "_Stream":
        return _Stream(self._library, self._backend.connect_tcp(*args, **kwargs))

    def connect_unix_socket(self, *args: Any, **kwargs: Any) -> "_Stream":
        return _Stream(self._library, self._backend.connect_unix_socket(*args, **kwargs))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)


class _Stream:
    def __init__(self, library: Any, wrapped: Any) -> None:
        self._library = library
        self._wrapped = wrapped

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            left_s = remaining_timeout(timeout)
        except TimeoutError as late:
            raise self._library.ReadTimeout(str(late)) from late
        received: bytes = self._wrapped.read(max_bytes, left_s)
        return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._wrapped.write(buffer, timeout)

    def start_tls(self, *args: Any, **kwargs: Any) -> "_Stream":
        return _Stream(self._library, self._wrapped.start_tls(*args, **kwargs))

    def close(self) -> None:
        self._wrapped.close()

    def get_extra_info(self, info: str) -> Any:
        return self._wrapped.get_extra_info(info)
