"""JSON of Google's events and calendars, converted to and from the category's `Event`.

The JSON is that of https://developers.google.com/workspace/calendar/api/v3/reference/events.
"""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.integrations.calendar.event import Event, FreeReason
from services.integrations.calendar.provider import Calendar, EventChanges, EventDraft
from services.integrations.calendar.recurrence import rule_in_words, times_in_words
from services.integrations.calendar.times import start_of
from services.integrations.google_calendar.attendees import (
    attendees_after,
    guest_addresses,
    is_of_another,
    other_guests,
    same_guests,
)
from services.integrations.google_calendar.errors import LABEL
from services.integrations.kit.payloads import parse_day, parse_id, parse_text, parse_time, payload_guard
from services.safety.text import one_line

Json = dict[str, Any]

ID = "google_calendar"
PRIMARY = "primary"
WRITERS = ("owner", "writer")
TIMELESS = ("workingLocation", "birthday")
"""Types of events that only tell something of a day."""
LONGEST_TEXT = 1_000
"""Characters of a title or place: longer than any that can be written here, for a card shows all of them."""
KEPT = ("summary", "description", "location", "start", "end", "recurrence", "reminders")
KEPT_TOO = ("transparency", "visibility", "colorId")
_TEXTS = {"title": "summary", "location": "location", "description": "description"}
_EDGE = ("date", "dateTime", "timeZone")
_HTTPS = re.compile(r"https://[^\s()<>\[\]\"'`\\]{1,500}")
"""An address that may stand as a link in Markdown."""


@payload_guard(LABEL)
def read_event(
    json: Json,
    *,
    calendar_id: str,
    calendar: str,
    zone: ZoneInfo,
    can_change: bool = True,
    master: Json | None = None,
    exceptions: Sequence[str] = (),
) -> Event:
    """Convert Google's JSON to an `Event`; in deleted and private ones much may be absent.

    calendar: its name, "" for the main one. master: the series of an occurrence, where it was read too; of what is only
    shown, its start and recurrence are enough. exceptions: EXDATE and RDATE lines of
    occurrences that were left out or moved.
    """
    start, is_all_day = _edge(json.get("start"), zone)
    end, _ = _edge(json.get("end"), zone)
    reason = _free_reason(json)
    repeating = master or json
    lines, begins = [*(repeating.get("recurrence") or ()), *exceptions], instant_of(repeating.get("start"))
    own_zone = _zone(repeating.get("start") or {}, zone)
    series = parse_text(json.get("recurringEventId"))
    return Event(
        id=full_id(calendar_id, parse_id(json["id"])),
        provider=LABEL,
        calendar=calendar,
        title=one_line(
            parse_text(json.get("summary")) or ("Busy" if json.get("visibility") == "private" else "(no title)"),
            LONGEST_TEXT,
        ),
        start=start,
        end=end,
        zone=zone,
        is_all_day=is_all_day,
        is_busy=reason is None,
        free_reason=reason,
        is_declined=reason is FreeReason.DECLINED,
        is_deleted=json.get("status") == "cancelled",
        is_series="recurrence" in json,
        series=full_id(calendar_id, series) if series else "",
        repeats=rule_in_words(lines, own_zone, begins) if repeating.get("recurrence") else "",
        times=times_in_words(lines, own_zone, begins) if repeating.get("recurrence") else "",
        location=one_line(parse_text(json.get("location")), LONGEST_TEXT),
        description=parse_text(json.get("description")),
        guests=len(other_guests(json)),
        invited=guest_addresses(json),
        url=parse_text(json.get("htmlLink")),
        call_url=_call_url(json),
        uid=parse_text(json.get("iCalUID")),
        reminders=_reminder_minutes(json.get("reminders") or {}),
        calendar_id=f"{ID}/{calendar_id}",
        can_change=can_change,
        is_invited=is_of_another(json),
        version=parse_text(json.get("etag")),
        raw={"json": json, "master": master, "exceptions": list(exceptions)},
    )


