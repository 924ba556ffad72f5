"""What Google checks in an event before it stores it."""

import re
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from sandbox.google.discovery import need, read_body
from sandbox.google.errors import empty_time_range, invalid, refused, required
from sandbox.google.recurrence import check_recurrence
from sandbox.google.times import instant_of, length_of, parse_instant, zone

Event = dict[str, Any]

EVENT_ID = re.compile(r"[a-v0-9]{5,1024}")
EMAIL = re.compile(r"[^@\s]+@(?=[^@\s]+\.[^@\s])[^@\s]+")
MOST_REMINDERS = 5
MOST_MINUTES = 40320
CHOICES = {
    "status": ("confirmed", "tentative", "cancelled"),
    "transparency": ("opaque", "transparent"),
    "visibility": ("default", "public", "private", "confidential"),
    "eventType": ("default", "birthday", "focusTime", "fromGmail", "outOfOffice", "workingLocation"),
}
# Google ignores these when a client sends them back: the server alone sets them.
SERVER_SETS = {
    *("kind", "etag", "htmlLink", "created", "updated", "creator", "organizer", "sequence"),
    *("recurringEventId", "originalStartTime", "hangoutLink", "attendeesOmitted", "locked"),
}


def read_event(body: Any, method: str) -> Event:
    """The writable fields of an event body for "events.insert", "events.update" or "events.patch"; raises Refused."""
    event = read_body("Event", body)
    need(event, method, "Event")
    return {key: value for key, value in event.items() if key not in SERVER_SETS}


def check_id(event_id: str) -> None:
    """Raise Refused unless a client's own id is base32hex of 5 to 1024 characters."""
    if not EVENT_ID.fullmatch(event_id):
        raise invalid("Invalid resource id value.")


def check_event(event: Event, home: ZoneInfo) -> None:
    """Raise Refused unless the whole event, as it would be stored, is one that Google takes."""
    _check_edges(event, home)
    for field, choices in CHOICES.items():
        if event.get(field, choices[0]) not in choices:
            raise invalid(f"Invalid value for: {event[field]} is not a valid value", location=field)
    _check_reminders(event.get("reminders", {}))
    for guest in event.get("attendees", ()):
        _check_guest(guest)
    if event.get("recurrence"):
        _check_recurring(event, home)
    if not event.get("source", {}).get("url", "https://").startswith(("http://", "https://")):
        raise invalid("Invalid source URL.", location="source")


def trim_properties(event: Event) -> Event:
    """The event without the extended properties that Google drops silently: keys over 44, values over 1024 long."""
    if "extendedProperties" not in event:
        return event
    kept = {
        side: {key: value for key, value in pairs.items() if len(key) <= 44 and len(value) <= 1024}
        for side, pairs in event["extendedProperties"].items()
    }
    return event | {"extendedProperties": kept}


def _check_edges(event: Event, home: ZoneInfo) -> None:
    start, end = event.get("start", {}), event.get("end", {})
    for name, edge in (("start", start), ("end", end)):
        _check_edge(name, edge)
    if ("date" in start) != ("date" in end):
        raise invalid("Start and end times must either both be date or both be dateTime.")
    if length_of(event, home).total_seconds() < 0 or ("date" in start and start["date"] == end["date"]):
        raise empty_time_range()


def _check_edge(name: str, edge: dict[str, Any]) -> None:
    if not edge.get("date") and not edge.get("dateTime"):
        raise required(f"Missing {name} time.", location=name)
    if "date" in edge and "dateTime" in edge:
        raise invalid(f"Invalid {name} time.", location=name)
    if "timeZone" in edge and zone(edge["timeZone"]) is None:
        raise invalid(f"Invalid time zone definition for {name} time.", location=name)
    if "date" in edge:
        _check_day(name, edge["date"])
        return
    moment = parse_instant(edge["dateTime"])
    if moment is None:
        raise invalid(f'Invalid value for: Invalid format: "{edge["dateTime"]}"', location=f"{name}.dateTime")
    if moment.tzinfo is None and "timeZone" not in edge:
        raise required(f"Missing time zone definition for {name} time.", location=name)


def _check_day(name: str, text: str) -> None:
    try:
        if len(text) != 10:
            raise ValueError(text)
        date.fromisoformat(text)
    except ValueError:
        raise invalid(f'Invalid value for: Invalid format: "{text}"', location=f"{name}.date") from None


def _check_recurring(event: Event, home: ZoneInfo) -> None:
    for name in ("start", "end"):
        if "dateTime" in event[name] and "timeZone" not in event[name]:
            raise required(f"Missing time zone definition for {name} time.", location=name)
    check_recurrence(event, home)


def _check_reminders(reminders: dict[str, Any]) -> None:
    overrides = reminders.get("overrides", [])
    if reminders.get("useDefault") and overrides:
        message = "Cannot specify both default reminders and overrides at the same time."
        raise refused(400, "cannotUseDefaultRemindersAndSpecifyOverride", message, domain="calendar")
    if len(overrides) > MOST_REMINDERS:
        raise invalid("The maximum number of override reminders is 5.", location="reminders.overrides")
    for reminder in overrides:
        if reminder.get("method") not in ("email", "popup"):
            raise invalid("Invalid reminder method.", location="reminders.overrides")
        minutes = reminder.get("minutes")
        if minutes is None or not 0 <= minutes <= MOST_MINUTES:
            raise invalid("Invalid reminder minutes.", location="reminders.overrides")


def _check_guest(guest: dict[str, Any]) -> None:
    if not guest.get("email"):
        raise required("Missing attendee email.", location="attendees")
    if not EMAIL.fullmatch(guest["email"]):
        raise invalid("Invalid attendee email.", location="attendees")


def settled(event: Event, home: ZoneInfo) -> Event:
    """A checked event as it is stored: both edges with offset and a named zone, nothing that Google drops."""
    kept = trim_properties(event)
    for name in ("start", "end"):
        edge = kept[name]
        if "dateTime" in edge:
            moment = instant_of(edge, home).astimezone(zone(edge.get("timeZone", "")) or home)
            edge = {"dateTime": moment.isoformat(timespec="seconds"), "timeZone": edge.get("timeZone", home.key)}
        kept = kept | {name: edge}
    return kept


def merged(old: Any, new: Any) -> Any:
    """`old` with a patch laid over it (RFC 7396): null removes, lists are replaced, nothing empty stays."""
    if not isinstance(new, dict):
        return new
    result = dict(old) if isinstance(old, dict) else {}
    for key, value in new.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
