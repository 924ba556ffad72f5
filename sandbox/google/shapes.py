"""Resources of the Calendar API as Google writes them, and partial answers (`fields`)."""

import base64
import re
import zlib
from typing import Any
from zoneinfo import ZoneInfo

from sandbox.campus import Campus
from sandbox.google.calendars import Calendar, Held
from sandbox.google.errors import invalid
from sandbox.google.times import shown_in
from sandbox.people import Person

Json = dict[str, Any]


def event_shape(
    held: Held, calendar: Calendar, *, campus: Campus, person: Person, view: ZoneInfo | None = None
) -> Json:
    """The event as this person gets it, its times shown in `view` or the calendar's zone."""
    event = dict(held.event)
    for name in ("start", "end", "originalStartTime"):
        if name in event:
            event[name] = shown_in(event[name], view or calendar.zone)
    return {
        "kind": "calendar#event",
        "etag": held.etag,
        **event,
        "htmlLink": f"{campus.origin}/google/calendar/event?eid={event_link_id(event['id'], calendar.id)}",
        "creator": _party(event["creator"], person),
        **_parties(event, calendar, person),
    }


def _parties(event: Json, calendar: Calendar, person: Person) -> Json:
    """The organizer and the attendees; who of them is the reader, or organizes it, Google alone says."""
    organizer = event.get("organizer")
    organizer = {**organizer, **_self(organizer, person)} if organizer else _organizer(calendar, person)
    attendees = [
        {**{key: value for key, value in guest.items() if key not in ("self", "organizer")}}
        | ({"organizer": True} if guest["email"] == organizer.get("email") else {})
        | _self(guest, person)
        for guest in event.get("attendees", ())
    ]
    return {"organizer": organizer, **({"attendees": attendees} if attendees else {})}


def with_most_attendees(shape: Json, most: int | None) -> Json:
    """The event with all attendees, or with its reader alone where there are more than `most`."""
    if most is None or len(shape.get("attendees", ())) <= most:
        return shape
    return {**shape, "attendeesOmitted": True, "attendees": [a for a in shape["attendees"] if a.get("self")]}


def event_link_id(event_id: str, calendar_id: str) -> str:
    """The `eid` of an event's page: both ids, in base64 without padding, as Google does it."""
    return base64.urlsafe_b64encode(f"{event_id} {calendar_id}".encode()).rstrip(b"=").decode()


def read_link_id(eid: str) -> tuple[str, str] | None:
    """Event id and calendar id of an `eid`, or None when it is none."""
    try:
        event_id, _, calendar_id = base64.urlsafe_b64decode(eid + "=" * (-len(eid) % 4)).decode().partition(" ")
    except ValueError:
        return None
    return (event_id, calendar_id) if calendar_id else None


def entry_shape(calendar: Calendar) -> Json:
    """A CalendarListEntry."""
    entry = {
        "kind": "calendar#calendarListEntry",
        "etag": f'"{hash_of(calendar.id, calendar.role)}"',
        "id": calendar.id,
        "summary": calendar.summary,
        "timeZone": calendar.zone.key,
        "colorId": "14",
        "backgroundColor": calendar.color,
        "foregroundColor": "#000000",
        **({"selected": True} if calendar.is_selected else {}),
        "accessRole": calendar.role,
        "defaultReminders": calendar.default_reminders,
        "conferenceProperties": {"allowedConferenceSolutionTypes": ["hangoutsMeet"]},
    }
    if calendar.description:
        entry["description"] = calendar.description
    return entry | ({"primary": True} if calendar.is_primary else {"dataOwner": calendar.owner})


def calendar_shape(calendar: Calendar) -> Json:
    """A Calendar."""
    shape = {
        "kind": "calendar#calendar",
        "etag": f'"{hash_of(calendar.id)}"',
        "id": calendar.id,
        "summary": calendar.summary,
        "timeZone": calendar.zone.key,
        "conferenceProperties": {"allowedConferenceSolutionTypes": ["hangoutsMeet"]},
    }
    return shape | ({"description": calendar.description} if calendar.description else {})


def hash_of(*parts: str) -> int:
    """A number that stays the same for the same words, for etags of what never changes."""
    return zlib.crc32("/".join(parts).encode())


def only_fields(value: Any, mask: str) -> Any:
    """The part of an answer that `fields` asks for, such as "items(id,summary),nextPageToken"; raises Refused."""
    tree, rest = _parse(mask.replace(" ", ""))
    if rest:
        raise invalid(f"Invalid field selection {mask}", location="fields")
    return _select(value, tree, mask)


def _party(email: str, person: Person) -> Json:
    return {"email": email} | _self({"email": email}, person)


def _self(party: Json, person: Person) -> Json:
    return {"self": True} if party.get("email") == person.email else {}


def _organizer(calendar: Calendar, person: Person) -> Json:
    if calendar.is_primary:
        return {"email": person.email, "self": True}
    return {"email": calendar.id, "displayName": calendar.summary, "self": True}


def _parse(mask: str) -> tuple[Json, str]:
    tree: Json = {}
    while True:
        found = re.match(r"[\w*]+(?:/[\w*]+)*", mask)
        if not found:
            raise invalid(f"Invalid field selection {mask}", location="fields")
        mask = mask[found.end() :]
        inner: Json = {}
        if mask.startswith("("):
            inner, mask = _parse(mask[1:])
            if not mask.startswith(")"):
                raise invalid("Invalid field selection", location="fields")
            mask = mask[1:]
        _plant(tree, found[0].split("/"), inner)
        if not mask.startswith(","):
            return tree, mask
        mask = mask[1:]


def _plant(tree: Json, names: list[str], leaf: Json) -> None:
    for name in names[:-1]:
        tree = tree.setdefault(name, {})
    tree.setdefault(names[-1], {}).update(leaf)


def _select(value: Any, tree: Json, mask: str) -> Any:
    if isinstance(value, list):
        return [_select(item, tree, mask) for item in value]
    if not tree or "*" in tree or not isinstance(value, dict):
        return value
    return {key: _select(item, tree[key], mask) for key, item in value.items() if key in tree}
