"""`CanvasSession`: the HTTP that canvasapi lacks: deadlines, retries, and a token that never leaves its address."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar

from services.connections.pace import Pace
from services.errors import ServiceUnavailable, Throttled
from services.i18n import gettext
from services.integrations.canvas import errors
from services.integrations.canvas.errors import LABEL, Hiccup
from services.runtime.deadline import Deadline
from services.runtime.total_timeout import answered_within

_CHUNK = 64 * 1024
_LARGEST_ANSWER = 20 * 1024 * 1024
_MOST_REDIRECTS = 5


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to wait for Canvas: for a connection, for each sign of life, for everything together; seconds."""

    connect_s: float = 4.0
    read_s: float = 8.0
    total_s: float = 15.0
    tries: int = 3
    sleep: Callable[[float], None] = time.sleep


class CanvasSession(requests.Session):
    """For one operation of one student: the deadline runs from here. Threads may share it.

    Raises the errors of `problems`, so that canvasapi sees good answers only. GETs are tried again after a hiccup,
    nothing else is. Sends no cookies, uses no proxy or .netrc of the environment.
    """

    def __init__(self, origin: str, *, patience: Patience, adapter: HTTPAdapter, pace: Pace | None = None) -> None:
        super().__init__()
        self.trust_env = False
        self.cookies = RequestsCookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
        self.mount("https://", adapter)
        self.mount("http://", adapter)
        self._home = origin
        self._patience = patience
        self._pace = pace or Pace()
        self._deadline = Deadline(patience.total_s, sleep=patience.sleep)

    def request(self, method: str | bytes, url: str | bytes, *args: Any, **kwargs: Any) -> requests.Response:
        """One good answer, read to its end."""
        verb, address = str(method), str(url)
        self._require_home(address)
        for attempt in range(self._patience.tries - 1 if verb == "GET" else 0):
            try:
                return self._followed(verb, address, *args, **kwargs)
            except Throttled:
                # The next try waits for its turn, or says that it cannot.
                continue
            except Hiccup:
                if not self._deadline.pause(attempt):
                    raise
        return self._followed(verb, address, *args, **kwargs)

    def _followed(self, method: str, address: str, *args: Any, **kwargs: Any) -> requests.Response:
        seen: set[str] = set()
        while True:
            with self._pace.turn(self._deadline, LABEL):
                response = self._once(method, address, *args, **kwargs)
                self._heed(response)
            if not response.is_redirect:
                break
            seen.add(address)
            kwargs.pop("params", None)
            address = urljoin(address, response.headers["location"])
            self._require_home(address)
            if method != "GET" or address in seen or len(seen) > _MOST_REDIRECTS:
                raise ServiceUnavailable(LABEL, gettext("Canvas keeps sending us in a circle."))
        if problem := errors.of_answer(response):
            raise problem
        return response

    def _heed(self, response: requests.Response) -> None:
        """Go on as slowly as the answer asks for: Canvas charges side-by-side requests in advance (R18)."""
        problem = errors.of_answer(response)
        if isinstance(problem, Throttled):
            self._pace.slow_down(problem.retry_after_s)
        elif errors.is_nearly_throttled(response):
            self._pace.go_one_by_one()

    def _require_home(self, address: str) -> None:
        """Raise unless an address that Canvas named is its own: no token goes anywhere else (T16, R24)."""
        home, named = urlsplit(self._home), urlsplit(address)
        is_home = (named.scheme, named.netloc) == (home.scheme, home.netloc)
        if not is_home or not named.path.startswith(f"{home.path}/"):
            raise ServiceUnavailable(
                LABEL,
                gettext("Canvas pointed to another address. Your sign-in was not sent there."),
                next_step=gettext("Tell whoever runs Homeroom to check the Canvas address."),
            )

    def _once(self, method: str, address: str, *args: Any, **kwargs: Any) -> requests.Response:
        left_s = self._deadline.remaining_s()
        if left_s == 0.0:
            raise errors.late()
        waits = (min(self._patience.connect_s, left_s), min(self._patience.read_s, left_s))
        kwargs.update(timeout=waits, allow_redirects=False, stream=True)
        try:
            with answered_within(left_s):
                response = super().request(method, address, *args, **kwargs)
                self._read(response)
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise errors.of_silence(error, address) from None
        return response

    def _read(self, response: requests.Response) -> None:
        """The body, within the deadline however slowly it drips; a short one raises."""
        body = bytearray()
        while chunk := response.raw.read1(_CHUNK, decode_content=True):
            body += chunk
            if len(body) > _LARGEST_ANSWER:
                response.close()
                raise ServiceUnavailable(
                    LABEL, gettext("Canvas sent more than Homeroom can read at once. Ask for less.")
                )
            if self._deadline.remaining_s() == 0.0:
                response.close()
                raise errors.late()
        response._content = bytes(body)
        response._content_consumed = True  # type: ignore[attr-defined]
