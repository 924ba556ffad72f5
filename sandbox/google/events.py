"""The events methods of the Calendar API (https://developers.google.com/workspace/calendar/api/v3/reference/events)."""

import secrets
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.google.access import Access, Call
from sandbox.google.bodies import check_event, check_id, merged, read_event, settled
from sandbox.google.calendars import Calendar, Calendars, Event, Held
from sandbox.google.errors import bad_request, gone, invalid, refused
from sandbox.google.event_list import Page, instances_of, list_events
from sandbox.google.shapes import event_shape, hash_of, with_most_attendees
from sandbox.google.times import instant_of, known_zone, stamp

BASE32HEX = "0123456789abcdefghijklmnopqrstuv"
# What an update without them keeps; everything else that the body leaves out is cleared.
KEPT_BY_UPDATE = (
    "id",
    "iCalUID",
    "created",
    "creator",
    "sequence",
    "recurringEventId",
    "originalStartTime",
    "eventType",
    "organizer",
)
IMMUTABLE = ("id", "eventType", "iCalUID")
PARTY = ("email", "displayName")
# What a guest may set in their own copy; all else is the organizer's.
OWN_TO_EACH = {"reminders", "colorId", "transparency", "visibility", "attendees", "extendedProperties", "updated"}


class EventMethods:
    """Answers events.list, get, insert, patch, update, delete and instances."""

    def __init__(self, campus: Campus, access: Access) -> None:
        self._campus = campus
        self._access = access
        self._calendars = Calendars(campus)

    async def list(self, request: Request) -> Response:
        """events.list"""
        call = self._access.admit(request, "events.list")
        calendar = self._calendars.find(call.person, call.calendar_id)
        page = list_events(self._calendars.events(calendar), calendar, call.arguments, self._campus)
        return self._listed(call, calendar, page)

    async def instances(self, request: Request) -> Response:
        """events.instances"""
        call = self._access.admit(request, "events.instances")
        calendar = self._calendars.find(call.person, call.calendar_id)
        master = self._calendars.event(calendar, call.event_id)
        if "recurrence" not in master.event:
            raise bad_request("The event is not a recurring event.")
        stored = self._calendars.events(calendar)
        return self._listed(call, calendar, instances_of(master, stored, calendar, call.arguments, self._campus))

    async def get(self, request: Request) -> Response:
        """events.get; a deleted event is still there, with status cancelled."""
        call = self._access.admit(request, "events.get")
        calendar = self._calendars.find(call.person, call.calendar_id)
        return self._shown(call, calendar, self._calendars.event(calendar, call.event_id))

    async def insert(self, request: Request) -> Response:
        """events.insert; an id that was ever used in the calendar is refused (409), also a deleted event's."""
        call = self._access.admit(request, "events.insert")
        calendar = self._calendars.writable(call.person, call.calendar_id)
        wish = merged({}, read_event(await call.body(), "events.insert"))
        event_id = wish.setdefault("id", "".join(secrets.choice(BASE32HEX) for _ in range(26)))
        check_id(event_id)
        event = new_event(wish, calendar, owner_email=call.person.email)
        held = self._calendars.add(calendar, event)
        if held is None:
            raise refused(409, "duplicate", "The requested identifier already exists.")
        return self._shown(call, calendar, held)

    async def import_event(self, request: Request) -> Response:
        """events.import: a private copy of an event that somebody may have invited to; the same UID is one event."""
        call = self._access.admit(request, "events.import")
        calendar = self._calendars.writable(call.person, call.calendar_id)
        body = await call.body()
        wish = merged({}, read_event(body, "events.import"))
        organizer = {key: value for key, value in (body.get("organizer") or {}).items() if key in PARTY}
        wish |= {"organizer": organizer} if organizer else {}
        same = next((h for h in self._calendars.events(calendar) if h.event["iCalUID"] == wish["iCalUID"]), None)
        wish["id"] = same.event["id"] if same else "".join(secrets.choice(BASE32HEX) for _ in range(26))
        event = new_event(wish, calendar, owner_email=call.person.email)
        held = (
            self._calendars.change(calendar, same, same.event | event) if same else self._calendars.add(calendar, event)
        )
        assert held is not None
        return self._shown(call, calendar, held)

    async def patch(self, request: Request) -> Response:
        """events.patch: the fields of the body are laid over the event."""
        call = self._access.admit(request, "events.patch")
        wish = read_event(await call.body(), "events.patch")
        with self._campus.state.transaction():
            calendar, before = self._writable_event(call)
            return self._changed(call, calendar, before, merged(before.event, wish))

    async def update(self, request: Request) -> Response:
        """events.update: the body replaces the event."""
        call = self._access.admit(request, "events.update")
        wish = read_event(await call.body(), "events.update")
        with self._campus.state.transaction():
            calendar, before = self._writable_event(call)
            kept = {key: before.event[key] for key in KEPT_BY_UPDATE if key in before.event}
            defaults = {"status": "confirmed", "reminders": {"useDefault": True}}
            return self._changed(call, calendar, before, merged(defaults | kept, wish))

    async def delete(self, request: Request) -> Response:
        """events.delete: the event stays with status cancelled; deleting it again is 410."""
        call = self._access.admit(request, "events.delete")
        with self._campus.state.transaction():
            calendar, before = self._writable_event(call)
            if before.event["status"] == "cancelled":
                raise gone()
            self._calendars.change(calendar, before, before.event | {"status": "cancelled"})
        return Response(status_code=204)

    def _writable_event(self, call: Call) -> tuple[Calendar, Held]:
        calendar = self._calendars.writable(call.person, call.calendar_id)
        held = self._calendars.event(calendar, call.event_id)
        call.check_match(held.etag)
        return calendar, held

    def _changed(self, call: Call, calendar: Calendar, before: Held, event: Event) -> Response:
        _check_unchanged(before.event, event)
        _check_organizer(before.event, event, call.person.email)
        check_event(event, calendar.zone)
        event = settled(event, calendar.zone)
        if _moves(before.event, event, calendar):
            event["sequence"] = before.event["sequence"] + 1
        return self._shown(call, calendar, self._calendars.change(calendar, before, event))

    def _shown(self, call: Call, calendar: Calendar, held: Held) -> Response:
        view = known_zone(call.arguments["timeZone"]) if "timeZone" in call.arguments else None
        return call.answer(self._shape(call, calendar, held, view))

    def _shape(self, call: Call, calendar: Calendar, held: Held, view: ZoneInfo | None) -> dict[str, Any]:
        shape = event_shape(held, calendar, campus=self._campus, person=call.person, view=view)
        return with_most_attendees(shape, call.arguments.get("maxAttendees"))

    def _listed(self, call: Call, calendar: Calendar, page: Page) -> Response:
        view = known_zone(call.arguments.get("timeZone", calendar.zone.key))
        etag = hash_of(*(held.event["id"] + held.etag for held in page.held))
        shape = {
            "kind": "calendar#events",
            "etag": f'"p{etag}"',
            "summary": calendar.summary,
            "description": calendar.description,
            "updated": max((held.event["updated"] for held in page.held), default=stamp(self._campus.now())),
            "timeZone": view.key,
            "accessRole": calendar.role,
            "defaultReminders": calendar.default_reminders,
            "items": [self._shape(call, calendar, held, view) for held in page.held],
        }
        tokens = {"nextPageToken": page.next_page, "nextSyncToken": page.next_sync}
        shape |= {name: token for name, token in tokens.items() if token}
        return call.answer(shape)


