"""HTTP client that the client libraries of services share: no cookies, no redirects, no addresses in the log."""

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

_READ_ONLY_POSTS = ("/search", "/query", "/freeBusy", "/token")
"""Ends of paths whose POST changes nothing of the student's."""

LARGEST_ANSWER = 20 * 1024 * 1024
"""Bytes, decompressed; no list or page that a student has comes near it."""
_BODY_HEADERS = (b"content-encoding", b"content-length", b"transfer-encoding")


class BufferedTransport(httpx.BaseTransport):
    """Transport that reads each answer whole, at most `LARGEST_ANSWER`, within the timeouts to connect and to read.

    httpx would wait that long for each chunk, and accept any size. Uses no proxy of the environment.
    """

    def __init__(self) -> None:
        self._wrapped = httpx.HTTPTransport(trust_env=False)
        # httpx has no public way to set it.
        self._wrapped._pool._network_backend = TotalTimeoutBackend(httpcore)  # type: ignore[assignment]

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        waits = request.extensions["timeout"]
        with answered_within(waits["connect"] + waits["read"]):
            return self._read_whole(request)

    def _read_whole(self, request: httpx.Request) -> httpx.Response:
        answer = self._wrapped.handle_request(request)
        encoding = answer.headers.get("content-encoding", "")
        try:
            body, _ = read_body(_chunks(answer), encoding=encoding, limit_bytes=LARGEST_ANSWER, cut=False)
        except AnswerOverLimit:
            raise httpx.ReadError("The answer is too large.", request=request) from None
        except UnreadableBody:
            raise httpx.DecodingError("The answer is packed in another way than it says.", request=request) from None
        finally:
            answer.close()
        headers = [(name, value) for name, value in answer.headers.raw if name.lower() not in _BODY_HEADERS]
        return httpx.Response(answer.status_code, headers=headers, content=body)

    def close(self) -> None:
        self._wrapped.close()


def _chunks(answer: httpx.Response) -> Iterable[bytes]:
    return answer.stream if isinstance(answer.stream, httpx.SyncByteStream) else ()


@cache
def shared_client(service: str, timeout_s: float) -> httpx.Client:
    """Client of a service for the whole process: it keeps nothing of a call, so all students' calls share it.

    service: its id; each has its own connection pool, so that a service that hangs holds up no other.
    timeout_s: for connecting, and again for the whole answer.
    """
    # httpx logs whole addresses at INFO, and ours carry search words and ids of events and pages.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    no_cookies = CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
    client = httpx.Client(
        transport=BufferedTransport(),
        headers={"accept-encoding": ACCEPTED},
        timeout=timeout_s,
        cookies=no_cookies,
        follow_redirects=False,
        event_hooks={"request": [_refuse_writes_in_dry_run]},
    )
    atexit.register(client.close)
    return client


def _refuse_writes_in_dry_run(request: httpx.Request) -> None:
    is_read_only = request.method in ("GET", "HEAD") or request.url.path.endswith(_READ_ONLY_POSTS)
    if not is_read_only:
        refuse_in_dry_run()
