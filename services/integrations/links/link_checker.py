"""Link checker for many links at once, with limits for each host, so that hosts that hang do not hold up others."""

import re
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from services.errors import ServiceError, ServiceUnavailable, TooLarge
from services.i18n import get_locale, gettext, locale_scope
from services.runtime.deadline import Deadline
from services.safety.fetch import AddressRefused, FetchedPage, FetchTimeout, HostUnknown, HostUnreachable, SafeFetch

AT_ONCE = 16
AT_ONCE_FOR_A_HOST = 2
MOST_TIMEOUTS_OF_A_HOST = 2
"""Links of a host without an answer in time, after which its other links are not tried."""
EACH_S = 8.0
_ENOUGH = 20_000
"""Bytes to read of a page whose server does not support HEAD."""
_MEDIA_TYPE = re.compile(r"[a-z0-9][\w.+!#$&^-]{0,40}/[a-z0-9][\w.+!#$&^-]{0,80}", re.ASCII)
_STATUS_MEANINGS = {404: "is not there", 410: "was taken away for good", 500: "has a problem of its own"}


class LinkState(StrEnum):
    OK = "ok"
    REDIRECTED = "redirected"
    BROKEN = "broken"
    UNCHECKED = "could not be checked"


@dataclass(frozen=True, kw_only=True)
class CheckedLink:
    """Result of a link. final: the address after redirects. detail: what happened, in words, for the model.

    media_type: of the target, like text/html; empty when it is not known. is_timeout: no answer came in time.
    """

    url: str
    state: LinkState
    detail: str = ""
    final: str | None = None
    media_type: str = ""
    is_timeout: bool = False


def check_link(fetch: SafeFetch, url: str, timeout_s: float) -> CheckedLink:
    """Check a link by HEAD, and by GET where HEAD fails, because some servers do not support it (RFC 9110, 9.3.2)."""
    deadline = Deadline(timeout_s)
    try:
        page = _head(fetch, url, deadline)
        if page is None or (page.status >= 400 and page.status != 429):
            page = fetch.get(url, limit_bytes=_ENOUGH, cut=True, timeout_s=max(deadline.remaining_s(), 1.0))
    except AddressRefused as refusal:
        return CheckedLink(url=url, state=LinkState.UNCHECKED, detail=str(refusal))
    except (HostUnknown, HostUnreachable) as problem:
        return CheckedLink(url=url, state=LinkState.BROKEN, detail=str(problem))
    except (ServiceUnavailable, TooLarge) as problem:
        is_timeout = isinstance(problem, FetchTimeout)
        return CheckedLink(url=url, state=LinkState.UNCHECKED, detail=str(problem), is_timeout=is_timeout)
    return _result(url, page)


def _head(fetch: SafeFetch, url: str, deadline: Deadline) -> FetchedPage | None:
    try:
        return fetch.head(url, timeout_s=deadline.remaining_s())
    except (FetchTimeout, HostUnreachable, HostUnknown, AddressRefused):
        raise
    except ServiceError:
        return None


def _result(url: str, page: FetchedPage) -> CheckedLink:
    if page.is_good and not page.hops:
        return CheckedLink(url=url, state=LinkState.OK, media_type=_type(page))
    if page.is_good:
        leads = f"leads to {page.url}"
        return CheckedLink(url=url, state=LinkState.REDIRECTED, detail=leads, final=page.url, media_type=_type(page))
    after = f" after leading to {page.url}" if page.hops else ""
    if page.status in (401, 403, 407, 429, 451):
        detail = f"shows itself to visitors who sign in only ({page.status})" if page.status != 429 else "is busy (429)"
        return CheckedLink(url=url, state=LinkState.UNCHECKED, detail=f"{detail}{after}")
    meaning = _STATUS_MEANINGS.get(page.status, "answers with an error")
    return CheckedLink(url=url, state=LinkState.BROKEN, detail=f"{meaning} ({page.status}){after}")


def _type(page: FetchedPage) -> str:
    """Media type, if it is a valid one (RFC 6838, 4.2): a header is untrusted input, too."""
    return page.media_type if _MEDIA_TYPE.fullmatch(page.media_type) else ""


class LinkChecker:
    """Pool of threads over many links. is_stopped: polled between links. on_progress: gets how many are done."""

    def __init__(
        self,
        fetch: SafeFetch,
        urls: Sequence[str],
        *,
        within_s: float,
        is_stopped: Callable[[], bool] = lambda: False,
        on_progress: Callable[[str], None] = lambda note: None,
    ) -> None:
        self._fetch = fetch
        self._deadline = Deadline(within_s)
        self._is_stopped = is_stopped
        self._on_progress = on_progress
        self._urls = urls
        self._waiting: deque[str] = deque(dict.fromkeys(urls))
        self._running: Counter[str] = Counter()
        self._timeouts: Counter[str] = Counter()
        self._done: dict[str, CheckedLink] = {}
        self._change = threading.Condition()
        self._locale = get_locale()

    def run(self) -> list[CheckedLink]:
        """Check all links; the results in their order, also of those that there was no time for."""
        workers = [threading.Thread(target=self._work, daemon=True) for _ in range(min(AT_ONCE, len(self._waiting)))]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return [self._done.get(url) or _unreached(url) for url in dict.fromkeys(self._urls)]

    def _work(self) -> None:
        while (url := self._next()) is not None:
            checked = check_link(self._fetch, url, min(EACH_S, max(self._deadline.remaining_s(), 0.1)))
            self._finish(url, checked)

    def _next(self) -> str | None:
        """Wait for a link whose host is below its limit; None when nothing is left or time is up."""
        with self._change:
            while self._waiting and self._deadline.remaining_s() > 0 and not self._is_stopped():
                for url in self._waiting:
                    host = _host(url)
                    if self._running[host] < AT_ONCE_FOR_A_HOST:
                        self._waiting.remove(url)
                        self._running[host] += 1
                        return url
                self._change.wait(min(0.5, self._deadline.remaining_s()))
            return None

    def _finish(self, url: str, checked: CheckedLink) -> None:
        host = _host(url)
        with self._change:
            self._done[url] = checked
            self._running[host] -= 1
            self._timeouts[host] += checked.is_timeout
            if self._timeouts[host] >= MOST_TIMEOUTS_OF_A_HOST:
                self._give_up(host)
            self._report_progress()
            self._change.notify_all()

    def _report_progress(self) -> None:
        """Report in the student's language: the worker threads' own locale is English, which the model reads."""
        done, left = len(self._done), len(self._waiting) + self._running.total()
        with locale_scope(self._locale):
            self._on_progress(gettext("{done} of {total}", done=done, total=done + left))

    def _give_up(self, host: str) -> None:
        for url in [url for url in self._waiting if _host(url) == host]:
            self._waiting.remove(url)
            self._done[url] = CheckedLink(url=url, state=LinkState.UNCHECKED, detail=f"{host} does not answer.")


def _unreached(url: str) -> CheckedLink:
    return CheckedLink(url=url, state=LinkState.UNCHECKED, detail="there was no time left for it")


def _host(url: str) -> str:
    return urlsplit(url).netloc.lower()


def sort_by_urgency(checked: Iterable[CheckedLink]) -> list[CheckedLink]:
    """Sort links by what a person should look at first."""
    order = [LinkState.BROKEN, LinkState.UNCHECKED, LinkState.REDIRECTED, LinkState.OK]
    return sorted(checked, key=lambda link: order.index(link.state))
