"""Calendar provider for feeds; nothing can be written to them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from services.errors import ServiceError
from services.i18n import formats, gettext
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import Calendar, FoundEvents, unread_entries
from services.integrations.calendar_feed.feed_addresses import LABEL, fingerprint
from services.integrations.calendar_feed.feed_cache import CachedFeed, FeedCache
from services.integrations.calendar_feed.occurrences import ExpandedEvents, expand_events
from services.safety.field_log import declared
from services.safety.provenance import Provenance

ID = "calendar_feed"
_FOR_EVERYBODY = re.compile(r"\b(?:holidays?|events|feiertage|festivos|eventos)\b", re.IGNORECASE)


class FeedCalendarProvider:
    """Calendar provider that implements `CalendarProvider`."""

    mark = ID
    label = LABEL

    def __init__(self, cache: FeedCache, addresses: tuple[str, ...]) -> None:
        self._cache = cache
        self._addresses = addresses

    def __repr__(self) -> str:
        return f"FeedCalendars({len(self._addresses)} feeds)"

    def started(self) -> "FeedCalendarProvider":
        """Return itself: each reading has its own time limit."""
        return self

    def calendars(self) -> Sequence[Calendar]:
        """List the calendars; without those that cannot be read, unless none can."""
        found: list[Calendar] = []
        problems: list[ServiceError] = []
        for address in self._addresses:
            try:
                found.append(_calendar(address, self._read(address)))
            except ServiceError as problem:
                problems.append(problem)
        if problems and not found:
            raise problems[0]
        return found

    def events(
        self,
        start: datetime,
        end: datetime,
        zone: ZoneInfo,
        *,
        calendar: str = "",
    ) -> FoundEvents:
        """List events as the protocol says. A feed that fails is named; when all do, the first error is raised."""
        events: list[Event] = []
        notes: list[str] = []
        read: list[CachedFeed] = []
        calendars: list[Calendar] = []
        problems: list[ServiceError] = []
        for address in self._addresses:
            if calendar and _id(address) != calendar:
                continue
            try:
                kept = self._read(address)
            except ServiceError as problem:
                problems.append(problem)
                continue
            found = expand_events(kept.feed, mark=ID, start=start, end=end, zone=zone, site=_site(address))
            calendars.append(_calendar(address, kept))
            events += [replace(event, calendar_id=_id(address)) for event in found.events]
            notes += _notes(kept, found, zone)
            read.append(kept)
        if problems and not read:
            raise problems[0]
        notes += [
            gettext("One calendar feed could not be read ({problem}), so something may be missing.", problem=problem)
            for problem in problems
        ]
        return FoundEvents(
            events=tuple(events),
            calendars=tuple(calendars),
            notes=tuple(notes),
            as_of=min((kept.as_of for kept in read), default=None),
        )

    def _read(self, address: str) -> CachedFeed:
        """The feed, with whoever may put events into it; one from the cache was written by nobody else."""
        return declared(self._cache.read(address), Provenance.OTHERS)


def _site(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _id(address: str) -> str:
    return f"{ID}/{fingerprint(address)}"


def _calendar(address: str, kept: CachedFeed) -> Calendar:
    return Calendar(
        id=_id(address), name=kept.feed.name, provider=LABEL, blocks=not _is_public(address, kept.feed.name)
    )


def _is_public(address: str, name: str) -> bool:
    """Whether a feed is one for everybody, such as of holidays or campus events, and not the student's own."""
    parts = urlsplit(address)
    labels = (parts.hostname or "").split(".")
    return "/public/" in parts.path or "event" in labels or "events" in labels or bool(_FOR_EVERYBODY.search(name))


def _notes(kept: CachedFeed, found: ExpandedEvents, zone: ZoneInfo) -> list[str]:
    name, bad = kept.feed.name, kept.feed.unread + found.unread
    texts = [
        gettext(
            "{problem} “{name}” is shown as it was at {time}.",
            problem=kept.problem,
            name=name,
            time=formats.clock(kept.as_of.astimezone(zone)),
        )
        if kept.problem
        else ""
    ]
    texts.append(unread_entries(bad, name) if bad else "")
    texts.append(
        gettext("“{name}” holds too much to show all of it; ask for fewer days.", name=name) if found.is_cut else ""
    )
    return [text for text in texts if text]
