"""A feed as items: fetched by the guarded client, read by feedparser, in plain text."""

import calendar
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from services.errors import RequestRefused, ServiceUnavailable
from services.i18n import gettext
from services.safety.fetch import FetchedPage, SafeFetch
from services.safety.html import html_to_text
from services.safety.text import one_line, plain

ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"
MOST_BYTES = 400_000
"""Read of one feed: its newest items come first, and reading costs about two seconds a megabyte."""
TIMEOUT_S = 8.0
SUMMARY = 300
_MOST_BASES = 1_000
_ENDLESS_TAG = re.compile(rb"<\w[^<>]{20000}")
_ENDED = re.compile(rb"</(?:rss|feed|(?:\w+:)?rdf)\s*>", re.IGNORECASE)
_AT_END = 2_000
"""Bytes in which the end of a feed stands, with the remarks that servers write below it."""


@dataclass(frozen=True, kw_only=True)
class FeedItem:
    """published: aware, or None when the feed does not say. url: "" when it has none that can be opened."""

    title: str
    url: str
    published: datetime | None
    summary: str


@dataclass(frozen=True, kw_only=True)
class NewsFeed:
    """items: the newest first. is_cut: only the beginning was read or sent."""

    title: str
    url: str
    items: tuple[FeedItem, ...]
    is_cut: bool


def read_feed(fetch: SafeFetch, url: str) -> NewsFeed:
    """The feed at an address; raises the errors of `SafeFetch`, and `RequestRefused` for what is no feed."""
    page = fetch.get(url, accept=ACCEPT, limit_bytes=MOST_BYTES, timeout_s=TIMEOUT_S, cut=True)
    host = urlsplit(page.url).hostname or url
    if not page.is_good:
        raise ServiceUnavailable(
            host, gettext("{host} has no feed there at the moment (answer {status}).", host=host, status=page.status)
        )
    found = _parsed(page)
    if not found.get("version"):
        raise RequestRefused(
            host,
            gettext("What {host} sent is not a news feed.", host=host),
            next_step=gettext("Look for a link named RSS or Atom on its page."),
        )
    is_cut = page.is_cut or _breaks_off(page, found)
    # Of one that breaks off the last post may be half a sentence.
    whole = found.entries[:-1] if is_cut else found.entries
    items = [_item(entry, page.url) for entry in whole]
    items.sort(key=lambda item: item.published or datetime.min.replace(tzinfo=UTC), reverse=True)
    title = one_line(found.feed.get("title") or host, 100)
    return NewsFeed(title=title, url=page.url, items=tuple(items), is_cut=is_cut)


def _parsed(page: FetchedPage) -> Any:
    import feedparser
    from feedparser.mixin import _FeedParserMixin

    # It looks for an address in an author's name, which nobody reads here, in squares of that name's length.
    _FeedParserMixin._sync_author_detail = _unread
    said = f"{page.media_type or 'application/xml'}{f'; charset={page.charset}' if page.charset else ''}"
    # Bytes alone would be tried as the name of a file of ours first. Markup is read by `to_text`, in linear time.
    return feedparser.parse(
        io.BytesIO(b"" if _is_hostile(page.body) else page.body),
        response_headers={"content-type": said, "content-location": page.url},
        sanitize_html=False,
        resolve_relative_uris=False,
    )


def _is_hostile(body: bytes) -> bool:
    """Whether reading it would take minutes (T22): feedparser goes on with a slower reader where its first one stops.

    Entities of its own only ever blow a feed up, and no feed has tags of thousands of attributes or so many bases.
    """
    text = body.replace(b"\0", b"")
    return b"<!ENTITY" in text or text.count(b"xml:base") > _MOST_BASES or bool(_ENDLESS_TAG.search(text))


def _unread(*_: object) -> None:
    """In the place of what nobody needs."""


def _breaks_off(page: FetchedPage, found: Any) -> bool:
    """Whether its end is missing; much else that is wrong with feeds does no harm."""
    return bool(found.bozo) and not _ENDED.search(page.body[-_AT_END:].replace(b"\0", b""))


def _item(entry: Any, base: str) -> FeedItem:
    link = urljoin(base, entry.get("link") or "")
    return FeedItem(
        title=one_line(html_to_text(entry.get("title"), limit=400)) or "(without a title)",
        url=link if link.startswith(("http://", "https://")) else "",
        published=next((_time(entry[kind]) for kind in ("published_parsed", "updated_parsed") if kind in entry), None),
        summary=one_line(plain(html_to_text(entry.get("summary"), limit=2_000)), SUMMARY),
    )


def _time(parts: Any) -> datetime | None:
    """feedparser gives times in UTC, and nonsense for some nonsense."""
    try:
        return datetime.fromtimestamp(calendar.timegm(parts), UTC) if parts else None
    except (ValueError, OverflowError, OSError):
        return None
