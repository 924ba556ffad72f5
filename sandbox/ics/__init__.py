"""Ordinary calendar feeds: a rowing club's, the holidays, and all that a pasted address can be instead."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.campus import Campus

CALENDAR = "text/calendar; charset=utf-8"
BERLIN = ZoneInfo("Europe/Berlin")
ODD_ZONE = """BEGIN:VTIMEZONE
TZID:(UTC+01:00) Amsterdam, Berlin, Bern, Rome
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
END:VTIMEZONE
"""


def seed(campus: Campus) -> None:
    """Nothing is kept: the feeds are counted from today."""


def routes(campus: Campus) -> list[BaseRoute]:
    """The routes below /sandbox/ics."""

    async def feed(request: Request) -> Response:
        name = request.path_params["name"]
        etag = f'"{campus.today.isoformat()}-{name}"'
        if name not in ("rowing", "odd", "bad", "empty-calendar"):
            return Response("Not Found", status_code=404, media_type="text/plain")
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"etag": etag})
        body = {"rowing": rowing, "odd": odd, "bad": bad, "empty-calendar": lambda _: wrapped("Nothing yet", "")}[name]
        return Response(body(campus), media_type=CALENDAR, headers={"etag": etag})

    async def special(request: Request) -> Response:
        answers = {
            "page": lambda: HTMLResponse("<!doctype html><title>Calendar</title><p>Sign in to see it."),
            "nothing": lambda: Response("", media_type=CALENDAR),
            "text": lambda: Response("Monday: laundry\n", media_type="text/plain"),
            "cut": lambda: Response(rowing(campus)[:400], media_type=CALENDAR),
            "huge": lambda: Response(b"BEGIN:VCALENDAR\r\n" + b"X-PAD:x\r\n" * 400_000, media_type=CALENDAR),
            "inside": lambda: RedirectResponse("http://169.254.169.254/latest/meta-data"),
            "moved": lambda: RedirectResponse(f"{campus.origin}/ics/rowing.ics", status_code=301),
        }
        name = request.path_params["name"]
        return answers[name]() if name in answers else Response("Not Found", status_code=404)

    return [Route("/{name}.ics", feed, methods=["GET"]), Route("/special/{name}", special, methods=["GET"])]


def rowing(campus: Campus) -> str:
    """A club's training twice a week, with one left out, one moved, a weekend, and a time without a zone."""
    monday = campus.today - timedelta(days=campus.today.weekday())
    first = datetime.combine(monday - timedelta(weeks=4), datetime.min.time()) + timedelta(hours=6)
    skipped, moved = first + timedelta(weeks=5), first + timedelta(weeks=5, days=2)
    entries = f"""BEGIN:VEVENT
UID:training@rowing.example
DTSTAMP:20260901T000000Z
DTSTART;TZID=America/Chicago:{first:%Y%m%dT%H%M%S}
DURATION:PT1H30M
RRULE:FREQ=WEEKLY;BYDAY=MO,WE
EXDATE;TZID=America/Chicago:{skipped:%Y%m%dT%H%M%S}
SUMMARY:Rowing: training
LOCATION:Boathouse
END:VEVENT
BEGIN:VEVENT
UID:training@rowing.example
DTSTAMP:20260901T000000Z
RECURRENCE-ID;TZID=America/Chicago:{moved:%Y%m%dT%H%M%S}
DTSTART;TZID=America/Chicago:{moved + timedelta(hours=11):%Y%m%dT%H%M%S}
DURATION:PT1H
SUMMARY:Rowing: training (evening)
LOCATION:Boathouse
END:VEVENT
BEGIN:VEVENT
UID:regatta@rowing.example
DTSTAMP:20260901T000000Z
DTSTART;VALUE=DATE:{campus.today + timedelta(days=14):%Y%m%d}
DTEND;VALUE=DATE:{campus.today + timedelta(days=16):%Y%m%d}
SUMMARY:Regatta weekend
END:VEVENT
BEGIN:VEVENT
UID:dinner@rowing.example
DTSTAMP:20260901T000000Z
DTSTART:{campus.today + timedelta(days=9):%Y%m%d}T193000
DTEND:{campus.today + timedelta(days=9):%Y%m%d}T213000
SUMMARY:Club dinner
END:VEVENT
"""
    return wrapped("Rowing club", entries)


def odd(campus: Campus) -> str:
    """A meeting in a zone with a name of its own, described in the file."""
    at = campus.today + timedelta(days=3)
    zone = '"(UTC+01:00) Amsterdam, Berlin, Bern, Rome"'
    entries = f"""BEGIN:VEVENT
UID:odd@zone.example
DTSTAMP:20260901T000000Z
DTSTART;TZID={zone}:{at:%Y%m%d}T150000
DTEND;TZID={zone}:{at:%Y%m%d}T160000
SUMMARY:Call with Berlin
END:VEVENT
"""
    return wrapped("Exchange", ODD_ZONE + entries)


def bad(campus: Campus) -> str:
    """One good entry among some that nobody can read."""
    at = campus.today + timedelta(days=2)
    entries = f"""BEGIN:VEVENT
UID:nowhen@bad.example
SUMMARY:Without a time
END:VEVENT
BEGIN:VEVENT
UID:wrong@bad.example
DTSTART:2026-13-40
SUMMARY:On no day of the year
END:VEVENT
BEGIN:VEVENT
UID:often@bad.example
DTSTART:20200101T000000Z
RRULE:FREQ=SECONDLY
SUMMARY:Every second
END:VEVENT
BEGIN:VEVENT
UID:good@bad.example
DTSTART:{at:%Y%m%d}T180000Z
SUMMARY:The good one
END:VEVENT
"""
    return wrapped("Mixed", entries)


def wrapped(name: str, entries: str) -> str:
    """A whole file around entries, with the line ends that the format wants."""
    text = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//campus//feeds//EN\nX-WR-CALNAME:{name}\n{entries}END:VCALENDAR\n"
    return text.replace("\n", "\r\n")