def _free_reason(json: Json) -> FreeReason | None:
    """Why an event takes none of the student's time; None when it does.

    What counts is their own answer: `status` is the organizer's word, and who organizes an event has said yes to it.
    """
    own: Json = next((guest for guest in json.get("attendees") or () if guest.get("self")), {})
    answer, kind = own.get("responseStatus"), json.get("eventType")
    if answer == "declined":
        return FreeReason.DECLINED
    if json.get("transparency") == "transparent" or json.get("status") == "cancelled" or kind in TIMELESS:
        return FreeReason.MARKED
    if json.get("status") == "tentative" or answer == "tentative":
        return FreeReason.TENTATIVE
    is_organizer = own.get("organizer") or (json.get("organizer") or {}).get("self")
    return FreeReason.UNANSWERED if answer == "needsAction" and not is_organizer else None


def _call_url(json: Json) -> str:
    """Address of the video call: that of `conferenceData`, which other makers' calls have too, else Google's own."""
    points: Sequence[Json] = (json.get("conferenceData") or {}).get("entryPoints") or ()
    videos = [point.get("uri") for point in points if point.get("entryPointType") == "video"]
    addresses = [parse_text(address) for address in (*videos, json.get("hangoutLink"))]
    return next((address for address in addresses if _HTTPS.fullmatch(address)), "")


@payload_guard(LABEL)
def read_calendar(entry: Json) -> Calendar:
    """Convert an entry of the student's list of calendars."""
    id = PRIMARY if entry.get("primary") else parse_id(entry["id"])
    return Calendar(
        id=f"{ID}/{id}",
        name=calendar_name(entry),
        provider=LABEL,
        is_main=id == PRIMARY,
        is_selected=bool(entry.get("selected")),
        can_write=entry.get("accessRole") in WRITERS,
        timezone=parse_text(entry.get("timeZone")),
    )


@payload_guard(LABEL)
def calendar_name(entry: Json) -> str:
    """Name of a calendar as the student's list has it."""
    return one_line(parse_text(entry.get("summaryOverride") or entry.get("summary")) or "a calendar without a name", 80)


def full_id(calendar_id: str, event_id: str) -> str:
    """Build an event's id for tools: outside the primary calendar with the calendar in front."""
    return f"{ID}/{event_id}" if calendar_id == PRIMARY else f"{ID}/{calendar_id}/{event_id}"


def split_id(id: str) -> tuple[str, str]:
    """Split an event's id into calendar and event; ids from before there were marks are read too."""
    calendar, _, event = id.removeprefix(f"{ID}/").rpartition("/")
    return calendar or PRIMARY, event


def insert_body(draft: EventDraft) -> Json:
    """Convert a draft to the body of an insert."""
    body = {
        "summary": draft.title,
        **edges(draft.start, draft.end, draft.zone),
        "reminders": reminders_at(draft.reminders),
    }
    texts = {"location": draft.location, "description": draft.description}
    body |= {name: text for name, text in texts.items() if text}
    if draft.rule is not None:
        body["recurrence"] = [f"RRULE:{draft.rule.rrule(draft.start, draft.zone)}"]
    if draft.guests:
        body["attendees"] = [{"email": guest} for guest in draft.guests]
    return body


def changed_fields(json: Json, changes: EventChanges, zone: ZoneInfo) -> Json:
    """Compute the fields that would really change, as a patch takes them."""
    wanted: Json = {field: value for name, field in _TEXTS.items() if (value := getattr(changes, name)) is not None}
    if changes.reminders is not None:
        wanted["reminders"] = reminders_at(changes.reminders)
    if changes.start is not None and changes.end is not None:
        wanted |= _new_edges(json, changes.start, changes.end, zone)
    if changes.invite or changes.uninvite:
        wanted["attendees"] = attendees_after(json, changes)
    return {field: value for field, value in wanted.items() if not already_has(json, {field: value})}


def undo_patch_of(json: Json, patch: Json) -> Json:
    """Build the patch that restores the changed fields to those of `json`."""
    old: Json = {}
    for field in patch:
        if field in ("start", "end"):
            old[field] = {**dict.fromkeys(_EDGE), **json[field]}
        elif field == "reminders":
            old[field] = {"useDefault": False, "overrides": None, **json.get("reminders", {"useDefault": True})}
        else:
            old[field] = json.get(field, [] if field == "attendees" else "")
    return old


