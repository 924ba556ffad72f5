"""Which events a list request gets: expansion, filters, order and pages."""

import base64
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sandbox.campus import Campus
from sandbox.google.calendars import Calendar, Held
from sandbox.google.errors import bad_request, empty_time_range, full_sync_required, invalid
from sandbox.google.recurrence import expand, find_instance
from sandbox.google.times import bound, instant_of, stamp

Arguments = dict[str, Any]
LARGEST_PAGE = 2500
# How far a series without an end is expanded when nobody says where to stop.
HORIZON = timedelta(days=730)
NOT_WITH_SYNC = (
    *("iCalUID", "orderBy", "privateExtendedProperty", "q"),
    *("sharedExtendedProperty", "timeMin", "timeMax", "updatedMin"),
)


@dataclass(frozen=True, kw_only=True)
class Window:
    """The time a list is about: events that end after `after` and start before `before`."""

    after: datetime | None
    before: datetime | None

    @classmethod
    def of(cls, arguments: Arguments) -> "Window":
        """timeMin and timeMax; raises Refused."""
        after, before = (bound(arguments[name]) if name in arguments else None for name in ("timeMin", "timeMax"))
        if after and before and before <= after:
            raise empty_time_range()
        return cls(after=after, before=before)

    def holds(self, event: dict[str, Any], calendar: Calendar) -> bool:
        """Whether the event lies in it, at least in part."""
        is_late = self.after is None or instant_of(event["end"], calendar.zone) > self.after
        return is_late and (self.before is None or instant_of(event["start"], calendar.zone) < self.before)


@dataclass(frozen=True, kw_only=True)
class Page:
    """One page of a list and the tokens that lead on."""

    held: list[Held]
    next_page: str | None
    next_sync: str | None


def list_events(stored: list[Held], calendar: Calendar, arguments: Arguments, campus: Campus) -> Page:
    """The page of `events.list` that the arguments ask for; raises Refused."""
    _check_combination(arguments)
    window = Window.of(arguments)
    changed_since = _changed_since(arguments)
    if arguments.get("singleEvents"):
        found = single_events(stored, calendar, window, campus.now())
    else:
        found = [held for held in stored if _touches(held, calendar, window, campus)]
    kept = [held for held in found if _passes(held, calendar, arguments, changed_since)]
    kept.sort(key=lambda held: order_key(held, calendar, arguments.get("orderBy", "startTime")))
    syncable = not any(name in arguments for name in NOT_WITH_SYNC)
    return _page(kept, calendar, arguments, stamp(campus.now()) if syncable else None)


def single_events(stored: list[Held], calendar: Calendar, window: Window, now: datetime) -> list[Held]:
    """Single events and instances in the window; changed instances stand in for those they replace."""
    changed = {held.event["id"] for held in stored if "recurringEventId" in held.event}
    deleted = {held.event["id"] for held in stored if held.event["status"] == "cancelled"}
    found: list[Held] = []
    for held in stored:
        event = held.event
        if "recurrence" in event:
            last = window.before or _horizon(event, calendar, now)
            instances = expand(event, calendar.zone, after=window.after, before=last)
            found += [replace(held, event=instance) for instance in instances if instance["id"] not in changed]
        elif (
            event.get("recurringEventId") not in deleted
            and window.holds(event, calendar)
            and (event["status"] == "cancelled" or _is_still_made(held, stored, calendar))
        ):
            found.append(held)
    return found


def _is_still_made(held: Held, stored: list[Held], calendar: Calendar) -> bool:
    """A changed instance goes with the time it stands for, once its series does not come by then any more."""
    master = next(
        (candidate for candidate in stored if candidate.event["id"] == held.event.get("recurringEventId")), None
    )
    if master is None or "originalStartTime" not in held.event:
        return True
    return find_instance(master.event, held.event["id"], calendar.zone) is not None


def instances_of(master: Held, stored: list[Held], calendar: Calendar, arguments: Arguments, campus: Campus) -> Page:
    """The page of `events.instances`."""
    own = [held for held in stored if held.event.get("recurringEventId") == master.event["id"]]
    found = single_events([master, *own], calendar, Window.of(arguments), campus.now())
    if "originalStart" in arguments:
        wanted = bound(arguments["originalStart"])
        found = [held for held in found if instant_of(held.event["originalStartTime"], calendar.zone) == wanted]
    kept = [held for held in found if arguments.get("showDeleted") or held.event["status"] != "cancelled"]
    kept.sort(key=lambda held: order_key(held, calendar, "startTime"))
    return _page(kept, calendar, arguments, None)


def order_key(held: Held, calendar: Calendar, order: str) -> tuple[str, str]:
    """What events are sorted by: text, so that a page token can carry it; the id makes it unique."""
    if order == "updated":
        return held.event["updated"], held.event["id"]
    return instant_of(held.event["start"], calendar.zone).astimezone(UTC).isoformat(), held.event["id"]


