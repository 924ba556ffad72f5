"""The events of an answer as they come over the wire, within bounds: what drips, floods or only pings is broken off.

The SDK's own reader copies an event anew with each of its lines, and waits for as long as anything comes.
Form: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import codecs
import io
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import NamedTuple

import httpcore2
import httpx2

from services.runtime.total_timeout import TotalTimeoutBackend, answered_within
from services.safety.fetch.body import UnreadableBody, read_body

PING = "ping"
_LONGEST_REFUSAL = 64 * 1024
_ABOUT_THE_BODY = (b"content-encoding", b"content-length", b"transfer-encoding")


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Of one answer: some times what the longest one takes that is asked for (`effort.with_effort`).

    head_s: to its status and headers. whole_s: from there to its end. still_s: without any event but pings; a model
    that thinks unheard sends nothing else for minutes. most_bytes: unpacked. longest: characters of one event.
    """

    head_s: float = 90.0
    whole_s: float = 900.0
    still_s: float = 300.0
    most_bytes: int = 16 * 1024 * 1024
    longest: int = 4 * 1024 * 1024


class BoundedTransport(httpx2.HTTPTransport):
    """Uses no proxy of the environment (R58), and reads of an answer that is no stream only its beginning."""

    def __init__(self, limits: httpx2.Limits) -> None:
        super().__init__(limits=limits)
        # httpx2 has no way to say it.
        self._pool._network_backend = TotalTimeoutBackend(httpcore2)  # type: ignore[assignment]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = super().handle_request(request)
        if answer.status_code == 200 or not isinstance(answer.stream, httpx2.SyncByteStream):
            return answer
        body = b""
        encoding = answer.headers.get("content-encoding", "")
        with closing(answer), suppress(UnreadableBody):
            body, _ = read_body(answer.stream, encoding=encoding, limit_bytes=_LONGEST_REFUSAL, cut=True)
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() not in _ABOUT_THE_BODY]
        return httpx2.Response(answer.status_code, headers=headers, content=body)


class Told(NamedTuple):
    """One event: what it is called, and its data as it was written."""

    name: str
    data: str


class _Clock:
    def __init__(self, bounds: Bounds) -> None:
        self._still_s = bounds.still_s
        self._ends_at = time.monotonic() + bounds.whole_s
        self.move()

    def move(self) -> None:
        """Something came that is more than a sign of life."""
        self._still_until = time.monotonic() + self._still_s

    @property
    def left_s(self) -> float:
        return min(self._ends_at, self._still_until) - time.monotonic()


def told(answer: httpx2.Response, bounds: Bounds) -> Iterator[Told]:
    """The events that have a name and data, pings left out.

    Raises `httpx2.ReadTimeout` past the times, `httpx2.DecodingError` past the sizes, `UnicodeDecodeError`.
    """
    clock = _Clock(bounds)
    name, data, size = "", list[str](), 0
    for line in _lines(_pieces(answer, clock, bounds.most_bytes), bounds.longest):
        size += len(line)
        if size > bounds.longest:
            raise too_much()
        field, _, value = line.partition(":")
        if field == "event":
            name = value.removeprefix(" ")
        elif field == "data":
            data.append(value.removeprefix(" "))
        elif not line:
            if name and name != PING and data:
                clock.move()
                yield Told(name, "\n".join(data))
            name, data, size = "", [], 0


def too_much() -> httpx2.DecodingError:
    """An answer that is longer than any that was asked for: to ask again would bring no shorter one."""
    return httpx2.DecodingError("The answer is longer than any that was asked for.")


def _lines(pieces: Iterable[bytes], longest: int) -> Iterator[str]:
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    begun, size = list[str](), 0
    for piece in pieces:
        first, *others = decoder.decode(piece).split("\n")
        begun.append(first)
        size += len(first)
        if size > longest:
            raise too_much()
        if others:
            yield "".join(begun)
            yield from others[:-1]
            begun, size = others[-1:], len(others[-1])
    yield from ("".join(begun) + decoder.decode(b"", final=True)).split("\n")[:-1]


def _pieces(answer: httpx2.Response, clock: _Clock, most_bytes: int) -> Iterator[bytes]:
    pieces, size = answer.iter_bytes(), 0
    while True:
        if clock.left_s <= 0:
            raise httpx2.ReadTimeout("The answer does not come to an end.")
        # Not around a `yield`: what else its reader asks meanwhile has times of its own.
        with answered_within(clock.left_s):
            piece = next(pieces, None)
        if piece is None:
            return
        size += len(piece)
        if size > most_bytes:
            raise too_much()
        yield piece
