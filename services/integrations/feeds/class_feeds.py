"""`ClassFeeds`: posts of the feeds that assistants of classes follow, fetched on a schedule and once for each class.

A question only reads what is stored: whoever keeps a feed would learn from a request that somebody asked, and by many
feeds what they asked about.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from services.classes.assistants.published_assistants import PublishedAssistants
from services.errors import ServiceError
from services.integrations.feeds.parser import NewsFeed, read_feed
from services.runtime.clock import Clock, stamp
from services.safety.fetch import SafeFetch
from services.safety.field_log import declared
from services.safety.provenance import Provenance
from services.storage.documents import Document
from services.storage.records import read_or_none, read_record, record_reader
from services.storage.store import Store

COLLECTION = "class_feeds"
EVERY = timedelta(hours=1)
LOOK_EVERY = timedelta(minutes=2)
"""How often published assistants are looked through for feeds that are new."""
MOST_AT_ONCE = 2
"""Feeds fetched in one round of the jobs, which wait for it."""
KEPT_FOR = timedelta(days=2)
MOST_ITEMS = 50
_JOB = "read_class_feeds"


@dataclass(frozen=True, kw_only=True)
class StoredFeed:
    """Feed as it was last read. feed: None when it never could be. problem: why the last try failed, or ""."""

    feed: NewsFeed | None
    problem: str
    fetched_at: datetime


class ClassFeeds:
    def __init__(self, *, store: Store, published: PublishedAssistants, fetch: SafeFetch, clock: Clock) -> None:
        self._documents, self._guard = store.shared, store.guard
        self._published = published
        self._fetch = fetch
        self._clock = clock
        self._due: list[tuple[str, str]] = []
        self._next_look: datetime | None = None

    def refresh_due(self) -> None:
        """Fetch a few of the feeds that are due; those that were fetched least lately come first."""
        now = self._clock()
        if not self._due and (self._next_look is None or now >= self._next_look):
            self._next_look = now + LOOK_EVERY
            self._due = self._look(now)
        for _ in range(min(MOST_AT_ONCE, len(self._due))):
            class_id, url = self._due.pop(0)
            self._guard.run(_JOB, COLLECTION, _id(class_id, url), partial(self._refresh, class_id, url, now))

    def _look(self, now: datetime) -> list[tuple[str, str]]:
        due: list[tuple[datetime, tuple[str, str]]] = []

        def note(class_id: str, url: str) -> None:
            fetched_at = self._fetched_at(class_id, url)
            is_resting = self._guard.is_resting(_JOB, COLLECTION, _id(class_id, url))
            if fetched_at + EVERY <= now and not is_resting:
                due.append((fetched_at, (class_id, url)))

        for class_id, url in self._published.feeds_in_use():
            # By its class: an address that cannot be encoded has no id.
            self._guard.run(_JOB, COLLECTION, class_id, partial(note, class_id, url))
        return [pair for _, pair in sorted(due)]

    def _fetched_at(self, class_id: str, url: str) -> datetime:
        """When a feed was fetched last; long ago for one that is new, or whose document cannot be read."""
        stored = read_or_none(_read, self._documents.get(COLLECTION, _id(class_id, url)))
        return stored.fetched_at if stored else datetime.min.replace(tzinfo=UTC)

    def _refresh(self, class_id: str, url: str, now: datetime) -> None:
        id = _id(class_id, url)
        before = self._documents.get(COLLECTION, id)
        feed: dict[str, Any] | None
        try:
            feed, problem = _document(read_feed(self._fetch, url, writer=Provenance.PUBLIC)), ""
        except ServiceError as failed:
            is_whole = read_or_none(_read, before) is not None
            feed, problem = before["feed"] if before and is_whole else None, str(failed)
        times = {"fetched_at": stamp(now), "kept_until": stamp(now + KEPT_FOR)}
        self._documents.put(COLLECTION, {"id": id, "class_id": class_id, "feed": feed, "problem": problem, **times})


def stored_feed(store: Store, class_id: str, url: str) -> StoredFeed | None:
    """What is stored of a feed; None before its first reading, and for what cannot be read: it is fetched again."""
    return read_or_none(_read, store.shared.get(COLLECTION, _id(class_id, url)))


@record_reader(COLLECTION)
def _read(document: Document) -> StoredFeed:
    feed = declared(_feed(document["feed"]), Provenance.PUBLIC) if document["feed"] else None
    return read_record(StoredFeed, document, feed=feed)


def _id(class_id: str, url: str) -> str:
    return f"{class_id}.{hashlib.sha256(url.encode()).hexdigest()[:32]}"


def _document(feed: NewsFeed) -> dict[str, Any]:
    items = [
        {
            "title": item.title,
            "url": item.url,
            "summary": item.summary,
            "published": stamp(item.published) if item.published else None,
        }
        for item in feed.items[:MOST_ITEMS]
    ]
    return {"title": feed.title, "url": feed.url, "items": items, "is_cut": feed.is_cut}


def _feed(document: Mapping[str, Any]) -> NewsFeed:
    return read_record(NewsFeed, document)
