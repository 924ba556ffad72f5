"""Calendars, who may do what with them, and the events they hold, in the campus's state."""

from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sandbox.campus import Campus
from sandbox.google.errors import not_found, refused
from sandbox.google.recurrence import find_instance
from sandbox.google.times import stamp
from sandbox.people import Person

CALENDARS, EVENTS = "google.calendars", "google.events"
WRITERS = ("owner", "writer")
DEFAULT_REMINDERS = [{"method": "popup", "minutes": 30}]
Event = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """A calendar as one person sees it; `role` is "owner", "writer" or "reader"."""

    id: str
    summary: str
    description: str
    color: str
    owner: str
    role: str
    zone: ZoneInfo
    is_primary: bool
    is_selected: bool = True

    @property
    def default_reminders(self) -> list[dict[str, Any]]:
        """What rings for an event that says `useDefault`."""
        return DEFAULT_REMINDERS if self.is_primary else []


@dataclass(frozen=True, kw_only=True)
class Held:
    """An event in a calendar: its fields, and the number behind its etag, which grows with every change."""

    event: Event
    version: int

    @property
    def etag(self) -> str:
        """The quoted etag."""
        return f'"{self.version}"'


class Calendars:
    """The calendars and events of everyone on the campus."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._state = campus.state

    def of(self, person: Person) -> list[Calendar]:
        """The person's calendar list, the primary one first."""
        seen = [_as_seen(record, person) for record in self._state.all(CALENDARS) if person.id in record["roles"]]
        return sorted(seen, key=lambda calendar: not calendar.is_primary)

    def find(self, person: Person, calendar_id: str) -> Calendar:
        """The calendar of that id, or the person's own for "primary"; raises Refused (404)."""
        key = person.email if calendar_id == "primary" else calendar_id
        record = self._state.get(CALENDARS, key)
        if record is None or person.id not in record["roles"]:
            raise not_found()
        return _as_seen(record, person)

    def writable(self, person: Person, calendar_id: str) -> Calendar:
        """The calendar, which this person may change; raises Refused (404, 403)."""
        calendar = self.find(person, calendar_id)
        if calendar.role not in WRITERS:
            message = "You need to have writer access to this calendar."
            raise refused(403, "requiredAccessLevel", message, domain="calendar")
        return calendar

    def events(self, calendar: Calendar) -> list[Held]:
        """Every event, deleted ones and changed instances included, in order of creation."""
        return [_held(record) for record in self._state.all(EVENTS, calendar=calendar.id)]

    def stored(self, calendar: Calendar, event_id: str) -> Held | None:
        """The event that was stored under this id."""
        record = self._state.get(EVENTS, f"{calendar.id}/{event_id}")
        return None if record is None else _held(record)

    def event(self, calendar: Calendar, event_id: str) -> Held:
        """The event or the instance of a recurring one; raises Refused (404)."""
        held = self.stored(calendar, event_id) or self._instance(calendar, event_id)
        if held is None:
            raise not_found()
        return held

    def _instance(self, calendar: Calendar, event_id: str) -> Held | None:
        master = self.stored(calendar, event_id.rpartition("_")[0])
        if master is None or not master.event.get("recurrence"):
            return None
        event = find_instance(master.event, event_id, calendar.zone)
        return None if event is None else Held(event=event, version=master.version)

    def add(self, calendar: Calendar, event: Event) -> Held | None:
        """Store a new event; None when its id was ever used in this calendar."""
        now = self._campus.now()
        event = {**event, "created": stamp(now), "updated": stamp(now)}
        version = int(now.timestamp() * 1_000_000)
        is_new = self._state.insert(EVENTS, f"{calendar.id}/{event['id']}", _record(calendar, event, version))
        return Held(event=event, version=version) if is_new else None

    def change(self, calendar: Calendar, before: Held, event: Event) -> Held:
        """Store the event (or an instance that now differs from its series) over what it was before."""
        now = self._campus.now()
        version = max(int(now.timestamp() * 1_000_000), before.version + 1)
        event = {**event, "updated": stamp(now)}
        self._state.put(EVENTS, f"{calendar.id}/{event['id']}", _record(calendar, event, version))
        return Held(event=event, version=version)


def _as_seen(record: dict[str, Any], person: Person) -> Calendar:
    return Calendar(
        id=record["id"],
        summary=record["summary"],
        description=record["description"],
        color=record["color"],
        owner=record["owner"],
        role=record["roles"][person.id],
        zone=ZoneInfo(record["timeZone"]),
        is_primary=record["id"] == person.email,
        is_selected=record.get("selected", True),
    )


def _record(calendar: Calendar, event: Event, version: int) -> dict[str, Any]:
    return {"calendar": calendar.id, "version": version, "event": event}


def _held(record: dict[str, Any]) -> Held:
    return Held(event=record["event"], version=record["version"])
