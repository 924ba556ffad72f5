"""`AnswerReader`: sends all requests to the model and reads all of its streams, on one thread with an event loop.

Who waits for an answer is woken once, when it is over: a thread woken for each word costs more than the word.
"""

import asyncio
import io
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import aiohttp
import httpx2
from yarl import URL

from services.runtime.loop_thread import LoopThread

TICK_S = 0.25
"""Between two looks at the times of an answer, and at whether anybody wants it still."""
CROWD = 8
"""So many answers at once are read as soon as anything comes."""
PAUSE_PER_ANSWER_S = 0.0005
LONGEST_PAUSE_S = 0.1
"""Between two reads of one answer in a crowd: words that are read together cost as much as one."""
MOST_ERROR_BYTES = 64 * 1024
GRACE_S = 30.0
"""Beyond all times of an answer; only a loop that hangs takes longer."""


class Receiver(Protocol):
    """Taker of one stream. Its methods are called on the reader's thread, which all answers share: they never wait."""

    @property
    def ends_at(self) -> float:
        """Monotonic second at which the stream is given up, as things stand."""

    def begin(self) -> None:
        """Start the times: the head of the answer has come."""

    def receive(self, piece: bytes) -> bool:
        """Take a piece, unpacked; it is empty when nothing came. Returns whether more is wanted."""


@dataclass(frozen=True, kw_only=True)
class OutgoingRequest:
    """Request as it goes out. connect_s: to a connection. head_s: to status and headers. idle_s: between two pieces.

    whole_s: from the head to the end.
    """

    method: str
    url: str
    headers: Sequence[tuple[str, str]] = field(repr=False)
    body: bytes = field(repr=False)
    connect_s: float
    head_s: float
    idle_s: float
    whole_s: float


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
        self._lock = threading.Lock()
        self._client: _Client | None = None
        self._unusable: list[_Client] = []
        """Clients that a fork has cut off: their connections belong to the parent, and are not closed here."""

    def read(self, request: OutgoingRequest, receiver: Receiver) -> ReadAnswer:
        """Send a request and wait for the end of its answer, which goes to the receiver if it is a stream.

        Raises the errors of aiohttp and `TimeoutError` before the head has come, `LoopEnded` at any time.
        """
        longest_s = request.connect_s + request.head_s + request.whole_s + GRACE_S
        client = self._usable_client()
        return client.thread.run(client.read(request, receiver), timeout_s=longest_s)

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
                self._client = _Client(self._limits)
            return self._client


class _Client:
    """Session with its loop."""

    def __init__(self, limits: httpx2.Limits) -> None:
        self._limits = limits
        self._session: aiohttp.ClientSession | None = None
        self._reading = 0
        self.thread = LoopThread("model-reader", on_end=self._close)

    async def read(self, request: OutgoingRequest, receiver: Receiver) -> ReadAnswer:
        self._reading += 1
        try:
            return await _Reading(self._open_session(), request, receiver, self._pause_s).run()
        finally:
            self._reading -= 1

    def _pause_s(self) -> float:
        """Seconds between two reads of one answer, now."""
        return min(LONGEST_PAUSE_S, self._reading * PAUSE_PER_ANSWER_S) if self._reading > CROWD else 0.0