def new_event(wish: Event, calendar: Calendar, *, owner_email: str) -> Event:
    """An event as it is stored, from a body without empty fields; raises Refused."""
    check_event(wish, calendar.zone)
    if wish.get("status") == "cancelled":
        raise invalid("Invalid value for: status", location="status")
    event = settled(wish, calendar.zone)
    for guest in event.get("attendees", ()):
        guest.setdefault("responseStatus", "needsAction")
    return {
        "status": "confirmed",
        "iCalUID": f"{event['id']}@google.com",
        "sequence": 0,
        "reminders": {"useDefault": True},
        "eventType": "default",
        **event,
        "creator": owner_email,
    }


def _check_unchanged(before: Event, after: Event) -> None:
    for name in IMMUTABLE:
        if name in before and after.get(name) != before[name]:
            raise invalid("Invalid resource id value." if name == "id" else f"Cannot change {name}.", location=name)
    if "recurringEventId" in before and "recurrence" in after:
        raise invalid("Invalid recurrence rule.", location="recurrence")


def _check_organizer(before: Event, after: Event, email: str) -> None:
    organizer = before.get("organizer")
    if organizer is None or organizer.get("email") == email or before.get("guestsCanModify"):
        return
    if any(before.get(name) != after.get(name) for name in (before.keys() | after.keys()) - OWN_TO_EACH):
        message = "Shared properties can only be changed by the organizer of the event."
        raise refused(403, "forbiddenForNonOrganizer", message, domain="calendar")


def _moves(before: Event, after: Event, calendar: Calendar) -> bool:
    def facts(event: Event) -> Any:
        edges = [instant_of(event[name], calendar.zone) for name in ("start", "end")]
        return edges, event.get("recurrence"), event["status"]

    return facts(before) != facts(after)