def _horizon(event: dict[str, Any], calendar: Calendar, now: datetime) -> datetime:
    return max(now, instant_of(event["start"], calendar.zone)) + HORIZON


def _check_combination(arguments: Arguments) -> None:
    if arguments.get("orderBy") == "startTime" and not arguments.get("singleEvents"):
        raise bad_request("The requested ordering is not available for the particular query.")
    if "syncToken" in arguments:
        for name in NOT_WITH_SYNC:
            if name in arguments:
                raise bad_request(f"Sync token cannot be used with query restrictions: {name}.")
        if arguments.get("showDeleted") is False:
            raise bad_request("Sync token cannot be used with showDeleted=false.")


def _changed_since(arguments: Arguments) -> datetime | None:
    if "syncToken" in arguments:
        try:
            return datetime.fromisoformat(base64.urlsafe_b64decode(arguments["syncToken"]).decode())
        except ValueError:
            raise full_sync_required() from None
    return bound(arguments["updatedMin"]) if "updatedMin" in arguments else None


def _touches(held: Held, calendar: Calendar, window: Window, campus: Campus) -> bool:
    if "recurrence" not in held.event or (window.after is None and window.before is None):
        return window.holds(held.event, calendar)
    last = window.before or _horizon(held.event, calendar, campus.now())
    return any(expand(held.event, calendar.zone, after=window.after, before=last))


def _passes(held: Held, calendar: Calendar, arguments: Arguments, changed_since: datetime | None) -> bool:
    event = held.event
    if changed_since is not None:
        if datetime.fromisoformat(event["updated"]) < changed_since:
            return False
    elif event["status"] == "cancelled" and not _shows_deleted(event, arguments):
        return False
    if "iCalUID" in arguments and event["iCalUID"] != arguments["iCalUID"]:
        return False
    if event.get("eventType", "default") not in arguments.get("eventTypes", [event.get("eventType", "default")]):
        return False
    return _has_words(event, arguments.get("q", ""), calendar) and all(
        _has_property(event, side, wish)
        for side in ("private", "shared")
        for wish in arguments.get(f"{side}ExtendedProperty", ())
    )


def _shows_deleted(event: dict[str, Any], arguments: Arguments) -> bool:
    # Without expansion a cancelled instance is listed always: it tells what its series leaves out.
    return arguments.get("showDeleted", False) or ("recurringEventId" in event and not arguments.get("singleEvents"))


def _has_words(event: dict[str, Any], query: str, calendar: Calendar) -> bool:
    """Whether the words are where Google looks: title, notes, place, names and addresses of all who take part."""
    guests = [text for guest in event.get("attendees", ()) for text in (guest["email"], guest.get("displayName", ""))]
    fields = [event.get(name, "") for name in ("summary", "description", "location")]
    organizer = event.get("organizer") or {"email": calendar.id, "displayName": calendar.summary}
    office = event.get("workingLocationProperties", {})
    places = [office.get(name, {}).get("label", "") for name in ("officeLocation", "customLocation")]
    text = " ".join([*fields, *guests, *organizer.values(), *places]).casefold()
    return all(word in text for word in query.casefold().split())


def _has_property(event: dict[str, Any], side: str, wish: str) -> bool:
    key, equals, value = wish.partition("=")
    if not equals:
        raise invalid(f"Invalid value for: {wish}", location=f"{side}ExtendedProperty")
    return event.get("extendedProperties", {}).get(side, {}).get(key) == value


def _page(held: list[Held], calendar: Calendar, arguments: Arguments, synced_at: str | None) -> Page:
    order = arguments.get("orderBy", "startTime")
    fingerprint = json.dumps({k: v for k, v in sorted(arguments.items()) if k not in ("pageToken", "fields")})
    if "pageToken" in arguments:
        last = _read_token(arguments["pageToken"], fingerprint)
        held = [item for item in held if order_key(item, calendar, order) > last]
    size = min(arguments.get("maxResults", 250), LARGEST_PAGE)
    page, more = held[:size], len(held) > size
    token = _write_token(fingerprint, order_key(page[-1], calendar, order)) if more else None
    sync = base64.urlsafe_b64encode(synced_at.encode()).decode() if synced_at and not more else None
    return Page(held=page, next_page=token, next_sync=sync)


def _write_token(fingerprint: str, key: tuple[str, str]) -> str:
    return base64.urlsafe_b64encode(json.dumps([fingerprint, *key]).encode()).decode()


def _read_token(token: str, fingerprint: str) -> tuple[str, str]:
    try:
        made_for, *key = json.loads(base64.urlsafe_b64decode(token))
    except ValueError:
        made_for, key = "", []
    if made_for != fingerprint or len(key) != 2:
        raise invalid("Invalid page token value.", location="pageToken")
    return key[0], key[1]
