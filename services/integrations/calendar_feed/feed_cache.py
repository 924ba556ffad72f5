"""Cache of parsed feeds, for a short time, in this process's memory only."""

import hashlib
import math
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from services.connections import messages
from services.errors import ReconnectRequired, RequestRefused, ServiceUnavailable, Throttled
from services.i18n import gettext, gettext_noop
from services.integrations.calendar_feed.feed_addresses import LABEL
from services.integrations.calendar_feed.parser import NotACalendar, ParsedFeed, read_feed
from services.runtime.clock import Clock, utc_now
from services.runtime.retry_after import retry_after_s
from services.safety.fetch import FetchedPage, PageTooLarge, SafeFetch
from services.safety.provenance import Provenance

FRESH_FOR = timedelta(minutes=5)
OLD_IS_BETTER_THAN_NOTHING_FOR = timedelta(hours=24)
MOST_CACHED = 200
MOST_CACHED_BYTES = 12_000_000
"""Of all feeds as they were sent; read, they take up to fifty times as much memory."""
LIMIT_BYTES = 3_000_000
TIMEOUT_S = 8.0
_GONE = (401, 403, 404, 410)
_PASTE_AGAIN = gettext_noop(
    "Open Connections and paste the feed's address again; it may have been renewed where it comes from."
)


@dataclass(frozen=True, kw_only=True)
class CachedFeed:
    """Cache entry. feed: what was read. as_of: when. problem: why it could not be refreshed just now, if it could not.

    size: bytes of what was sent.
    """

    feed: ParsedFeed = field(repr=False)
    as_of: datetime
    etag: str = ""
    last_modified: str = ""
    problem: str = ""
    size: int = 0


class FeedCache:
    """LRU cache keyed by the hash of the address, which only its own students know."""

    def __init__(self, fetch: SafeFetch, clock: Clock) -> None:
        self._fetch = fetch
        self._clock = clock
        self._lock = threading.Lock()
        self._cached: OrderedDict[str, CachedFeed] = OrderedDict()

    def read(self, address: str, *, is_new: bool = False) -> CachedFeed:
        """The feed behind an address: of the last minutes, or read anew; an older one when it cannot be read.

        is_new: the student just pasted it, so it is tried, and what is wrong is said in full.
        Raises `ReconnectRequired` when there is nothing (any more), `RequestRefused` for what is no calendar,
        `AddressRefused`, `PageTooLarge`, `ServiceUnavailable`.
        """
        # The whole hash: a short one could be met by another address, and give away what stands behind this one.
        key, now = hashlib.sha256(address.encode()).hexdigest(), self._clock()
        with self._lock:
            cached = self._cached.get(key)
        if cached and not is_new and now - cached.as_of < FRESH_FOR:
            return cached
        try:
            made = self._read_anew(address, cached, now)
        except (ServiceUnavailable, RequestRefused) as problem:
            # What was a calendar an hour ago and is a web page now is away, as behind a campus's sign-in page.
            if cached is None or is_new or now - cached.as_of > OLD_IS_BETTER_THAN_NOTHING_FOR:
                raise
            return replace(cached, problem=str(problem))
        with self._lock:
            self._cached[key] = made
            self._cached.move_to_end(key)
            self._make_room()
        return made

    def _make_room(self) -> None:
        while len(self._cached) > MOST_CACHED or sum(feed.size for feed in self._cached.values()) > MOST_CACHED_BYTES:
            self._cached.popitem(last=False)

    def _read_anew(self, address: str, cached: CachedFeed | None, now: datetime) -> CachedFeed:
        asked = {"If-None-Match": cached.etag, "If-Modified-Since": cached.last_modified} if cached else {}
        try:
            page = self._fetch.get(
                address,
                accept="text/calendar, */*;q=0.5",
                limit_bytes=LIMIT_BYTES,
                timeout_s=TIMEOUT_S,
                headers={name: value for name, value in asked.items() if value},
                writer=Provenance.OTHERS,
            )
        except PageTooLarge:
            raise RequestRefused(
                LABEL, gettext("This calendar is larger than 3 MB, more than Homeroom reads.")
            ) from None
        if cached and page.status == 304:
            return replace(cached, as_of=now, problem="")
        return CachedFeed(
            feed=_parsed(page, address),
            as_of=now,
            etag=page.headers.get("etag", ""),
            last_modified=page.headers.get("last-modified", ""),
            size=len(page.body),
        )


def _parsed(page: FetchedPage, address: str) -> ParsedFeed:
    host = urlsplit(address).hostname or LABEL
    if page.status in _GONE:
        raise ReconnectRequired(
            LABEL,
            gettext("There is no calendar at this address on {host}.", host=host),
            next_step=gettext(_PASTE_AGAIN),
        )
    if page.status == 429:
        wait_s = retry_after_s(page.headers.get("retry-after"), utc_now())
        whole_s = None if wait_s is None else math.ceil(wait_s)
        raise Throttled(LABEL, messages.asks_to_slow_down(host, whole_s), retry_after_s=whole_s)
    if not page.is_good:
        raise ServiceUnavailable(
            LABEL, gettext("{host} could not give the calendar (status {status}).", host=host, status=page.status)
        )
    try:
        return read_feed(page.body, default_name=host, charset=page.charset)
    except NotACalendar as problem:
        raise _no_calendar(page, host, problem) from None


def _no_calendar(page: FetchedPage, host: str, problem: NotACalendar) -> RequestRefused:
    if not page.body.strip():
        sentence = gettext("{host} answered with nothing at all, so there is no calendar to read.", host=host)
    elif page.media_type in ("text/html", "application/xhtml+xml") or page.body.lstrip()[:1] == b"<":
        sentence = gettext("This address leads to a web page on {host}, not to a calendar feed.", host=host)
    else:
        sentence = gettext("What {host} sends is not a calendar ({problem}).", host=host, problem=problem)
    return RequestRefused(
        LABEL,
        sentence,
        next_step=gettext("Copy the feed's own address; the help beside the field says where each system has it."),
    )
