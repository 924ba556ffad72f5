"""Pages of the campus's Google Calendar for people: one event, and the coming two weeks."""

from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sandbox.campus import Campus
from sandbox.google.calendars import Calendar, Calendars
from sandbox.google.event_list import Window, order_key, single_events
from sandbox.google.shapes import event_link_id, read_link_id
from sandbox.google.times import instant_of
from sandbox.pages import esc, message_page, page
from sandbox.refusals import Refused

SITE = "Google Calendar"
AHEAD = timedelta(days=14)


class CalendarPages:
    """Answers /, /calendar/event?eid=… (an event's htmlLink) and /calendar/{person}."""

    def __init__(self, campus: Campus) -> None:
        self._campus = campus
        self._calendars = Calendars(campus)

    async def index(self, request: Request) -> Response:
        """Whose calendars there are."""
        home = f"{self._campus.origin}/google/calendar"
        people = self._campus.people.values()
        links = "".join(f'<li><a href="{esc(f"{home}/{person.id}")}">{esc(person.name)}</a></li>' for person in people)
        return page("Calendars", f"<ul>{links}</ul>", site=SITE)

    async def event(self, request: Request) -> Response:
        """One event, everything in it as plain text."""
        ids = read_link_id(request.query_params.get("eid", ""))
        found = self._find(*ids) if ids else None
        if found is None:
            return message_page("Event not found", "This event does not exist.", site=SITE, status=404)
        calendar, event = found
        rows = {
            "When": _when(event, calendar),
            "Repeats": " ".join(event.get("recurrence", ())),
            "Where": event.get("location", ""),
            "Guests": ", ".join(guest["email"] for guest in event.get("attendees", ())),
            "Reminders": _reminders(event),
            "Description": event.get("description", ""),
            "Calendar": calendar.summary,
            "Status": event["status"],
        }
        table = "".join(f"<tr><th>{esc(name)}</th><td>{esc(text)}</td></tr>" for name, text in rows.items() if text)
        return page(event.get("summary", "(No title)"), f"<table>{table}</table>", site=SITE)

    async def agenda(self, request: Request) -> Response:
        """A person's primary calendar over the coming two weeks."""
        person = self._campus.people.get(request.path_params["person"])
        if person is None:
            return message_page("Calendar not found", "Nobody of that name lives here.", site=SITE, status=404)
        calendar = self._calendars.find(person, "primary")
        rows = "".join(self._row(event, calendar) for event in self._coming(calendar))
        return page(f"{person.name}: the next two weeks", f"<table>{rows}</table>", site=SITE)

    def _coming(self, calendar: Calendar) -> list[dict[str, Any]]:
        now = self._campus.now()
        window = Window(after=now, before=now + AHEAD)
        held = single_events(self._calendars.events(calendar), calendar, window, now)
        alive = [item for item in held if item.event["status"] != "cancelled"]
        return [item.event for item in sorted(alive, key=lambda item: order_key(item, calendar, "startTime"))]

    def _row(self, event: dict[str, Any], calendar: Calendar) -> str:
        link = f"{self._campus.origin}/google/calendar/event?eid={event_link_id(event['id'], calendar.id)}"
        title = esc(event.get("summary", "(No title)"))
        return f'<tr><td>{esc(_when(event, calendar))}</td><td><a href="{esc(link)}">{title}</a></td></tr>'

    def _find(self, event_id: str, calendar_id: str) -> tuple[Calendar, dict[str, Any]] | None:
        for person in self._campus.people.values():
            try:
                calendar = self._calendars.find(person, calendar_id)
                return calendar, self._calendars.event(calendar, event_id).event
            except Refused:
                continue
        return None


def _when(event: dict[str, Any], calendar: Calendar) -> str:
    if "date" in event["start"]:
        return f"{event['start']['date']}, all day"
    start, end = (instant_of(event[name], calendar.zone).astimezone(calendar.zone) for name in ("start", "end"))
    return f"{start:%a %d %b %Y, %H:%M}–{end:%H:%M} {start:%Z}"


def _reminders(event: dict[str, Any]) -> str:
    return ", ".join(
        f"{item['method']} {item['minutes']} min before" for item in event["reminders"].get("overrides", ())
    )
