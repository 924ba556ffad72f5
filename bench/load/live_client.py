"""A browser's side of the live route: a POST, then the server-sent stream, on one connection of a bare socket.

While words come it only notes when which bytes came; they are read when everybody has heard their answer.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from bench.load.crowd import Timing
from services.assistants.assistant import DEFAULT_ASSISTANT

END_OF_HEAD = b"\r\n\r\n"
END_OF_BODY = b"0\r\n\r\n"


class Event(NamedTuple):
    """Event of the stream. came_s: seconds from asking to its last byte."""

    came_s: float
    name: str
    data: Mapping[str, Any]


@dataclass(kw_only=True)
class LiveStudent:
    """Sends the first message of a new chat and follows the answer. words: that it is expected to have."""

    url: str
    cookies: Mapping[str, str]
    words: int
    text: str = "Explain photosynthesis to me, please."
    conversation_id: str = field(default="", init=False)
    _pieces: list[tuple[float, bytes]] = field(default_factory=list, init=False)
    _asked_at: float = field(default=0.0, init=False)
    _connection: "_Connection | None" = field(default=None, init=False)

    async def prepare(self) -> None:
        """Nothing: a browser whose tab was idle has no connection open either."""

    async def ask(self) -> None:
        self._asked_at = time.perf_counter()
        self._connection = await _connect(self.url)
        [(_, answer)] = await self._connection.fetch(self._post(), is_stream=False)
        head, _, body = answer.partition(END_OF_HEAD)
        assert b" 202 " in head[:20], f"the message was not taken: {answer[:500]!r}"
        self.conversation_id = json.loads(body)["conversation_id"]
        self._pieces = await self._connection.fetch(self._get(f"/live/{self.conversation_id}"), is_stream=True)

    def timing(self) -> Timing:
        return timing_of(self.events(), self.words)

    def events(self) -> Iterator[Event]:
        """What was heard."""
        return read_events([(came_at - self._asked_at, piece) for came_at, piece in self._pieces])

    async def leave(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _post(self) -> bytes:
        body = json.dumps({"text": self.text, "assistant": DEFAULT_ASSISTANT, "effort": None}).encode()
        own = (
            f"Origin: {self.url}",
            "X-Requested-With: homeroom",
            f"Idempotency-Key: {uuid.uuid4()}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        )
        return self._head("POST", "/live/messages", own) + body

    def _get(self, path: str) -> bytes:
        return self._head("GET", path, ("Accept: text/event-stream",))

    def _head(self, method: str, path: str, own: Sequence[str]) -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        shared = (f"Host: {urlsplit(self.url).netloc}", f"Cookie: {cookies}", "Sec-Fetch-Site: same-origin")
        return "\r\n".join((f"{method} {path} HTTP/1.1", *shared, *own, "", "")).encode()


@dataclass(kw_only=True)
class ModelListener:
    """Asks the model's server itself: how late that and the clients are without any server in between."""

    url: str
    words: int
    _pieces: list[tuple[float, bytes]] = field(default_factory=list, init=False)
    _asked_at: float = field(default=0.0, init=False)
    _connection: "_Connection | None" = field(default=None, init=False)

    async def prepare(self) -> None:
        """Nothing: it connects when it asks."""

    async def ask(self) -> None:
        self._asked_at = time.perf_counter()
        self._connection = await _connect(self.url)
        body = b'{"stream": true}'
        head = f"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        self._pieces = await self._connection.fetch(head.encode() + body, is_stream=True)

    def timing(self) -> Timing:
        pieces = [(came_at - self._asked_at, piece) for came_at, piece in self._pieces]
        return timing_of(read_events(pieces), self.words)

    async def leave(self) -> None:
        if self._connection is not None:
            self._connection.close()


def timing_of(events: Iterable[Event], words: int) -> Timing:
    """When the first and the last word of an answer came."""
    first_s = last_s = 0.0
    latest = ""
    for event in events:
        latest = str(event.data)
        first_s = first_s or (event.came_s if "word1" in latest else 0.0)
        last_s = last_s or (event.came_s if f"word{words}" in latest else 0.0)
    assert last_s, f"the answer never arrived whole; its last event: {latest[-300:]}"
    return Timing(first_s=first_s, last_s=last_s)


def read_events(pieces: Sequence[tuple[float, bytes]]) -> Iterator[Event]:
    """Events of a chunked answer. pieces: seconds at which they came, and bytes."""
    event = b""
    for came_s, chunk in _chunks(pieces):
        event += chunk
        while b"\n\n" in event:
            block, _, event = event.partition(b"\n\n")
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n") if line and line[0] != ":")
            if "data" in fields:
                yield Event(came_s, fields.get("event", ""), json.loads(fields["data"]))


def _chunks(pieces: Sequence[tuple[float, bytes]]) -> Iterator[tuple[float, bytes]]:
    buffer, is_head = b"", True
    for came_s, piece in pieces:
        buffer += piece
        if is_head:
            head, end, rest = buffer.partition(END_OF_HEAD)
            if not end:
                continue
            is_stream = b" 200 " in head[:20] and b"chunked" in head.lower()
            assert is_stream, f"no stream came: {buffer[:500]!r}"
            buffer, is_head = rest, False
        while b"\r\n" in buffer:
            size, _, rest = buffer.partition(b"\r\n")
            length = int(size, 16)
            if len(rest) < length + 2:
                break
            yield came_s, rest[:length]
            buffer = rest[length + 2 :]


class _Connection(asyncio.Protocol):
    """Connection that notes what comes, and when."""

    def __init__(self) -> None:
        self._pieces: list[tuple[float, bytes]] = []
        self._done: asyncio.Future[None] | None = None
        self._is_stream = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's own is none of asyncio's classes.
        self._transport = cast(asyncio.Transport, transport)

    async def fetch(self, request: bytes, *, is_stream: bool) -> list[tuple[float, bytes]]:
        """What came and when, up to the end of the answer; without a stream, joined."""
        self._pieces, self._is_stream = [], is_stream
        self._done = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        await self._done
        return self._pieces

    def data_received(self, data: bytes) -> None:
        assert self._done is not None
        now = time.perf_counter()
        if self._is_stream:
            self._pieces.append((now, data))
            if data.endswith(END_OF_BODY) and not self._done.done():
                self._done.set_result(None)
            return
        joined = self._pieces[0][1] + data if self._pieces else data
        self._pieces = [(now, joined)]
        if _is_whole(joined) and not self._done.done():
            self._done.set_result(None)

    def connection_lost(self, error: Exception | None) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(error or ConnectionResetError("the server hung up in the middle of an answer"))

    def close(self) -> None:
        self._transport.close()


async def _connect(url: str) -> _Connection:
    address, loop = urlsplit(url), asyncio.get_running_loop()
    _, connection = await loop.create_connection(_Connection, address.hostname, address.port)
    return connection


def _is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(END_OF_HEAD)
    if not end:
        return False
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return len(body) >= int(lengths[0].partition(b":")[2]) if lengths else answer.endswith(END_OF_BODY)
