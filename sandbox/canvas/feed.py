"""Canvas's own calendar feed: due dates and course events at a secret address, as icalendar-ruby writes them.

https://github.com/instructure/canvas-lms/blob/master/app/models/calendar_event.rb (to_ics)
"""

import hashlib
from datetime import UTC, datetime, timedelta

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import TIMEZONE
from sandbox.canvas.school import Row, School, moment
from sandbox.pages import esc, page

CODES = {"maya": "Xn3Yq8bT5kLw0aVd", "diego": "R7pQz2mHc9sKf4Ju", "okafor": "Jd6WvB1tGy8eNo3L"}
"""The secret part of the feed of the people whom every campus has."""
BACK, AHEAD = timedelta(days=30), timedelta(days=366)


def feed_address(school: School, person: str) -> str:
    """Address of a person's calendar feed; whoever has it may read."""
    return f"{school.web}/feeds/calendars/user_{_code(person)}.ics"


def _code(person: str) -> str:
    """The secret part of a person's feed."""
    return CODES.get(person) or hashlib.sha256(f"feed of {person}".encode()).hexdigest()[:16]


class CalendarFeed:
    """Answers /feeds/calendars/user_<code>.ics, without a sign-in: whoever has the address may read."""

    def __init__(self, school: School) -> None:
        self._school = school

    def routes(self) -> list[BaseRoute]:
        """Relative to /sandbox/canvas."""
        return [
            Route("/feeds/calendars/{name}.ics", self.read, methods=["GET"]),
            Route("/calendar", self.page, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """The calendar's page, as far as it matters here: where each person finds their feed."""
        people = self._school.campus.people
        feeds = [(people[who].name, feed_address(self._school, who)) for who in CODES]
        links = "".join(f"<li>{esc(name)}: <code>{esc(address)}</code></li>" for name, address in feeds)
        return page("Calendar Feed", f"<p>Copy this address into another calendar.</p><ul>{links}</ul>", site="Canvas")

    async def read(self, request: Request) -> Response:
        """The feed, with an ETag that stays while nothing changes; an unknown code is Canvas's plain 404."""
        person = next(
            (who for who in self._school.campus.people if request.path_params["name"] == f"user_{_code(who)}"), None
        )
        if person is None:
            return Response("Not Found", status_code=404, media_type="text/plain")
        body = "\r\n".join(self._lines(person)) + "\r\n"
        etag = f'W/"{hashlib.sha256(body.encode()).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"etag": etag})
        return Response(body, media_type="text/calendar; charset=utf-8", headers={"etag": etag})

    def _lines(self, person: str) -> list[str]:
        user = self._school.user_of(person)
        lines = [
            *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:icalendar-ruby", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"),
            f"X-WR-CALNAME:{user['name']} Calendar (Canvas)",
            f"X-WR-CALDESC:Calendar events for {user['name']}",
        ]
        for course, _ in self._school.courses_of(user["id"]):
            for row in self._school.assignments(course["id"]):
                if row["due_at"] and self._is_near(row["due_at"]) and row.get("workflow_state") != "unpublished":
                    lines += self._due_date(course, row)
            for row in self._school.events(course["id"]):
                if row["start_at"] and self._is_near(row["start_at"]):
                    lines += self._event(course, row)
        return [part for line in [*lines, "END:VCALENDAR"] for part in _folded(line)]

    def _is_near(self, text: str) -> bool:
        now = self._school.campus.now()
        return now - BACK <= moment(text) <= now + AHEAD

    def _due_date(self, course: Row, row: Row) -> list[str]:
        due = moment(row["due_at"]).astimezone(TIMEZONE)
        # Canvas shows what is due at the end of a day as a whole day, and writes the parameter twice.
        is_whole_day = (due.hour, due.minute) == (23, 59)
        at = f"DTSTART;VALUE=DATE;VALUE=DATE:{due:%Y%m%d}" if is_whole_day else f"DTSTART:{_utc(due)}"
        end = [] if is_whole_day else [f"DTEND:{_utc(due)}"]
        link = (
            f"{self._school.web}/calendar?include_contexts=course_{course['id']}&month={due:%m}&year={due:%Y}"
            f"#assignment_{row['id']}"
        )
        return _entry(f"event-assignment-{row['id']}", [at, *end], f"{row['name']} [{course['course_code']}]", link)

    def _event(self, course: Row, row: Row) -> list[str]:
        end = row["end_at"] or row["start_at"]
        times = [f"DTSTART:{_utc(moment(row['start_at']))}", f"DTEND:{_utc(moment(end))}"]
        place = [f"LOCATION:{_escaped(row['location_name'])}"] if row.get("location_name") else []
        link = f"{self._school.web}/calendar?event_id={row['id']}&include_contexts=course_{course['id']}"
        summary = f"{row['title']} [{course['course_code']}]"
        return _entry(f"event-calendar-event-{row['id']}", [*times, *place], summary, link)


def _entry(uid: str, more: list[str], summary: str, link: str) -> list[str]:
    ends = ["CLASS:PUBLIC", "SEQUENCE:0", f"SUMMARY:{_escaped(summary)}", f"URL;VALUE=URI:{link}", "END:VEVENT"]
    return ["BEGIN:VEVENT", "DTSTAMP:20260901T000000Z", f"UID:{uid}", *more, *ends]


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> list[str]:
    """At most 75 bytes in a line, the rest on lines that begin with a space (RFC 5545, 3.1)."""
    parts, rest = [], line
    while len(rest.encode()) > 74:
        cut = 74
        while len(rest[:cut].encode()) > 74:
            cut -= 1
        parts.append(rest[:cut])
        rest = f" {rest[cut:]}"
    return [*parts, rest]
