"""HTTP transport to Canvas: a session with deadlines and retries, and a guarded adapter for unlisted addresses."""

import io
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar

from services.connections.backoff import Backoff
from services.errors import BadArguments, ServiceError, ServiceUnavailable, Throttled
from services.i18n import gettext, gettext_noop
from services.integrations.canvas import errors
from services.integrations.canvas.errors import LABEL, TransientFailure
from services.runtime.deadline import Deadline
from services.runtime.library_compat import set_response_body
from services.runtime.total_timeout import answered_within
from services.safety.fetch import SafeFetch
from services.safety.fetch.target import parse_address

_CHUNK_BYTES = 64 * 1024
LARGEST_ANSWER_BYTES = 20 * 1024 * 1024
_MOST_REDIRECTS = 5
_LIMIT_S = 12.0
_OWN_PAGES = re.compile(
    r"/(?:accounts|api|calendar|conversations|courses|dashboard|grades|groups|login|profile|users)(?:/.*)?$"
)
"""Paths of Canvas's own pages: students copy the address of the page they are on."""
_BASE_PATH = re.compile(r"(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*")
"""Path in front of Canvas's own pages: usually none, and never one that leads upwards."""
COPY_ADDRESS = gettext_noop("Open Canvas in your browser, sign in, and copy the address from there.")
_UNPACKED_HEADERS = ("content-encoding", "content-length", "transfer-encoding")


@dataclass(frozen=True, kw_only=True)
class CanvasTimeouts:
    """Timeouts in seconds: for a connection, for each read, and for one operation in total."""

    connect_s: float = 4.0
    read_s: float = 8.0
    total_s: float = 15.0
    tries: int = 3
    sleep: Callable[[float], None] = time.sleep


class CanvasSession(requests.Session):
    """Session for one operation of one student: deadline, retries, and a token that never leaves its address.

    The deadline runs from the constructor. Threads may share it. Raises the errors of `errors`, so that canvasapi sees
    good answers only. GETs are retried after a transient failure, nothing else is. Sends no cookies, uses no proxy or
    .netrc of the environment.
    """

    limit_bytes = LARGEST_ANSWER_BYTES

    def __init__(
        self, origin: str, *, timeouts: CanvasTimeouts, adapter: HTTPAdapter, backoff: Backoff | None = None
    ) -> None:
        super().__init__()
        self.trust_env = False
        self.cookies = RequestsCookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
        self.mount("https://", adapter)
        self.mount("http://", adapter)
        self._home = origin
        self._timeouts = timeouts
        self._backoff = backoff or Backoff()
        self._deadline = Deadline(timeouts.total_s, sleep=timeouts.sleep)

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **kwargs: Any) -> requests.Response:
        """Send a request and read its answer to the end; raises for anything but a good answer."""
        verb, address = str(method), str(url)
        self._require_home(address)
        for attempt in range(self._timeouts.tries - 1 if verb == "GET" else 0):
            try:
                return self._request_following(verb, address, *args, **kwargs)
            except Throttled:
                # The next try waits for its turn, or says that it cannot.
                continue
            except TransientFailure:
                if not self._deadline.pause(attempt):
                    raise
        return self._request_following(verb, address, *args, **kwargs)

    def _request_following(self, method: str, address: str, *args: Any, **kwargs: Any) -> requests.Response:
        seen: set[str] = set()
        while True:
            with self._backoff.request_slot(self._deadline, LABEL):
                response = self._request_once(method, address, *args, **kwargs)
                self._slow_down(response)
            if not response.is_redirect:
                break
            seen.add(address)
            kwargs.pop("params", None)
            address = joined_address(address, response.headers["location"])
            self._require_home(address)
            if method != "GET" or address in seen or len(seen) > _MOST_REDIRECTS:
                raise ServiceUnavailable(LABEL, gettext("Canvas keeps sending us in a circle."))
        if problem := self._error_of(response):
            raise problem
        return response

    def _error_of(self, response: requests.Response) -> ServiceError | None:
        return errors.error_of_response(response)

    def _slow_down(self, response: requests.Response) -> None:
        """Slow down as the answer asks for: Canvas charges concurrent requests in advance."""
        problem = self._error_of(response)
        if isinstance(problem, Throttled):
            self._backoff.slow_down(problem.retry_after_s)
        elif errors.is_nearly_throttled(response):
            self._backoff.go_one_by_one()

    def _require_home(self, address: str) -> None:
        """Raise unless an address that Canvas named is its own: no token goes anywhere else."""
        if not self.is_home(address):
            raise ServiceUnavailable(
                LABEL,
                gettext("Canvas pointed to another address. The sign-in was not sent there."),
                next_step=gettext("Tell whoever runs Homeroom to check the Canvas address."),
            )

    def is_home(self, address: str) -> bool:
        """Whether an address is below that of this Canvas, to the letter."""
        home, named = urlsplit(self._home), urlsplit(address)
        is_origin = (named.scheme, named.netloc) == (home.scheme, home.netloc)
        return is_origin and named.path.startswith(f"{home.path}/")

    def _request_once(self, method: str, address: str, *args: Any, **kwargs: Any) -> requests.Response:
        left_s = self._deadline.remaining_s()
        if left_s == 0.0:
            raise errors.timeout_error()
        waits = (min(self._timeouts.connect_s, left_s), min(self._timeouts.read_s, left_s))
        kwargs.update(timeout=waits, allow_redirects=False, stream=True)
        try:
            with answered_within(left_s):
                response = super().request(method, address, *args, **kwargs)
                self._read(response)
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise errors.error_of_failed_request(error, address) from None
        except ValueError:
            # requests parses the address of a redirect, followed or not.
            raise errors.unreadable_answer() from None
        return response

    def _read(self, response: requests.Response) -> None:
        """Read the body within the deadline, however slowly it arrives; an incomplete one raises."""
        body = bytearray()
        while chunk := response.raw.read1(_CHUNK_BYTES, decode_content=True):
            body += chunk
            if len(body) > self.limit_bytes:
                response.close()
                raise errors.AnswerTooLong(
                    LABEL, gettext("Canvas sent more than Homeroom can read at once. Ask for less.")
                )
            if self._deadline.remaining_s() == 0.0:
                response.close()
                raise errors.timeout_error()
        set_response_body(response, bytes(body))


