"""Feed parser: a feed fetched by the guarded client and parsed by feedparser, its items in plain text."""

import calendar
import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin, urlsplit

from services.errors import RequestRefused, ServiceUnavailable
from services.i18n import gettext
from services.runtime.library_compat import skip_feed_authors
from services.safety.fetch import FetchedPage, SafeFetch
from services.safety.html import html_to_text
from services.safety.provenance import Provenance
from services.safety.text import one_line, plain

ACCEPT = "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1"
MOST_BYTES = 400_000
"""Bytes to read of a feed: its newest items come first, and parsing takes about two seconds a megabyte."""
TIMEOUT_S = 8.0
SUMMARY = 300
_MOST_BASES = 1_000
_ENDLESS_TAG = re.compile(rb"<\w[^<>]{20000}")
_ENDED = re.compile(rb"</(?:rss|feed|(?:\w+:)?rdf)\s*>", re.IGNORECASE)
_AT_END = 2_000
"""Bytes at the end that hold the closing tag, with the comments that servers write below it."""


@dataclass(frozen=True, kw_only=True)
class FeedItem:
    """Post. published: in UTC, None when the feed does not say. url: "" when it has none that can be opened."""

    title: str
    url: str
    published: datetime | None
    summary: str


@dataclass(frozen=True, kw_only=True)
class NewsFeed:
    """Feed. items: the newest first. is_cut: only the beginning was read or sent."""

    title: str
    url: str
    items: tuple[FeedItem, ...]
    is_cut: bool


def read_feed(fetch: SafeFetch, url: str, *, writer: Provenance = Provenance.STRANGERS) -> NewsFeed:
    """Fetch and parse a feed; raises the errors of `SafeFetch`, and `RequestRefused` for what is not a feed.

    writer: who may have posted in it: strangers, unless whoever runs Homeroom has chosen the feed.
    """
    page = fetch.get(url, accept=ACCEPT, limit_bytes=MOST_BYTES, timeout_s=TIMEOUT_S, cut=True, writer=writer)
    host = urlsplit(page.url).hostname or url
    if not page.is_good:
        raise ServiceUnavailable(
            host, gettext("{host} has no feed there at the moment (answer {status}).", host=host, status=page.status)
        )
    found = _parse(page)
    if not found.get("version"):
        raise RequestRefused(
            host,
            gettext("What {host} sent is not a news feed.", host=host),
            next_step=gettext("Look for a link named RSS or Atom on its page."),
        )
    is_cut = page.is_cut or _breaks_off(page, found)
    # The last post of a feed that breaks off may be incomplete.
    whole = found.entries[:-1] if is_cut else found.entries
    is_atom = str(found.version).startswith("atom")
    items = [_item(entry, page.url, is_atom) for entry in whole]
    items.sort(key=lambda item: item.published or datetime.min.replace(tzinfo=UTC), reverse=True)
    title = one_line(found.feed.get("title") or host, 100)
    return NewsFeed(title=title, url=page.url, items=tuple(items), is_cut=is_cut)


def _parse(page: FetchedPage) -> Any:
    import feedparser

    skip_feed_authors()
    content_type = f"{page.media_type or 'application/xml'}{f'; charset={page.charset}' if page.charset else ''}"
    # Bytes alone would be tried as a file name first. Markup is read by `to_text`, in linear time.
    return feedparser.parse(
        io.BytesIO(b"" if _is_hostile(page.body) else page.body),
        response_headers={"content-type": content_type, "content-location": page.url},
        sanitize_html=False,
        resolve_relative_uris=False,
    )


def _is_hostile(body: bytes) -> bool:
    """Whether parsing would take minutes, because feedparser falls back to a slower parser when its first one fails.

    Entity definitions serve only to blow a feed up, and no real feed has thousands of attributes or bases.
    """
    text = body.replace(b"\0", b"")
    return b"<!ENTITY" in text or text.count(b"xml:base") > _MOST_BASES or bool(_ENDLESS_TAG.search(text))


def _breaks_off(page: FetchedPage, found: Any) -> bool:
    """Whether its end is missing; most other errors in feeds are harmless."""
    return bool(found.bozo) and not _ENDED.search(page.body[-_AT_END:].replace(b"\0", b""))


def _item(entry: Any, base: str, is_atom: bool) -> FeedItem:
    link = urljoin(base, entry.get("link") or "")
    return FeedItem(
        title=one_line(_words(entry, "title", is_atom, limit=400)) or "(without a title)",
        url=link if link.startswith(("http://", "https://")) else "",
        published=next((_time(entry[kind]) for kind in ("published_parsed", "updated_parsed") if kind in entry), None),
        summary=one_line(plain(_words(entry, "summary", is_atom, limit=2_000)), SUMMARY),
    )


def _words(entry: Any, name: str, is_atom: bool, *, limit: int) -> str:
    """Text of an element. Atom says of each whether it is markup (RFC 4287, 3.1); RSS does not, and mostly it is."""
    text = entry.get(name) or ""
    is_plain = is_atom and (entry.get(f"{name}_detail") or {}).get("type") == "text/plain"
    return str(text)[:limit] if is_plain else html_to_text(text, limit=limit)


def _time(parts: Any) -> datetime | None:
    """Time of feedparser's parts, which are in UTC; None for invalid ones."""
    try:
        return datetime.fromtimestamp(calendar.timegm(parts), UTC) if parts else None
    except (ValueError, OverflowError, OSError):
        return None
