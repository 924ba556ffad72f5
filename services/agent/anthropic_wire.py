"""The wire to Anthropic: requests and events as plain JSON, carried by the SDK's client with its headers and errors.

The SDK's typed layer walks through every tool of a request and builds an object for each word. Fifty answers at once
share one interpreter, and that was a third of what an answer cost it.
"""

import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

import anthropic
import httpx2
from anthropic.types import RawMessageStreamEvent

from services.agent.anthropic_stream import Bounds, told
from services.runtime.identity_cache import OfSame
from services.runtime.total_timeout import answered_within

PATH = "/v1/messages"


class Wire:
    """Safe to use from many threads, as the client is."""

    def __init__(self, client: anthropic.Anthropic, bounds: Bounds | None = None) -> None:
        self._client = client
        self._bounds = bounds or Bounds()
        self._tools = OfSame(_written)

    def events(self, sent: Mapping[str, Any], betas: Sequence[str] = ()) -> Generator[Mapping[str, Any], None, None]:
        """The events of one streamed request (https://docs.anthropic.com/en/api/messages-streaming), pings left out.

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


def _events(stream: anthropic.Stream[Any], bounds: Bounds) -> Iterator[Mapping[str, Any]]:
    for name, data in told(stream.response, bounds):
        if name == "error":
            raise _failure(data, stream)
        event = json.loads(data)
        if not isinstance(event, dict):
            raise ValueError
        yield event


def _failure(data: str, stream: anthropic.Stream[Any]) -> anthropic.APIStatusError:
    """An error that comes within a stream, as the SDK tells it: with the status of the answer that it broke off."""
    try:
        body = json.loads(data)
    except ValueError:
        body = data
    return anthropic.APIStatusError(str(body), response=stream.response, body=body)


def _written(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