def joined_address(address: str, location: str) -> str:
    """Join an address that Canvas named to the one where it did; raises `ServiceUnavailable` for what is none."""
    try:
        joined = urljoin(address, location)
        urlsplit(joined)
    except ValueError:
        raise errors.unreadable_answer() from None
    return joined


def canvas_address(written: str, fetch: SafeFetch) -> str:
    """Parse the address of a Canvas as a student typed it: scheme, host and the path before Canvas's own pages.

    A student names it, so it is opened only through the guard, and only with a pasted token: Homeroom's own client id
    and secret are never sent there. Raises `AddressRefused` for what the guard does not open, and `BadArguments` for
    one without encryption, which only the operator's own may be.
    """
    text = written.strip()
    target = parse_address(text if "://" in text else f"https://{text}")
    if not fetch.is_operator_origin(target.url) and target.scheme != "https":
        sentence = gettext("Write an address that begins with https://, so that nobody on the way can read your token.")
        raise BadArguments(sentence, field="origin")
    if "xn--" in target.host:
        sentence = gettext("The name of this Canvas has letters beyond a to z, which may look like another school's.")
        raise BadArguments(" ".join((sentence, gettext(COPY_ADDRESS))), field="origin")
    path = _OWN_PAGES.sub("", re.sub("/{2,}", "/", target.path.partition("?")[0])).rstrip("/")
    if not _BASE_PATH.fullmatch(path):
        sentence = gettext("This is not where a Canvas begins.")
        raise BadArguments(" ".join((sentence, gettext(COPY_ADDRESS))), field="origin")
    return target.origin + path


class GuardedAdapter(HTTPAdapter):
    """Transport adapter that sends requests through the URL guard, each over a new connection; follows no redirect."""

    def __init__(self, fetch: SafeFetch, *, limit_bytes: int = LARGEST_ANSWER_BYTES) -> None:
        super().__init__()
        self._fetch, self._limit_bytes = fetch, limit_bytes

    def with_limit(self, limit_bytes: int) -> "GuardedAdapter":
        """Adapter like this one for answers of another size."""
        return GuardedAdapter(self._fetch, limit_bytes=limit_bytes)

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Send through the guard; raises what `SafeFetch` raises."""
        page = self._fetch.once(
            str(request.method),
            str(request.url),
            headers=dict(request.headers),
            limit_bytes=self._limit_bytes,
            timeout_s=max(timeout) if timeout else _LIMIT_S,
        )
        answer = urllib3.HTTPResponse(
            body=io.BytesIO(page.body),
            headers={name: value for name, value in page.headers.items() if name not in _UNPACKED_HEADERS},
            status=page.status,
            preload_content=False,
        )
        return self.build_response(request, answer)
