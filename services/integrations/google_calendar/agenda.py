"""What is in a student's calendars in a stretch of time, over all of those they have ticked."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from services.errors import BadArguments, ItemNotFound, PermissionMissing
from services.integrations.google_calendar.client import GoogleCalendar
from services.integrations.google_calendar.events import PRIMARY, Event, Json, calendar_name, read_event
from services.integrations.calendar.times import parse_day, start_of
from services.integrations.wording import days

MOST_DAYS = 370


@dataclass(frozen=True, kw_only=True)
class Days:
    """A range of whole days, both included."""

    first: date
    last: date

    def __str__(self) -> str:
        return days(self.first, self.last)

    def all(self) -> list[date]:
        return [self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1)]

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        return start_of(self.first, zone), start_of(self.last + timedelta(days=1), zone)


@dataclass(frozen=True, kw_only=True)
class Agenda:
    """events: in order of time. unread: calendars that Google would not show, so that the list may lack something."""

    events: tuple[Event, ...]
    unread: tuple[str, ...]

    @property
    def note(self) -> str:
        """A line that says what is missing, or nothing."""
        if not self.unread:
            return ""
        names = ", ".join(f"“{name}”" for name in self.unread)
        return f"\nNote: Google would not show the calendar {names}, so something may be missing here."


def read_days(start: str | None, end: str | None, count: int | None, *, today: date, default: int) -> Days:
    """The days that a tool was asked for: from `start` (today) to `end`, or `count` (or `default`) days of them.

    Raises `BadArguments`.
    """
    first = parse_day(start, "start") if start else today
    if end and count:
        raise BadArguments("Give end or days, not both.", field="days")
    last = parse_day(end, "end") if end else first + timedelta(days=(count or default) - 1)
    if last < first:
        raise BadArguments("end is before start.", field="end")
    if (last - first).days >= MOST_DAYS:
        raise BadArguments("That is more than a year; ask for fewer days.", field="end")
    return Days(first=first, last=last)


def read_agenda(calendar: GoogleCalendar, wanted: Days, zone: ZoneInfo, *, search: str | None = None) -> Agenda:
    """Everything that touches the wanted days; raises when the main calendar cannot be read."""
    events: list[Event] = []
    unread: list[str] = []
    start, end = wanted.bounds(zone)
    for entry in calendar.calendars():
        id, name = _id(entry), calendar_name(entry)
        try:
            found = calendar.events(id, start=start, end=end, search=search)
        except (ItemNotFound, PermissionMissing):
            if id == PRIMARY:
                raise
            unread.append(name)
        else:
            events += [read_event(json, calendar_id=id, calendar=name, zone=zone) for json in found]
    events.sort(key=lambda event: (event.start.astimezone(UTC), event.end.astimezone(UTC), event.title))
    return Agenda(events=tuple(events), unread=tuple(unread))


def _id(entry: Json) -> str:
    return PRIMARY if entry.get("primary") else str(entry["id"])
