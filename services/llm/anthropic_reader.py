"""`AnswerReader`: sends all requests to the model and reads all of its streams, on one thread with an event loop.

Who waits for an answer is woken once, when it is over: a thread woken for each word costs more than the word.
"""

import asyncio
import io
import ssl
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

import aiohttp
import httpx2
from aiohttp.base_protocol import BaseProtocol
from yarl import URL

from services.runtime.loop_thread import LoopThread

TICK_S = 0.25
"""Between two looks at the times of an answer, and at whether anybody wants it still."""
CROWD = 4
"""So many answers at once are read as soon as anything comes."""
PAUSE_S = 0.00001
LONGEST_PAUSE_S = 0.2
"""Between two reads of one answer in a crowd: words that are read together cost as much as one. It grows with the
square of the crowd: 25 ms for fifty, whose last words are not late by it, 100 ms for a hundred.
"""
MOST_ERROR_BYTES = 64 * 1024


class Receiver(Protocol):
    """Taker of one stream, called on the reader's thread, which all answers share: it neither waits nor raises."""

    @property
    def ends_at(self) -> float:
        """Monotonic second at which the stream is given up, as things stand."""

    @property
    def has_text(self) -> bool:
        """Whether the first text has come: from then on a little delay is not noticed."""

    @property
    def is_background(self) -> bool:
        """Whether nobody reads along."""

    def begin(self) -> None:
        """Start the times: the head of the answer has come."""

    def receive(self, piece: bytes) -> bool:
        """Take a piece, unpacked; it is empty when nothing came. Returns whether more is wanted."""


@dataclass(frozen=True, kw_only=True)
class OutgoingRequest:
    """Request as it goes out. connect_s: to a connection. head_s: from there to status and headers.

    idle_s: between two pieces. longest_s: for all of it; only a loop that hangs takes longer.
    """

    method: str
    url: str
    headers: Sequence[tuple[str, str]] = field(repr=False)
    body: bytes = field(repr=False)
    connect_s: float
    head_s: float
    idle_s: float
    longest_s: float


@dataclass(frozen=True, kw_only=True)
class ReadAnswer:
    """Answer that was read. body: the beginning of one that is no stream. failure: what broke a stream off."""

    status: int
    headers: Sequence[tuple[bytes, bytes]] = field(repr=False)
    body: bytes = field(default=b"", repr=False)
    failure: Exception | None = None


