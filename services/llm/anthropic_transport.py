"""`AnthropicTransport`: carries requests of the SDK's client to the reader that all threads share.

The SDK adds its headers and raises its errors as with a transport of its own. Neither a proxy nor a password of the
environment is used, no redirect is followed, and of an answer that is no stream only the beginning is read.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
_receiving: ContextVar[tuple[Receiver, float, float]] = ContextVar("receiving")


class AnthropicTransport(httpx2.BaseTransport):
    """Transport that returns when an answer is over; its stream has gone to the receiver meanwhile."""

    def __init__(self, limits: httpx2.Limits) -> None:
        self._reader = AnswerReader(limits)

    @contextmanager
    def receiving(self, receiver: Receiver, *, head_s: float, whole_s: float) -> Iterator[None]:
        """Give the stream that answers the request of this block to a receiver.

        head_s: to status and headers. whole_s: from there to the end, as the receiver counts.
        """
        token = _receiving.set((receiver, head_s, whole_s))
        try:
            yield
        finally:
            _receiving.reset(token)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        receiver, head_s, whole_s = _receiving.get()
        try:
            answer = self._reader.read(_outgoing(request, head_s, whole_s), receiver)
        except (aiohttp.ClientError, OSError, LoopEnded) as error:
            raise transport_error(error) from error
        return _response(answer)

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


def _response(answer: ReadAnswer) -> httpx2.Response:
    headers = [(name, value) for name, value in answer.headers if name.lower() not in _BODY_HEADERS]
    extensions = {} if answer.failure is None else {FAILURE: transport_error(answer.failure)}
    return httpx2.Response(answer.status, headers=headers, content=answer.body, extensions=extensions)
