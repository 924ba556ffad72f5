"""`EventParser`: parses server-sent events from pieces of an answer.

The SDK's reader is left out: it copies an event anew with each of its lines, and waits for as long as anything comes.
Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import codecs
import io
from collections.abc import Iterator
from typing import NamedTuple

import httpx2

PING = "ping"


class ServerSentEvent(NamedTuple):
    """Event of a stream: its name, and its data as it was written."""

    name: str
    data: str


class EventParser:
    """Incremental parser of one answer; raises `httpx2.DecodingError` past the sizes, and `UnicodeDecodeError`."""

    def __init__(self, *, most_bytes: int, longest: int) -> None:
        """most_bytes: of the whole answer, unpacked. longest: characters of one event."""
        self._bytes_left = most_bytes
        self._longest = longest
        self._decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
        self._unfinished: list[str] = []
        self._unfinished_size = 0
        self._name, self._data, self._size = "", list[str](), 0

    def feed(self, piece: bytes) -> Iterator[ServerSentEvent]:
        """Yield the events that this piece ends and that have a name and data, pings left out."""
        self._bytes_left -= len(piece)
        if self._bytes_left < 0:
            raise oversized_error()
        return self._events(self._decoder.decode(piece))

    def end(self) -> Iterator[ServerSentEvent]:
        """Yield an event that only the end of the answer ends, by a carriage return that no line feed followed."""
        return self._events(self._decoder.decode(b"", final=True))

    def _events(self, text: str) -> Iterator[ServerSentEvent]:
        for line in self._lines(text):
            self._size += len(line)
            if self._size > self._longest:
                raise oversized_error()
            field, _, value = line.partition(":")
            if field == "event":
                self._name = value.removeprefix(" ")
            elif field == "data":
                self._data.append(value.removeprefix(" "))
            elif not line:
                if self._name and self._name != PING and self._data:
                    yield ServerSentEvent(self._name, "\n".join(self._data))
                self._name, self._data, self._size = "", [], 0

    def _lines(self, text: str) -> Iterator[str]:
        first, *others = text.split("\n")
        self._unfinished.append(first)
        self._unfinished_size += len(first)
        if self._unfinished_size > self._longest:
            raise oversized_error()
        if others:
            yield "".join(self._unfinished)
            yield from others[:-1]
            self._unfinished, self._unfinished_size = others[-1:], len(others[-1])


def oversized_error() -> httpx2.DecodingError:
    """Build the error for an answer longer than any that was asked for, which a retry would not shorten."""
    return httpx2.DecodingError("The answer is longer than any that was asked for.")