class AnswerReader:
    """Reader for all threads of this process; its own thread starts with the first request, and anew after a fork."""

    def __init__(self, limits: httpx2.Limits) -> None:
        self._limits = limits
        # The same trust as in the SDK's own transport; read here, as that takes 50 ms of the first request.
        self._tls = httpx2.create_ssl_context()
        self._tls.set_alpn_protocols(["http/1.1"])
        self._lock = threading.Lock()
        self._client: _Client | None = None
        self._unusable: list[_Client] = []
        """Clients that a fork has cut off: their connections belong to the parent, and are not closed here."""

    def read(self, request: OutgoingRequest, receiver: Receiver) -> ReadAnswer:
        """Send a request and wait for the end of its answer, which goes to the receiver if it is a stream.

        Raises the errors of aiohttp and `TimeoutError` before the head has come, `LoopEnded` at any time.
        """
        client = self._usable_client()
        return client.thread.run(client.read(request, receiver), timeout_s=request.longest_s)

    def close(self) -> None:
        """End all answers and close all connections. Safe to repeat; the next request starts anew."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None and client.thread.is_usable:
            client.thread.stop()

    def _usable_client(self) -> "_Client":
        with self._lock:
            if self._client is not None and not self._client.thread.is_usable:
                self._unusable.append(self._client)
                self._client = None
            if self._client is None:
                self._client = _Client(self._limits, self._tls)
            return self._client


class _Client:
    """Session with its loop."""

    def __init__(self, limits: httpx2.Limits, tls: ssl.SSLContext) -> None:
        self._limits = limits
        self._tls = tls
        self._session: aiohttp.ClientSession | None = None
        self._reading = 0
        self._gathering: list[asyncio.Future[None]] = []
        self.thread = LoopThread("model-reader", on_end=self._close)

    async def read(self, request: OutgoingRequest, receiver: Receiver) -> ReadAnswer:
        self._reading += 1
        try:
            return await _Reading(self._open_session(), request, receiver, self.gather).run()
        finally:
            self._reading -= 1

    async def gather(self, protocol: BaseProtocol, *, is_background: bool) -> None:
        """In a crowd, leave what comes for an answer in the kernel until the next moment at which all are read; in the
        background always, and for longer.
        """
        if self._reading <= CROWD and not is_background:
            return
        protocol.pause_reading()
        if is_background:
            await asyncio.sleep(LONGEST_PAUSE_S)
        else:
            await self._next_read()
        protocol.resume_reading()

    async def _next_read(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._gathering:
            loop.call_later(min(LONGEST_PAUSE_S, self._reading**2 * PAUSE_S), self._read_all)
        waiting = loop.create_future()
        self._gathering.append(waiting)
        await waiting

    def _read_all(self) -> None:
        gathering, self._gathering = self._gathering, []
        for waiting in gathering:
            if not waiting.done():
                waiting.set_result(None)

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=self._limits.max_connections or 0,
                keepalive_timeout=self._limits.keepalive_expiry,
                ssl=self._tls,
            )
            # No proxy, password or cookie but those of the request itself.
            self._session = aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False
            )
        return self._session

    async def _close(self) -> None:
        if self._session is not None:
            await self._session.close()


class Gather(Protocol):
    """`_Client.gather`."""

    async def __call__(self, protocol: BaseProtocol, *, is_background: bool) -> None: ...


class _Reading:
    """One request and its answer, within their times."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        request: OutgoingRequest,
        receiver: Receiver,
        gather: Gather,
    ) -> None:
        self._session = session
        self._request = request
        self._receiver = receiver
        self._gather = gather
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._idle_until = time.monotonic() + request.connect_s + request.head_s
        self._was_cut_off: OSError | None = None

    async def run(self) -> ReadAnswer:
        self._tick = self._loop.call_later(TICK_S, self._look)
        try:
            return await self._answer()
        except asyncio.CancelledError:
            if self._was_cut_off is None:
                raise
            raise self._was_cut_off from None
        finally:
            self._tick.cancel()

    async def _answer(self) -> ReadAnswer:
        request = self._request
        async with self._session.request(
            request.method,
            URL(request.url, encoded=True),
            headers=request.headers,
            # A large body in one piece is copied, and warned of.
            data=io.BytesIO(request.body),
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=request.connect_s, sock_read=request.idle_s),
        ) as response:
            if response.status != 200:
                body = await _beginning(response)
                return ReadAnswer(status=response.status, headers=response.raw_headers, body=body)
            failure = await self._stream(response)
            return ReadAnswer(status=200, headers=response.raw_headers, failure=failure)

    async def _stream(self, response: aiohttp.ClientResponse) -> Exception | None:
        """Read the stream to its end, and return what else ended it."""
        protocol = response.connection.protocol if response.connection is not None else None
        if protocol is not None:
            # Its own timer would be set anew with each packet.
            protocol.read_timeout = None
        self._receiver.begin()
        try:
            while True:
                self._idle_until = time.monotonic() + self._request.idle_s
                piece = await response.content.readany()
                if not piece:
                    return None
                if not self._receiver.receive(piece):
                    response.close()
                    return None
                if self._receiver.has_text and protocol is not None and not response.content.is_eof():
                    await self._gather(protocol, is_background=self._receiver.is_background)
        except asyncio.CancelledError:
            response.close()
            if self._was_cut_off is None:
                raise
            return self._was_cut_off
        except (aiohttp.ClientError, OSError) as error:
            return error

    def _look(self) -> None:
        """End the answer when it is late, or when nobody wants it any more."""
        if time.monotonic() >= min(self._idle_until, self._receiver.ends_at):
            self._cut_off(TimeoutError("The answer does not come to an end."))
        elif not self._receiver.receive(b""):
            self._cut_off(ConnectionAbortedError("Nobody wants the answer any more."))
        else:
            self._tick = self._loop.call_later(TICK_S, self._look)

    def _cut_off(self, why: OSError) -> None:
        self._was_cut_off = why
        if self._task is not None:
            self._task.cancel()


async def _beginning(response: aiohttp.ClientResponse) -> bytes:
    """Read the beginning of an answer that is no stream; one that cannot be read counts as empty."""
    body = bytearray()
    with suppress(aiohttp.ClientPayloadError):
        while len(body) < MOST_ERROR_BYTES and (piece := await response.content.readany()):
            body += piece
    return bytes(body[:MOST_ERROR_BYTES])
