"""The methods of the Calendar API that are not about single events: calendar list, calendars, settings, free/busy."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.google.access import Access, need_argument
from sandbox.google.calendars import Calendar, Calendars
from sandbox.google.discovery import read_body
from sandbox.google.errors import bad_request, empty_time_range, full_sync_required, invalid, not_found, refused
from sandbox.google.event_list import Window, single_events
from sandbox.google.shapes import calendar_shape, entry_shape, hash_of
from sandbox.google.times import bound, instant_of, known_zone, parse_instant
from sandbox.people import Person
from sandbox.refusals import Refused

RANKS = ("freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner")
LONGEST_QUERY_DAYS = 366
MOST_CALENDARS = 50


class LookupMethods:
    """Answers calendarList.list and get, calendars.get, settings.list and get, freebusy.query."""

    def __init__(self, campus: Campus, access: Access) -> None:
        self._campus = campus
        self._access = access
        self._calendars = Calendars(campus)

    async def list_calendars(self, request: Request) -> Response:
        """calendarList.list"""
        call = self._access.admit(request, "calendarList.list")
        least = RANKS.index(call.arguments.get("minAccessRole", RANKS[0]))
        kept = [calendar for calendar in self._calendars.of(call.person) if RANKS.index(calendar.role) >= least]
        items = [entry_shape(calendar) for calendar in kept]
        return call.answer(_page({"kind": "calendar#calendarList"}, items, call.arguments))

    async def get_entry(self, request: Request) -> Response:
        """calendarList.get"""
        call = self._access.admit(request, "calendarList.get")
        return call.answer(entry_shape(self._calendars.find(call.person, call.calendar_id)))

    async def get_calendar(self, request: Request) -> Response:
        """calendars.get"""
        call = self._access.admit(request, "calendars.get")
        return call.answer(calendar_shape(self._calendars.find(call.person, call.calendar_id)))

    async def list_settings(self, request: Request) -> Response:
        """settings.list"""
        call = self._access.admit(request, "settings.list")
        items = [_setting(name, value) for name, value in _settings(call.person).items()]
        return call.answer(_page({"kind": "calendar#settings"}, items, call.arguments))

    async def get_setting(self, request: Request) -> Response:
        """settings.get"""
        call = self._access.admit(request, "settings.get")
        name = request.path_params["setting"]
        if name not in _settings(call.person):
            raise not_found()
        return call.answer(_setting(name, _settings(call.person)[name]))

    async def free_busy(self, request: Request) -> Response:
        """freebusy.query"""
        call = self._access.admit(request, "freebusy.query")
        body = read_body("FreeBusyRequest", await call.body())
        window = _window(body)
        view = known_zone(body.get("timeZone", "UTC"))
        items = body.get("items", [])
        if len(items) > min(body.get("calendarExpansionMax", MOST_CALENDARS), MOST_CALENDARS):
            raise refused(400, "tooManyCalendarsRequested", "Too many calendars requested.", domain="calendar")
        shape = {
            "kind": "calendar#freeBusy",
            "timeMin": body["timeMin"],
            "timeMax": body["timeMax"],
            "calendars": {item["id"]: self._busy(call.person, item["id"], window, view) for item in items},
        }
        return call.answer(shape)

    def _busy(self, person: Person, calendar_id: str, window: Window, view: ZoneInfo) -> dict[str, Any]:
        try:
            calendar = self._calendars.find(person, calendar_id)
        except Refused:
            return {"errors": [{"domain": "global", "reason": "notFound"}], "busy": []}
        spans = self._spans(calendar, window)
        return {"busy": [{"start": _shown(start, view), "end": _shown(end, view)} for start, end in spans]}

    def _spans(self, calendar: Calendar, window: Window) -> list[list[datetime]]:
        assert window.before is not None
        assert window.after is not None
        found = single_events(self._calendars.events(calendar), calendar, window, window.before)
        taken = [held.event for held in found if _blocks_time(held.event, calendar)]
        spans = sorted(
            [instant_of(event["start"], calendar.zone), instant_of(event["end"], calendar.zone)] for event in taken
        )
        merged: list[list[datetime]] = []
        for start, end in spans:
            start, end = max(start, window.after), min(end, window.before)
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(end, merged[-1][1])
            else:
                merged.append([start, end])
        return merged


def _shown(moment: datetime, view: ZoneInfo) -> str:
    return moment.astimezone(view).isoformat(timespec="seconds").replace("+00:00", "Z")


def _blocks_time(event: dict[str, Any], calendar: Calendar) -> bool:
    own = [guest for guest in event.get("attendees", ()) if guest.get("self") or guest["email"] == calendar.owner]
    is_declined = any(guest.get("responseStatus") == "declined" for guest in own)
    is_place = event.get("eventType") == "workingLocation"
    is_opaque = event.get("transparency", "opaque") == "opaque"
    return event["status"] != "cancelled" and is_opaque and not (is_declined or is_place)


def _window(body: dict[str, Any]) -> Window:
    for name in ("timeMin", "timeMax"):
        need_argument(body, name)
        if parse_instant(body[name]) is None:
            raise bad_request()
    if any(not item.get("id") for item in body.get("items", [])):
        raise invalid("Missing calendar id.", location="items")
    after, before = bound(body["timeMin"]), bound(body["timeMax"])
    if before <= after:
        raise empty_time_range()
    if (before - after).days > LONGEST_QUERY_DAYS:
        message = "The requested time range is too long."
        raise refused(400, "timeRangeTooLong", message, domain="calendar", location="timeMax")
    return Window(after=after, before=before)


def _settings(person: Person) -> dict[str, str]:
    return {
        "timezone": person.timezone,
        "locale": "en",
        "weekStart": "0",
        "format24HourTime": "false",
        "defaultEventLength": "60",
        "dateFieldOrder": "MDY",
    }


def _setting(name: str, value: str) -> dict[str, Any]:
    return {"kind": "calendar#setting", "etag": f'"{hash_of(name, value)}"', "id": name, "value": value}


def _page(shape: dict[str, Any], items: list[dict[str, Any]], arguments: dict[str, Any]) -> dict[str, Any]:
    """A page of a list: the next page's token, or the one that asks for what changes from now on."""
    etag = hash_of(*(item["etag"] for item in items))
    if "syncToken" in arguments:
        if arguments["syncToken"] != str(etag):
            raise full_sync_required()
        items = []
    first, size = _offset(arguments), min(arguments.get("maxResults", 100), 250)
    token = {"nextPageToken": str(first + size)} if len(items) > first + size else {"nextSyncToken": str(etag)}
    return {**shape, "etag": f'"p{etag}"', **token, "items": items[first : first + size]}


def _offset(arguments: dict[str, Any]) -> int:
    token = arguments.get("pageToken", "0")
    if not token.isdigit():
        raise invalid("Invalid page token value.", location="pageToken")
    return int(token)
