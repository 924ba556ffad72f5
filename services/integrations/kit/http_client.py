"""The HTTP connections that client libraries share: no cookies, no redirects, no words in the log."""

import atexit
import logging
from collections.abc import Iterable
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpcore
import httpx

from services.runtime.total_timeout import TotalTimeoutBackend, answered_within
from services.safety.fetch.page import ACCEPTED, UnreadableBody, read_body
from services.safety.fetch.sockets import AnswerOverLimit
from services.tools.providers.dry_run import refuse_in_dry_run

_READING_POSTS = ("/search", "/query", "/freeBusy", "/token")
"""Ends of addresses that are asked by POST and change nothing of the student's."""

LARGEST_ANSWER = 20 * 1024 * 1024
"""Bytes, unpacked; no list or page that a student has comes near it."""
_ABOUT_THE_BODY = (b"content-encoding", b"content-length", b"transfer-encoding")


class BufferedTransport(httpx.BaseTransport):
    """Reads every answer to its end itself: not more than `LARGEST_ANSWER`, nor for longer than to connect and to read.

    httpx would wait that long for each piece, and take as much as comes. Uses no proxy of the environment (R58).
    """

    def __init__(self) -> None:
        self._wrapped = httpx.HTTPTransport(trust_env=False)
        # httpx has no way to say it.
        self._wrapped._pool._network_backend = TotalTimeoutBackend(httpcore)  # type: ignore[assignment]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        waits = request.extensions["timeout"]
        with answered_within(waits["connect"] + waits["read"]):
            return self._whole(request)

    def _whole(self, request: httpx.Request) -> httpx.Response:
        answer = self._wrapped.handle_request(request)
        encoding = answer.headers.get("content-encoding", "")
        try:
            body, _ = read_body(_pieces(answer), encoding=encoding, limit_bytes=LARGEST_ANSWER, cut=False)
        except AnswerOverLimit:
            raise httpx.ReadError("The answer is too large.", request=request) from None
        except UnreadableBody:
            raise httpx.DecodingError("The answer is packed in another way than it says.", request=request) from None
        finally:
            answer.close()
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() not in _ABOUT_THE_BODY]
        return httpx.Response(answer.status_code, headers=headers, content=body)

    def close(self) -> None:
        self._wrapped.close()


def _pieces(answer: httpx.Response) -> Iterable[bytes]:
    return answer.stream if isinstance(answer.stream, httpx.SyncByteStream) else ()


@cache
def shared_client(service: str, timeout_s: float) -> httpx.Client:
    """The process's one client for a service; all students' calls share it, since it keeps nothing of one for the next.

    service: its id; each has a pool of connections of its own, so that one that hangs holds up no other.
    timeout_s: for connecting, and again for the whole answer.
    """
    # httpx logs whole addresses at INFO, and ours carry search words and ids of events and pages (T15).
    logging.getLogger("httpx").setLevel(logging.WARNING)
    no_cookies = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
    client = httpx.Client(
        transport=BufferedTransport(),
        headers={"accept-encoding": ACCEPTED},
        timeout=timeout_s,
        cookies=no_cookies,
        follow_redirects=False,
        event_hooks={"request": [_refuse_writes_while_looking]},
    )
    atexit.register(client.close)
    return client


def _refuse_writes_while_looking(request: httpx.Request) -> None:
    is_reading = request.method in ("GET", "HEAD") or request.url.path.endswith(_READING_POSTS)
    if not is_reading:
        refuse_in_dry_run()
