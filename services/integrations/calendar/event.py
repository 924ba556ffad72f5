"""Calendar event of any provider, and how it is written for the model and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import reduce
from typing import Any, Literal
from zoneinfo import ZoneInfo

from services.i18n import formats, gettext
from services.i18n.english import days, span
from services.integrations.kit import localized
from services.llm.citations import Source
from services.safety.text import one_line

_ACCESS = {"read_only": "read only", "invited": "an invitation, which only its organizer can change"}


class FreeReason(StrEnum):
    """Why an event takes none of the student's time, in words for the model."""

    MARKED = "marked as free"
    DECLINED = "declined"
    TENTATIVE = "tentative"
    UNANSWERED = "an invitation not answered yet"
    OPTIONAL = "optional, its calendar takes no time"

    @property
    def is_open(self) -> bool:
        """Whether the student may still come to spend the time."""
        return self in (FreeReason.TENTATIVE, FreeReason.UNANSWERED)


@dataclass(frozen=True, kw_only=True)
class Event:
    """Event of a calendar. id: what tools take and give: the provider's mark, a slash, and the provider's own id.

    provider: the provider's label. calendar: the calendar's name; empty for a student's main one.
    start, end: moments in `zone`; of a whole-day event, the midnights that bound it.
    is_busy: it takes the student's time. free_reason: why it takes none, where that is known. is_due: a due date, which
    takes no time. course: that of a due date, where its feed tells.
    calendar_id: as in `Calendar.id`; empty where the provider does not tell.
    series: the id of the recurring event that this is an occurrence of. is_series: it is such a recurring event.
    repeats: how it repeats, in words. times: how often and until when, "6 times, the last on Fri 4 Dec 2026"; empty
    without an end. uid: the same in every calendar that holds a copy (RFC 5545, UID).
    guests: how many others are invited. invited: their addresses, for the student's eyes only.
    call_url: address of its video call. reminders: minutes before the start; None for the calendar's default.
    can_change: the calendar that it is in may be written to. is_invited: somebody else organizes it, and its guests may
    not change it; the student can take it out of their calendar and set its reminders.
    version: changes with every change of the event. raw: the provider's own form, for that provider only.
    """

    id: str
    provider: str
    calendar: str
    title: str
    start: datetime
    end: datetime
    zone: ZoneInfo
    is_all_day: bool = False
    is_busy: bool = True
    free_reason: FreeReason | None = None
    is_declined: bool = False
    is_due: bool = False
    course: str = ""
    is_deleted: bool = False
    is_series: bool = False
    series: str = ""
    repeats: str = ""
    times: str = ""
    location: str = ""
    description: str = ""
    guests: int = 0
    invited: tuple[str, ...] = field(default=(), repr=False)
    url: str = ""
    call_url: str = ""
    uid: str = ""
    reminders: tuple[int, ...] | None = None
    calendar_id: str = ""
    can_change: bool = False
    is_invited: bool = False
    version: str = ""
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def when(self) -> str:
        """Time in English: "Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST" or "Fri 27 Nov 2026, all day"."""
        if self.is_all_day:
            last = max(self.start.date(), self.end.date() - timedelta(days=1))
            return f"{days(self.start.date(), last)}, all day"
        return span(self.start, self.end, self.zone) if _utc(self.end) > _utc(self.start) else span_start(self)

    @property
    def shown(self) -> str:
        """Time in the student's language, for a card or a result."""
        if self.is_all_day:
            last = max(self.start.date(), self.end.date() - timedelta(days=1))
            return gettext("{days}, all day", days=localized.days(self.start.date(), last))
        if _utc(self.end) > _utc(self.start):
            return formats.span(self.start, self.end, self.zone)
        return formats.moment(self.start, self.zone)

    @property
    def access(self) -> Literal["own", "invited", "read_only"]:
        """What the student may do with it: change it, only leave it or be reminded of it, or only look at it."""
        if not self.can_change:
            return "read_only"
        return "invited" if self.is_invited else "own"

    @property
    def past_at(self) -> datetime:
        """When it would be added or moved to a time that is past: at its start, of a whole day at its end."""
        return self.start + timedelta(days=1) if self.is_all_day else self.start

    @property
    def order(self) -> tuple[datetime, datetime, str]:
        """Sort key of lists of events."""
        return self.start.astimezone(UTC), self.end.astimezone(UTC), self.title

    def overlaps(self, start: datetime, end: datetime) -> bool:
        """Check whether it takes time between two moments."""
        return self.is_busy and self.start.astimezone(UTC) < end.astimezone(UTC) and _utc(start) < _utc(self.end)


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


