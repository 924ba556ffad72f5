"""HTTP transport to Anthropic: requests as plain JSON, and the events of an answer within bounds of time and size.

The SDK's client adds its headers and errors. Its typed layer is left out: it walks through every tool of a request and
builds an object for each word, a third of what an answer cost while fifty answers share one interpreter. Its reader of
events is left out, too: it copies an event anew with each of its lines, and waits for as long as anything comes.
Format: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
"""

import codecs
import io
import json
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import anthropic
import httpcore2
import httpx2
from anthropic.types import RawMessageStreamEvent

from services.runtime.identity_cache import IdentityCache
from services.runtime.total_timeout import TotalTimeoutBackend, answered_within
from services.safety.fetch.page import UnreadableBody, read_body

PING = "ping"
_MAX_ERROR_BYTES = 64 * 1024
_BODY_HEADERS = (b"content-encoding", b"content-length", b"transfer-encoding")
PATH = "/v1/messages"
TOOL_CHANGES_BETA = "mid-conversation-tool-changes-2026-07-01"
"""https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages#mid-conversation-tool-changes"""


@dataclass(frozen=True, kw_only=True)
class StreamBounds:
    """Bounds of one answer: a multiple of what the longest one needs that is asked for (`effort.with_effort`).

    head_s: to its status and headers. whole_s: from there to its end. still_s: without any event but pings; a model
    that thinks silently sends nothing else for minutes. most_bytes: unpacked. longest: characters of one event.
    """

    head_s: float = 90.0
    whole_s: float = 900.0
    still_s: float = 300.0
    most_bytes: int = 16 * 1024 * 1024
    longest: int = 4 * 1024 * 1024


class ServerSentEvent(NamedTuple):
    """Event of a stream: its name, and its data as it was written."""

    name: str
    data: str


class AnthropicTransport(httpx2.HTTPTransport):
    """Transport without a proxy of the environment, which reads only the beginning of an answer that is no stream."""

    def __init__(self, limits: httpx2.Limits) -> None:
        super().__init__(limits=limits)
        # httpx2 has no argument for the network backend.
        self._pool._network_backend = TotalTimeoutBackend(httpcore2)  # type: ignore[assignment]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        answer = super().handle_request(request)
        if answer.status_code == 200 or not isinstance(answer.stream, httpx2.SyncByteStream):
            return answer
        body = b""
        encoding = answer.headers.get("content-encoding", "")
        with closing(answer), suppress(UnreadableBody):
            body, _ = read_body(answer.stream, encoding=encoding, limit_bytes=_MAX_ERROR_BYTES, cut=True)
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() not in _BODY_HEADERS]
        return httpx2.Response(answer.status_code, headers=headers, content=body)


class AnthropicWire:
    """Sender of streamed requests; safe to use from many threads, as the client is."""

    def __init__(self, client: anthropic.Anthropic, bounds: StreamBounds | None = None) -> None:
        self._client = client
        self._bounds = bounds or StreamBounds()
        self._tools = IdentityCache(_written)

    def events(self, sent: Mapping[str, Any], betas: Sequence[str] = ()) -> Generator[Mapping[str, Any], None, None]:
        """Send one streamed request and yield its events, pings left out.

        Source: https://docs.anthropic.com/en/api/messages-streaming
        Raises as the SDK does: `anthropic.APIError`, for an error in the stream too, and `httpx2.HTTPError`,
        for what is no stream of events either.
        """
        with answered_within(self._bounds.head_s):
            stream = self._client.post(
                PATH,
                content=self._body(sent),
                options={"headers": {"anthropic-beta": ",".join(betas)}} if betas else {},
                cast_to=object,
                stream=True,
                stream_cls=anthropic.Stream[RawMessageStreamEvent],
            )
        with stream:
            try:
                yield from _events(stream, self._bounds)
            except (ValueError, RecursionError):
                raise httpx2.RemoteProtocolError("The stream is not of events in JSON.") from None

    def _body(self, sent: Mapping[str, Any]) -> bytes:
        rest = {name: value for name, value in sent.items() if name != "tools"}
        written = _written(rest)
        if "tools" in sent:
            # The same hundred definitions go with every request.
            written = f'{written[:-1]},"tools":{self._tools(sent["tools"])}}}'
        return written.encode(errors="replace")


def _events(stream: anthropic.Stream[Any], bounds: StreamBounds) -> Iterator[Mapping[str, Any]]:
    for name, data in read_events(stream.response, bounds):
        if name == "error":
            raise _failure(data, stream)
        event = json.loads(data)
        if not isinstance(event, dict):
            raise ValueError
        yield event


def _failure(data: str, stream: anthropic.Stream[Any]) -> anthropic.APIStatusError:
    """Build the SDK's error for one that comes within a stream, with the status of the answer that it ended."""
    try:
        body = json.loads(data)
    except ValueError:
        body = data
    return anthropic.APIStatusError(str(body), response=stream.response, body=body)


def _written(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


class _StreamDeadline:
    def __init__(self, bounds: StreamBounds) -> None:
        self._still_s = bounds.still_s
        self._ends_at = time.monotonic() + bounds.whole_s
        self.restart_silence()

    def restart_silence(self) -> None:
        """Start the silence anew: something other than a ping came."""
        self._still_until = time.monotonic() + self._still_s

    @property
    def left_s(self) -> float:
        return min(self._ends_at, self._still_until) - time.monotonic()


def read_events(answer: httpx2.Response, bounds: StreamBounds) -> Iterator[ServerSentEvent]:
    """Yield the events that have a name and data, pings left out.

    Raises `httpx2.ReadTimeout` past the times, `httpx2.DecodingError` past the sizes, `UnicodeDecodeError`.
    """
    deadline = _StreamDeadline(bounds)
    name, data, size = "", list[str](), 0
    for line in _lines(_pieces(answer, deadline, bounds.most_bytes), bounds.longest):
        size += len(line)
        if size > bounds.longest:
            raise oversized_error()
        field, _, value = line.partition(":")
        if field == "event":
            name = value.removeprefix(" ")
        elif field == "data":
            data.append(value.removeprefix(" "))
        elif not line:
            if name and name != PING and data:
                deadline.restart_silence()
                yield ServerSentEvent(name, "\n".join(data))
            name, data, size = "", [], 0


def oversized_error() -> httpx2.DecodingError:
    """Build the error for an answer longer than any that was asked for, which a retry would not shorten."""
    return httpx2.DecodingError("The answer is longer than any that was asked for.")


def _lines(pieces: Iterable[bytes], longest: int) -> Iterator[str]:
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder("utf-8-sig")(), translate=True)
    unfinished, size = list[str](), 0
    for piece in pieces:
        first, *others = decoder.decode(piece).split("\n")
        unfinished.append(first)
        size += len(first)
        if size > longest:
            raise oversized_error()
        if others:
            yield "".join(unfinished)
            yield from others[:-1]
            unfinished, size = others[-1:], len(others[-1])
    yield from ("".join(unfinished) + decoder.decode(b"", final=True)).split("\n")[:-1]


def _pieces(answer: httpx2.Response, deadline: _StreamDeadline, most_bytes: int) -> Iterator[bytes]:
    pieces, size = answer.iter_bytes(), 0
    while True:
        if deadline.left_s <= 0:
            raise httpx2.ReadTimeout("The answer does not come to an end.")
        # Not around a `yield`: other requests of the reader meanwhile have deadlines of their own.
        with answered_within(deadline.left_s):
            piece = next(pieces, None)
        if piece is None:
            return
        size += len(piece)
        if size > most_bytes:
            raise oversized_error()
        yield piece
