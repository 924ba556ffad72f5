"""Calendar provider for feeds; nothing can be written to them."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from services.errors import ServiceError
from services.i18n import formats, gettext
from services.integrations.calendar.event import Event
from services.integrations.calendar.provider import Calendar, FoundEvents, unread_entries
from services.integrations.calendar_feed.feed_addresses import LABEL, fingerprint
from services.integrations.calendar_feed.feed_cache import CachedFeed, FeedCache
from services.integrations.calendar_feed.occurrences import ExpandedEvents, expand_events

ID = "calendar_feed"


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
        return [
            Calendar(id=_id(address), name=self._cache.read(address).feed.name, provider=LABEL)
            for address in self._addresses
        ]

    def events(
        self,
        start: datetime,
        end: datetime,
        zone: ZoneInfo,
        *,
        calendar: str = "",
        only_busy: bool = False,
    ) -> FoundEvents:
        """List events as the protocol says. A feed that fails is named; when all do, the first error is raised."""
        events: list[Event] = []
        notes: list[str] = []
        read: list[CachedFeed] = []
        problems: list[ServiceError] = []
        for address in self._addresses:
            if calendar and _id(address) != calendar:
                continue
            try:
                kept = self._cache.read(address)
            except ServiceError as problem:
                problems.append(problem)
                continue
            found = expand_events(kept.feed, mark=ID, start=start, end=end, zone=zone)
            events += found.events
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
            notes=tuple(notes),
            as_of=min((kept.as_of for kept in read), default=None),
        )


def _id(address: str) -> str:
    return f"{ID}/{fingerprint(address)}"


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
