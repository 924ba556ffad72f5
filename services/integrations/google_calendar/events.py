"""`Event`: one event of a calendar, read from Google's JSON and written in words.

The JSON is that of https://developers.google.com/workspace/calendar/api/v3/reference/events.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.integrations.calendar.times import start_of
from services.integrations.wording import count, days, duration, one_line, span

Json = dict[str, Any]

PRIMARY = "primary"


@dataclass(frozen=True, kw_only=True)
class Event:
    """id: what tools take and give: Google's id, with "calendar/" in front outside the primary calendar.

    start, end: moments in `zone`; of a whole-day event, the midnights that bound it.
    is_busy: it takes time: neither marked as free nor declined.
    """

    id: str
    calendar: str
    title: str
    start: datetime
    end: datetime
    is_all_day: bool
    is_busy: bool
    is_declined: bool
    is_series: bool
    is_deleted: bool
    location: str
    description: str
    guests: int
    url: str
    etag: str
    zone: ZoneInfo
    json: Mapping[str, Any] = field(repr=False)

    @property
    def when(self) -> str:
        """Its time in words: "Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST" or "Fri 27 Nov 2026, all day"."""
        if not self.is_all_day:
            return span(self.start, self.end, self.zone)
        last = max(self.start.date(), self.end.date() - timedelta(days=1))
        return f"{days(self.start.date(), last)}, all day"

    @property
    def reminders(self) -> str:
        return reminders_in_words(self.json.get("reminders", {}))


def read_event(json: Json, *, calendar_id: str, calendar: str, zone: ZoneInfo) -> Event:
    """An `Event` from Google's JSON; of deleted and private ones much may be absent."""
    start, is_all_day = _edge(json.get("start", {}), zone)
    end, _ = _edge(json.get("end", {}), zone)
    declined = any(guest.get("self") and guest.get("responseStatus") == "declined" for guest in _guests(json))
    return Event(
        id=json["id"] if calendar_id == PRIMARY else f"{calendar_id}/{json['id']}",
        calendar=calendar,
        title=one_line(json.get("summary") or ("Busy" if json.get("visibility") == "private" else "(no title)")),
        start=start,
        end=end,
        is_all_day=is_all_day,
        is_busy=json.get("transparency") != "transparent"
        and not declined
        and json.get("eventType") != "workingLocation",
        is_declined=declined,
        is_series="recurrence" in json,
        is_deleted=json.get("status") == "cancelled",
        location=one_line(json.get("location", "")),
        description=json.get("description", ""),
        guests=sum(not guest.get("self") for guest in _guests(json)),
        url=json.get("htmlLink", ""),
        etag=json.get("etag", ""),
        zone=zone,
        json=json,
    )


def calendar_name(entry: Json) -> str:
    """What the student calls a calendar of their list."""
    return one_line(entry.get("summaryOverride") or entry.get("summary") or "a calendar without a name", 80)


def split_id(id: str) -> tuple[str, str]:
    """(calendar, event) from an event's id as tools give it."""
    calendar, _, event = id.rpartition("/")
    return calendar or PRIMARY, event


def edges(start: datetime | date, end: datetime | date, zone: ZoneInfo) -> Json:
    """`start` and `end` as Google takes them: times with their zone, or days of which the last is not included."""
    return {"start": _written(start, zone), "end": _written(end, zone)}


def reminders_at(minutes: list[int]) -> Json:
    """Reminders that many minutes before the start, shown on the student's devices."""
    return {"useDefault": False, "overrides": [{"method": "popup", "minutes": m} for m in sorted(set(minutes))[::-1]]}


def reminders_in_words(reminders: Json) -> str:
    if reminders.get("useDefault"):
        return "as your calendar always does"
    minutes = sorted((one["minutes"] for one in reminders.get("overrides") or ()), reverse=True)
    return " and ".join(f"{duration(m)} before" if m else "at the start" for m in minutes) or "none"


def guests_in_words(event: Event) -> str:
    return f"{count(event.guests, 'guest')}; Google does not write to them"


def has(json: Json, changes: Json) -> bool:
    """Whether an event is there and already is as `changes` (a body for insert or patch) would make it."""
    is_deleted = json.get("status") == "cancelled" and "status" not in changes
    return not is_deleted and all(_same(name, json.get(name), wanted) for name, wanted in changes.items())


def _same(name: str, given: Any, wanted: Any) -> bool:
    if name in ("start", "end"):
        return _instant(given) == _instant(wanted)
    if name == "reminders":
        return _reminder_set(given or {}) == _reminder_set(wanted or {})
    return _text(given) == _text(wanted)


def _text(value: Any) -> list[str]:
    """A text's lines without the space at their ends, which Google does not keep."""
    return [line.rstrip() for line in str(value or "").strip().splitlines()]


def _instant(edge: Json | None) -> datetime | date | None:
    if not edge:
        return None
    return date.fromisoformat(edge["date"]) if edge.get("date") else datetime.fromisoformat(edge["dateTime"])


def _reminder_set(reminders: Json) -> frozenset[int] | None:
    if reminders.get("useDefault"):
        return None
    return frozenset(one["minutes"] for one in reminders.get("overrides") or ())


def _edge(edge: Json, zone: ZoneInfo) -> tuple[datetime, bool]:
    moment = _instant(edge)
    if isinstance(moment, datetime):
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(zone), False
    return start_of(moment or date.min.replace(year=1990), zone), True


def _written(at: datetime | date, zone: ZoneInfo) -> Json:
    if isinstance(at, datetime):
        return {"dateTime": at.astimezone(zone).isoformat(timespec="seconds"), "timeZone": zone.key}
    return {"date": at.isoformat()}


def _guests(json: Json) -> list[Json]:
    return [guest for guest in json.get("attendees") or () if not guest.get("resource")]
