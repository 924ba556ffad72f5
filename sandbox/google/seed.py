"""The campus's calendars on its first day: a term of classes around today, and all that lies between them."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sandbox.campus import TIMEZONE, Campus
from sandbox.google.calendars import CALENDARS, Calendar, Calendars, Event, Held
from sandbox.google.events import new_event
from sandbox.google.recurrence import expand
from sandbox.google.timetable import (
    CAMPUS_ONCE,
    CAMPUS_WEEKLY,
    DIEGO_ONCE,
    DIEGO_WEEKLY,
    MAYA_ONCE,
    MAYA_WEEKLY,
    OKAFOR_ONCE,
    OKAFOR_WEEKLY,
    Once,
    Weekly,
    timetable_of,
)

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WEEKS_BEFORE, WEEKS_AFTER = 12, 3
HOLIDAY = 6
STUDIES_ID = "c_studies.maya@group.calendar.google.com"
SPORTS_ID = "c_intramural@group.calendar.google.com"
CAMPUS_EVENTS_ID = "c_campusevents@group.calendar.google.com"
TIMETABLES: dict[str, tuple[Sequence[Weekly], Sequence[Once]]] = {
    "maya": (MAYA_WEEKLY, MAYA_ONCE),
    "diego": (DIEGO_WEEKLY, DIEGO_ONCE),
    "okafor": (OKAFOR_WEEKLY, OKAFOR_ONCE),
}


def seed_calendars(campus: Campus) -> None:
    """Write everyone's primary calendar and the shared one into the empty state."""
    calendars = Calendars(campus)
    everyone = dict.fromkeys(campus.people, "reader")
    for person in campus.people.values():
        _put(campus, person.email, person.name, "#9fe1e7", person.email, {person.id: "owner"})
    _put(campus, CAMPUS_EVENTS_ID, "Campus events", "#fbd75b", "events@campus.example", everyone)
    _put(campus, STUDIES_ID, "Studies", "#7bd148", "maya.chen@campus.example", {"maya": "owner"})
    _put(campus, SPORTS_ID, "Intramural sports", "#fa573c", "sports@campus.example", {"maya": "reader"}, ticked=False)
    timetables = TIMETABLES | {each.person.id: timetable_of(each) for each in campus.personas}
    for person in campus.people.values():
        calendar = calendars.find(person, "primary")
        _fill(calendars, calendar, campus, *timetables[person.id], owner=person.email)
    shared = calendars.find(next(iter(campus.people.values())), CAMPUS_EVENTS_ID)
    _fill(calendars, shared, campus, CAMPUS_WEEKLY, CAMPUS_ONCE, owner="events@campus.example")


def _put(
    campus: Campus, id: str, summary: str, color: str, owner: str, roles: dict[str, str], *, ticked: bool = True
) -> None:
    record: dict[str, Any] = {"id": id, "summary": summary, "description": "", "color": color, "owner": owner}
    record["selected"] = ticked
    campus.state.put(CALENDARS, id, {**record, "roles": roles, "timeZone": TIMEZONE.key})


def _fill(
    calendars: Calendars,
    calendar: Calendar,
    campus: Campus,
    weekly: Sequence[Weekly],
    once: Sequence[Once],
    *,
    owner: str,
) -> None:
    wishes = [*(_series(entry, campus.today) for entry in weekly), *(_single(entry, campus) for entry in once)]
    for wish in wishes:
        wish["id"] = hashlib.sha256(f"{calendar.id}/{wish['summary']}".encode()).hexdigest()[:26]
        calendars.add(calendar, new_event(wish, calendar, owner_email=owner))
    _change_two_shifts(calendars, calendar, campus)


def _series(entry: Weekly, today: date) -> Event:
    monday = today - timedelta(days=today.weekday(), weeks=WEEKS_BEFORE)
    last = monday + timedelta(weeks=WEEKS_BEFORE + WEEKS_AFTER, days=5)
    days = [WEEKDAYS.index(day) for day in entry.days.split(",")] if entry.days else [0]
    begins = datetime.combine(monday + timedelta(days=min(days)), datetime.min.time()).replace(
        hour=entry.at[0], minute=entry.at[1], tzinfo=TIMEZONE
    )
    until = datetime.combine(last, datetime.max.time(), TIMEZONE).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    rule = entry.rule or f"FREQ=WEEKLY;UNTIL={until}"
    recurrence = [f"RRULE:{rule};BYDAY={entry.days}" if entry.days else f"RRULE:{rule}"]
    holiday = today + timedelta(days=HOLIDAY)
    if entry.is_class and holiday.weekday() in days:
        free = datetime.combine(holiday, begins.time())
        recurrence.append(f"EXDATE;TZID={TIMEZONE.key}:{free:%Y%m%dT%H%M%S}")
    return _wish(entry, begins, recurrence=recurrence)


def _single(entry: Once, campus: Campus) -> Event:
    if entry.at is not None:
        return _wish(entry, campus.local(entry.day, *entry.at))
    first = campus.today + timedelta(days=entry.day)
    last = first + timedelta(days=max(entry.minutes // 1440, 1))
    return {
        "summary": entry.title,
        "start": {"date": first.isoformat()},
        "end": {"date": last.isoformat()},
        "transparency": "transparent",
        **entry.more,
    }


def _wish(entry: Weekly | Once, begins: datetime, **more: Any) -> Event:
    ends = (begins.astimezone(UTC) + timedelta(minutes=entry.minutes)).astimezone(TIMEZONE)
    edges = {
        name: {"dateTime": moment.isoformat(), "timeZone": TIMEZONE.key}
        for name, moment in (("start", begins), ("end", ends))
    }
    place = {"location": entry.place} if entry.place else {}
    return {"summary": entry.title, **edges, **place, **more, **entry.more}


def _change_two_shifts(calendars: Calendars, calendar: Calendar, campus: Campus) -> None:
    """Of the coming library shifts the first is cancelled and the second begins an hour later."""
    for held in calendars.events(calendar):
        if held.event["summary"] == "Shift: library front desk":
            first, second = _next_two(held, calendar, campus)
            calendars.change(calendar, held, first | {"status": "cancelled"})
            start = datetime.fromisoformat(second["start"]["dateTime"]) + timedelta(hours=1)
            moved = {
                "start": second["start"] | {"dateTime": start.isoformat()},
                "summary": "Shift: library front desk (swapped)",
            }
            calendars.change(calendar, held, second | moved)


def _next_two(held: Held, calendar: Calendar, campus: Campus) -> tuple[Event, Event]:
    coming = expand(held.event, calendar.zone, after=campus.now(), before=campus.now() + timedelta(days=30))
    return next(coming), next(coming)