def span_start(event: Event) -> str:
    """Format the time of an event without a length, such as a due date: "Fri 27 Nov 2026, 11:59 PM CST"."""
    return span(event.start, event.start, event.zone).replace(_repeated(event), "")


def _repeated(event: Event) -> str:
    written = span(event.start, event.start, event.zone)
    return written[written.index(" – ") : written.rindex(" ")]


def reminders_in_words(minutes: tuple[int, ...] | None) -> str:
    if minutes is None:
        return gettext("as the calendar always does")
    before = [
        gettext("{duration} before", duration=localized.duration(m)) if m else gettext("at the start")
        for m in sorted(minutes, reverse=True)
    ]
    return reduce(_and, before) if before else gettext("none")


def _and(some: str, last: str) -> str:
    return gettext("{some} and {last}", some=some, last=last)


def event_line(event: Event, *, with_provider: bool = False) -> str:
    """Format an event as a line of a list; `with_provider` when the list comes from several."""
    return _line(event, f"**{one_line(event.title)}**", *_details(event, with_provider))


def untitled_line(event: Event, *, with_provider: bool = False) -> str:
    """Format an event whose title stands above as a line of a list."""
    return _line(event, *_details(event, with_provider))


def written_line(event: Event, *, with_title: bool = True) -> str:
    """Format an event that was just written; its heading says how a series repeats, and of several the title."""
    reminders = "" if event.reminders is None else f"reminders: {reminders_in_words(event.reminders)}"
    title = f"**{event.title}**" if with_title else ""
    series = "repeats" if event.repeats else ""
    return _line(event, title, event.when, series, *_places(event, with_provider=False), reminders, *_texts(event))


def _line(event: Event, *parts: str) -> str:
    link = f" — [open]({event.url})" if event.url else ""
    return f"- {' — '.join(part for part in parts if part)}{link} (id: {event.id})"


def _places(event: Event, with_provider: bool) -> tuple[str, ...]:
    call = f"[video call]({event.call_url})" if event.call_url else ""
    return one_line(event.location), call, _place(event, with_provider), _state(event), _ACCESS.get(event.access, "")


def _details(event: Event, with_provider: bool) -> tuple[str, ...]:
    when = f"due {event.when}" if event.is_due else event.when
    repeats = f"repeats {event.repeats}" if event.repeats else ("one of a series" if event.series else "")
    return when, event.course, *_places(event, with_provider), repeats, *_texts(event)


def _texts(event: Event) -> tuple[str, ...]:
    return (f"notes: {one_line(event.description, 160)}" if event.description.strip() else "",)


def event_data(event: Event) -> dict[str, Any]:
    """Convert an event to JSON; `end` of a whole-day event is the first day after it."""
    written = (str(event.start.date()), str(event.end.date())) if event.is_all_day else (event.start, event.end)
    start, end = (edge if isinstance(edge, str) else edge.isoformat() for edge in written)
    return {
        "id": event.id,
        "title": event.title,
        "start": start,
        "end": end,
        "all_day": event.is_all_day,
        "due_date": event.is_due,
        "course": event.course,
        "location": event.location,
        "call_url": event.call_url,
        "description": event.description,
        "calendar": event.calendar,
        "provider": event.provider,
        "busy": event.is_busy,
        "free_reason": _state(event),
        "declined": event.is_declined,
        "series": event.series,
        "repeats": event.repeats,
        "reminders": None if event.reminders is None else list(event.reminders),
        "can_change": event.access == "own",
        "access": event.access,
        "url": event.url,
    }


def event_sources(*events: Event) -> tuple[Source, ...]:
    return tuple(Source(title=event.title, url=event.url) for event in events if event.url)


def _place(event: Event, with_provider: bool) -> str:
    provider = event.provider if with_provider else ""
    if not event.calendar:
        return f"in {provider}" if provider else ""
    return f"in {event.calendar} ({provider})" if provider else f"in {event.calendar}"


def _state(event: Event) -> str:
    if event.is_declined:
        return FreeReason.DECLINED
    return "" if event.is_busy or event.is_due else event.free_reason or FreeReason.MARKED