def copied_fields(json: Json) -> Json:
    """Fields of a copy of an event; a copy invites nobody, so guests stay out."""
    return {name: json[name] for name in (*KEPT, *KEPT_TOO) if name in json}


def shown_fields(json: Json) -> Json:
    """Fields that tell a person which event it is; nothing else of it is stored."""
    names = ("id", "status", "etag", "htmlLink", "recurringEventId", "iCalUID", "eventType")
    return {name: json[name] for name in (*names, *KEPT, *KEPT_TOO) if name in json}


def edges(start: datetime | date, end: datetime | date, zone: ZoneInfo) -> Json:
    """Write `start` and `end`: times with their zone, or days of which the last is not included."""
    return {"start": _written(start, zone), "end": _written(end, zone)}


def reminders_at(minutes: Iterable[int]) -> Json:
    """Write reminders that many minutes before the start, shown on the student's devices."""
    return {"useDefault": False, "overrides": [{"method": "popup", "minutes": m} for m in sorted(set(minutes))[::-1]]}


def already_has(json: Json, changes: Json) -> bool:
    """Check whether an event is there and already is as `changes` (a body for insert or patch) would make it."""
    is_deleted = json.get("status") == "cancelled" and "status" not in changes
    return not is_deleted and all(_same(name, json.get(name), wanted) for name, wanted in changes.items())


def instant_of(edge: Json | None) -> datetime | date | None:
    """Parse an edge to the moment or day, with the offset that Google gave."""
    if not edge:
        return None
    return parse_day(edge["date"]) if edge.get("date") else parse_time(edge["dateTime"])


def _new_edges(json: Json, start: datetime | date, end: datetime | date, zone: ZoneInfo) -> Json:
    # A patch merges, so what an edge must not keep is named as null: https://developers.google.com/workspace/calendar/api/guides/performance#patch-semantics
    is_new_kind = isinstance(start, datetime) == bool(json.get("start", {}).get("date"))
    blank = dict.fromkeys(_EDGE) if is_new_kind else {}
    return {name: {**blank, **edge} for name, edge in edges(start, end, zone).items()}


def _same(name: str, given: Any, wanted: Any) -> bool:
    if name in ("start", "end"):
        return instant_of(given) == instant_of(wanted)
    if name == "reminders":
        return _reminder_minutes(given or {}) == _reminder_minutes(wanted or {})
    if name == "recurrence":
        return _rule_set(given) == _rule_set(wanted)
    if name == "attendees":
        return same_guests(given, wanted)
    return _text(given) == _text(wanted)


def _text(value: Any) -> list[str]:
    """Lines of a text without trailing spaces, which Google does not keep."""
    return [line.rstrip() for line in str(value or "").strip().splitlines()]


def _rule_set(lines: Iterable[str] | None) -> frozenset[frozenset[str]]:
    """Recurrence lines without the order of their parts, which Google is free to change."""
    return frozenset(frozenset(line.replace(":", ";").split(";")) for line in lines or ())


def _reminder_minutes(reminders: Json) -> tuple[int, ...] | None:
    if reminders.get("useDefault"):
        return None
    return tuple(sorted({int(reminder["minutes"]) for reminder in reminders.get("overrides") or ()}, reverse=True))


def _edge(edge: Json | None, zone: ZoneInfo) -> tuple[datetime, bool]:
    moment = instant_of(edge)
    if isinstance(moment, datetime):
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(zone), False
    return start_of(moment or date.min.replace(year=1990), zone), True


def _zone(edge: Json, default: ZoneInfo) -> ZoneInfo:
    """Zone that an edge names, in which its series repeats."""
    with suppress(LookupError, ValueError, OSError):
        return ZoneInfo(parse_text(edge.get("timeZone")) or default.key)
    return default


def _written(at: datetime | date, zone: ZoneInfo) -> Json:
    if isinstance(at, datetime):
        return {"dateTime": at.astimezone(zone).isoformat(timespec="seconds"), "timeZone": zone.key}
    return {"date": at.isoformat()}
