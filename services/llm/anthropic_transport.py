"""`AnthropicTransport`: carries requests of the SDK's client to the reader that all threads share.

The SDK adds its headers and raises its errors as with a transport of its own. Neither a proxy nor a password of the
environment is used, no redirect is followed, and of an answer that is no stream only the beginning is read.
What the SDK makes of a request is kept: the next ones of its kind differ in their body only, and making each anew took
more of the interpreter than all that a turn prepares.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

import aiohttp
import httpx2

from services.llm.anthropic_reader import AnswerReader, OutgoingRequest, ReadAnswer, Receiver
from services.runtime.loop_thread import LoopEnded

FAILURE = "homeroom.failure"
"""Extension of a response: the error that broke its stream off."""
_BODY_HEADERS = (b"content-encoding", b"content-length", b"transfer-encoding")
_OUR_HEADERS = (b"accept-encoding", b"content-length", b"connection")
_ACCEPTED = ("Accept-Encoding", "gzip, deflate")
"""What the reader unpacks whatever is installed beside it."""


@dataclass(kw_only=True)
class _Exchange:
    """One request and what has come of it. kind: requests of one kind differ in their body only.

    head_s: to status and headers. whole_s: from there to the end, as the receiver counts.
    """

    receiver: Receiver
    head_s: float
    whole_s: float
    kind: str
    outcome: ReadAnswer | Exception | None = field(default=None, repr=False)


_exchange: ContextVar[_Exchange] = ContextVar("exchange")


class AnthropicTransport(httpx2.BaseTransport):
    """Transport that returns when an answer is over; its stream has gone to the receiver meanwhile."""

    def __init__(self, limits: httpx2.Limits) -> None:
        self._reader = AnswerReader(limits)
        self._kinds: dict[str, tuple[OutgoingRequest, httpx2.Request]] = {}
        """What was sent last of each kind, without its words; the second is what errors name."""

    @contextmanager
    def receiving(self, receiver: Receiver, *, head_s: float, whole_s: float, kind: str = "") -> Iterator[None]:
        """Give the stream that answers the request of this block to a receiver; see `_Exchange`."""
        token = _exchange.set(_Exchange(receiver=receiver, head_s=head_s, whole_s=whole_s, kind=kind))
        try:
            yield
        finally:
            _exchange.reset(token)

    def repeat(self, body: bytes) -> httpx2.Response | None:
        """Send what the client has sent last of this block's kind, with another body; the response, of a stream.

        None when the client is to send the request: it has sent none of this kind yet, or the answer is none that is
        streamed, and is given to the client then, which tells what is wrong with it. Nothing is sent twice.
        """
        exchange = _exchange.get()
        if (known := self._kinds.get(exchange.kind)) is None:
            return None
        outgoing, named = known
        self._send(replace(outgoing, body=body), exchange)
        answer = exchange.outcome
        return _response(answer, named) if isinstance(answer, ReadAnswer) and answer.status == 200 else None

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        exchange = _exchange.get()
        if exchange.outcome is None:
            outgoing = _outgoing(request, exchange.head_s, exchange.whole_s)
            named = httpx2.Request(outgoing.method, outgoing.url)
            self._kinds[exchange.kind] = replace(outgoing, body=b""), named
            self._send(outgoing, exchange)
        # A second request of the same block would be another one.
        answer, exchange.outcome = exchange.outcome, None
        if isinstance(answer, ReadAnswer):
            return _response(answer)
        assert answer is not None
        raise transport_error(answer) from answer

    def _send(self, outgoing: OutgoingRequest, exchange: _Exchange) -> None:
        try:
            exchange.outcome = self._reader.read(outgoing, exchange.receiver)
        except (aiohttp.ClientError, OSError, LoopEnded) as error:
            exchange.outcome = error

    def close(self) -> None:
        self._reader.close()


def transport_error(error: Exception) -> httpx2.TransportError:
    """Map a failure of the reader to what the SDK's own transport would raise."""
    match error:
        case aiohttp.ConnectionTimeoutError():
            return httpx2.ConnectTimeout("No connection came about in time.")
        case TimeoutError():
            return httpx2.ReadTimeout("The answer does not come to an end.")
        case aiohttp.ClientConnectorError():
            return httpx2.ConnectError("No connection came about.")
        case aiohttp.InvalidURL():
            return httpx2.UnsupportedProtocol("The address is none of HTTP.")
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientPayloadError() | aiohttp.ClientResponseError():
            return httpx2.RemoteProtocolError("The answer is not whole, or not of HTTP.")
        case LoopEnded():
            return httpx2.ReadError("The reader of answers was stopped.")
    return httpx2.ReadError("The connection was lost.")


def _outgoing(request: httpx2.Request, head_s: float, whole_s: float) -> OutgoingRequest:
    timeout = request.extensions["timeout"]
    headers = [(name, value) for name, value in request.headers.raw if name.lower() not in _OUR_HEADERS]
    return OutgoingRequest(
        method=request.method,
        url=str(request.url.copy_with(userinfo=b"") if request.url.userinfo else request.url),
        headers=[*((name.decode("ascii"), value.decode("latin-1")) for name, value in headers), _ACCEPTED],
        body=request.read(),
        connect_s=timeout["connect"],
        head_s=head_s,
        idle_s=timeout["read"],
        longest_s=timeout["pool"] + timeout["connect"] + head_s + whole_s + timeout["read"],
    )


def _response(answer: ReadAnswer, request: httpx2.Request | None = None) -> httpx2.Response:
    headers = [(name, value) for name, value in answer.headers if name.lower() not in _BODY_HEADERS]
    extensions = {} if answer.failure is None else {FAILURE: transport_error(answer.failure)}
    return httpx2.Response(answer.status, headers=headers, content=answer.body, request=request, extensions=extensions)
