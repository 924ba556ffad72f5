"""`AnthropicWire`: sends requests as plain JSON, and takes the events of an answer within bounds of time and size.

The SDK's client adds its headers and errors. Its typed layer is left out: it walks through every tool of a request and
builds an object for each word, a third of what an answer cost while fifty answers share one interpreter.
"""

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
from anthropic.types import RawMessageStreamEvent

from services.llm.anthropic_events import EventParser, ServerSentEvent
from services.llm.anthropic_reply import ReplyAssembler
from services.llm.anthropic_transport import FAILURE, AnthropicTransport
from services.llm.chat_model import AnswerUnwanted, OnText
from services.runtime.identity_cache import IdentityCache

PATH = "/v1/messages"


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


class AnthropicWire:
    """Sender of streamed requests; safe to use from many threads, as the client is."""

    def __init__(
        self, client: anthropic.Anthropic, transport: AnthropicTransport, bounds: StreamBounds | None = None
    ) -> None:
        """transport: the client's."""
        self._client = client
        self._transport = transport
        self._bounds = bounds or StreamBounds()
        self._tools = IdentityCache(_written)

    def stream(
        self,
        sent: Mapping[str, Any],
        message: ReplyAssembler,
        on_text: OnText,
        betas: Sequence[str] = (),
        *,
        is_background: bool = False,
    ) -> None:
        """Send one streamed request and wait until its events are in the message; see `ChatModel` for `on_text`, and
        `ModelRequest` for `is_background`.

        Source: https://docs.anthropic.com/en/api/messages-streaming
        Raises as the SDK does: `anthropic.APIError`, for an error in the stream too, and `httpx2.HTTPError`,
        for what is no stream of events either. Raises `AnswerUnwanted`, and what `on_text` raises.
        """
        bounds = self._bounds
        receiver = StreamReceiver(bounds, message, on_text, is_background=is_background)
        body, wanted = self._body(sent), ",".join(betas)
        try:
            with self._transport.receiving(receiver, head_s=bounds.head_s, whole_s=bounds.whole_s, kind=wanted):
                response = self._transport.repeat(body) or self._post(body, wanted)
        except anthropic.APIError:
            if receiver.stopped_by is not None:
                raise receiver.stopped_by from None
            raise
        finally:
            receiver.close()
        receiver.finish(response)

    def _post(self, body: bytes, betas: str) -> httpx2.Response:
        """Send a request by the SDK's client, which also says what is wrong with an answer that is no stream."""
        stream = self._client.post(
            PATH,
            content=body,
            options={"headers": {"anthropic-beta": betas}} if betas else {},
            cast_to=object,
            stream=True,
            stream_cls=anthropic.Stream[RawMessageStreamEvent],
        )
        with stream:
            return stream.response

    def _body(self, sent: Mapping[str, Any]) -> bytes:
        rest = {name: value for name, value in sent.items() if name != "tools"}
        written = _written(rest)
        if "tools" in sent:
            # The same hundred definitions go with every request.
            written = written[:-1] + b',"tools":' + self._tools(sent["tools"]) + b"}"
        return written


class StreamReceiver:
    """Receiver of one stream (see `anthropic_reader.Receiver`): its events go to the message, its text to `on_text`."""

    def __init__(
        self, bounds: StreamBounds, message: ReplyAssembler, on_text: OnText, *, is_background: bool = False
    ) -> None:
        self.is_background = is_background
        self._bounds = bounds
        self._message = message
        self._on_text = on_text
        self._parser = EventParser(most_bytes=bounds.most_bytes, longest=bounds.longest)
        self._is_open = True
        self.stopped_by: Exception | None = None
        """What `on_text` raised, or `AnswerUnwanted`."""
        self._broken_by: Exception | None = None
        self._whole_until = self._still_until = math.inf

    @property
    def ends_at(self) -> float:
        return min(self._whole_until, self._still_until)

    @property
    def has_text(self) -> bool:
        return self._message.has_text

    def begin(self) -> None:
        now = time.monotonic()
        self._whole_until, self._still_until = now + self._bounds.whole_s, now + self._bounds.still_s

    def receive(self, piece: bytes) -> bool:
        if not self._is_open:
            return False
        text = self._text_of(self._parser.feed(piece)) if piece else ""
        try:
            if not self._on_text(text):
                self.stopped_by = AnswerUnwanted()
        except Exception as error:  # To the thread that asked; the reader goes on with other answers.
            self.stopped_by = error
        self._is_open = self.stopped_by is None and self._broken_by is None
        return self._is_open

    def close(self) -> None:
        """Take nothing more from the reader."""
        self._is_open = False

    def finish(self, response: httpx2.Response) -> None:
        """Take the last event, on the thread that asked; raise what ended the stream before its end."""
        if self.stopped_by is None and self._broken_by is None:
            text = self._text_of(self._parser.end())
            if text and not self._on_text(text):
                self.stopped_by = AnswerUnwanted()
        failure = self.stopped_by or self._broken_by or response.extensions.get(FAILURE)
        if isinstance(failure, _ErrorEvent):
            raise failure.as_sdk_error(response)
        if failure is not None:
            raise failure

    def _text_of(self, events: Iterator[ServerSentEvent]) -> str:
        """Add the events to the message, up to one that is wrong; their text."""
        texts = []
        try:
            for event in events:
                self._still_until = time.monotonic() + self._bounds.still_s
                texts.append(self._message.add_event(_decoded(event)))
        except (httpx2.HTTPError, _ErrorEvent) as error:
            self._broken_by = error
        except (ValueError, RecursionError):
            self._broken_by = httpx2.RemoteProtocolError("The stream is not of events in JSON.")
        return "".join(texts)


class _ErrorEvent(Exception):
    """Event that reports an error. Carries its data."""

    def __init__(self, data: str) -> None:
        super().__init__()
        self._data = data

    def as_sdk_error(self, response: httpx2.Response) -> anthropic.APIStatusError:
        """Build the SDK's error, with the status of the answer that it ended."""
        try:
            body = json.loads(self._data)
        except (ValueError, RecursionError):
            body = self._data
        return anthropic.APIStatusError(str(body), response=response, body=body)


def _decoded(event: ServerSentEvent) -> Mapping[str, Any]:
    if event.name == "error":
        raise _ErrorEvent(event.data)
    content = json.loads(event.data)
    if not isinstance(content, dict):
        raise ValueError
    return content


def _written(content: object) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
