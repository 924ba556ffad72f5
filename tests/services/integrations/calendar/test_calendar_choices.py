"""What takes a student's time: by their own answers and marks, and by the calendars that they chose to count."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.integrations.calendar.calendar_choices import blocks_time
from services.integrations.calendar.provider import Calendar
from services.integrations.calendar_feed.occurrences import expand_events
from services.integrations.calendar_feed.parser import read_feed
from services.integrations.google_calendar.payloads import read_event
from tests.calendar_calls import Calendars
from tests.services.integrations.calendar.tools.test_access_of_events import invite
from tests.services.integrations.google_calendar.conftest import CHICAGO, api_of, in_days, put_in

ME = {"email": "maya.chen@campus.example", "self": True}
CAMPUS_EVENTS = "google_calendar/c_campusevents@group.calendar.google.com"


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({}, ""),
        ({"attendees": [{**ME, "responseStatus": "accepted"}]}, ""),
        ({"attendees": [{"email": "sam@campus.example", "responseStatus": "declined"}]}, ""),
        ({"attendees": [{**ME, "responseStatus": "needsAction", "organizer": True}]}, ""),
        ({"attendees": [{**ME, "responseStatus": "needsAction"}], "organizer": {"self": True}}, ""),
        ({"eventType": "outOfOffice"}, ""),
        ({"eventType": "focusTime"}, ""),
        ({"attendees": [{**ME, "responseStatus": "declined"}]}, "declined"),
        ({"attendees": [{**ME, "responseStatus": "tentative"}]}, "tentative"),
        ({"attendees": [{**ME, "responseStatus": "needsAction"}]}, "an invitation not answered yet"),
        ({"status": "tentative"}, "tentative"),
        ({"status": "cancelled"}, "marked as free"),
        ({"transparency": "transparent"}, "marked as free"),
        ({"eventType": "workingLocation"}, "marked as free"),
        ({"eventType": "birthday"}, "marked as free"),
    ],
)
@pytest.mark.parametrize("is_all_day", [False, True])
def test_google_events_take_time_as_the_student_answered_and_marked_them(
    facts: Mapping[str, Any], reason: str, is_all_day: bool
) -> None:
    day = {"start": {"date": "2026-11-24"}, "end": {"date": "2026-11-25"}}
    hour = {name: {"dateTime": f"2026-11-24T1{n}:00:00-06:00"} for n, name in enumerate(("start", "end"))}

    event = read_event(
        {"id": "abcde", **(day if is_all_day else hour), **facts}, calendar_id="primary", calendar="", zone=CHICAGO
    )

    assert (event.is_busy, event.free_reason or "") == (reason == "", reason)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("", ""),
        ("STATUS:CONFIRMED", ""),
        ("TRANSP:OPAQUE", ""),
        ("X-MICROSOFT-CDO-BUSYSTATUS:OOF", ""),
        ("ATTENDEE;PARTSTAT=ACCEPTED:mailto:maya@campus.example", ""),
        ("ATTENDEE;PARTSTAT=DECLINED:mailto:sam@campus.example", ""),
        ("TRANSP:TRANSPARENT", "marked as free"),
        ("TRANSP:OPAQUE\nX-MICROSOFT-CDO-BUSYSTATUS:FREE", "marked as free"),
        ("X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE", "marked as free"),
        ("STATUS:TENTATIVE", "tentative"),
        ("TRANSP:OPAQUE\nX-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE", "tentative"),
        ("ATTENDEE;PARTSTAT=TENTATIVE:mailto:Maya@campus.example", "tentative"),
        ("ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:maya@campus.example", "an invitation not answered yet"),
        ("ATTENDEE:mailto:sam@campus.example\nATTENDEE;PARTSTAT=DECLINED:mailto:maya@campus.example", "declined"),
    ],
)
def test_entries_of_feeds_take_time_as_they_say(lines: str, reason: str) -> None:
    (event,) = _entries(f"DTSTART:20261124T160000Z\nDTEND:20261124T170000Z\n{lines}")

    assert (event.is_busy, event.free_reason or "", event.is_declined) == (not reason, reason, reason == "declined")


@pytest.mark.parametrize(
    ("lines", "is_busy"),
    [("", False), ("TRANSP:OPAQUE", True), ("X-MICROSOFT-CDO-BUSYSTATUS:BUSY", True), ("STATUS:CONFIRMED", False)],
)
def test_a_whole_day_of_a_feed_takes_time_when_it_says_so(lines: str, is_busy: bool) -> None:
    (event,) = _entries(f"DTSTART;VALUE=DATE:20261124\n{lines}")

    assert event.is_busy is is_busy


def test_what_a_feed_has_called_off_is_not_there() -> None:
    assert _entries("DTSTART:20261124T160000Z\nSTATUS:CANCELLED") == ()


def test_by_default_time_goes_where_the_student_writes_and_to_feeds_of_their_own() -> None:
    own = Calendar(id="a", name="Studies", provider="X", can_write=True)
    shared = Calendar(id="b", name="Campus events", provider="X")
    timetable = Calendar(id="c", name="Timetable", provider="X", blocks=True)

    assert [blocks_time(calendar, {}) for calendar in (own, shared, timetable)] == [True, False, True]
    assert [blocks_time(calendar, {"a": False, "b": True, "c": False}) for calendar in (own, shared, timetable)] == [
        False,
        True,
        False,
    ]
    assert blocks_time(shared, {}, is_only=True)


def test_an_offer_blocks_nothing_anywhere_until_the_student_counts_its_calendar(maya: Calendars) -> None:
    """The writing center's drop-in, which everybody on campus may attend and nobody must."""
    day = _drop_in_day(maya)
    study = {"title": "Study", "start": f"{day}T18:30", "duration_minutes": 60}
    evening = {"start": day, "end": day, "day_start": "18:00", "day_end": "21:00"}

    by_default = [_free_hours(maya, evening), _suggested(maya, evening), _clash(maya, study), _drop_in(maya, day)]
    counted = [
        _free_hours(maya, evening, counts=True),
        _suggested(maya, evening, counts=True),
        _clash(maya, study, counts=True),
        _drop_in(maya, day, counts=True),
    ]

    assert by_default == [3.0, 1, "", (False, "optional, its calendar takes no time")]
    assert counted == [0.0, 0, "“Writing center drop-in”", (True, "")]


def test_the_model_is_told_which_calendars_take_no_time_and_what_is_not_settled(maya: Calendars) -> None:
    put_in(maya, summary="Maybe brunch", status="tentative")
    for name in ("calendar_find_free_time", "calendar_suggest_times", "calendar_find_conflicts"):
        result = maya.run(name, {"start": str(in_days(3)), "end": str(in_days(3))})

        assert "what is in “Campus events” takes no time" in result.output, name
        assert "The student chooses under Connections which calendars take their time." in result.output, name
        assert "not settled: “Maybe brunch” (" in result.output, name
        assert result.data["optional_calendars"] == ["Campus events"]
        assert not result.is_partial


def test_the_calendars_are_listed_with_whether_they_take_time(maya: Calendars) -> None:
    rows = {row["name"]: row for row in maya.run("calendar_list_calendars").data["calendars"]}

    assert rows["Maya Chen"]["blocks"]
    assert rows["Studies"]["blocks"]
    assert not rows["Campus events"]["blocks"]
    assert {row["integration"] for row in rows.values()} == {"google_calendar"}


def test_what_the_student_copied_from_a_calendar_of_offers_takes_time(maya: Calendars) -> None:
    day = _drop_in_day(maya)
    edges = {name: {"dateTime": f"{day}T{hour}:00:00", "timeZone": CHICAGO.key} for name, hour in _EVENING}
    api_of(maya).insert("primary", {"id": "handmade07", "summary": "Writing center drop-in", **edges})

    assert _drop_in(maya, day) == (True, "")
    assert _free_hours(maya, {"start": day, "end": day, "day_start": "18:00", "day_end": "21:00"}) == 0.0


@pytest.mark.parametrize(("answer", "hours"), [("needsAction", 1.0), ("tentative", 1.0), ("accepted", 0.0)])
def test_an_invitation_keeps_the_student_from_studying_once_they_have_said_yes(
    maya: Calendars, answer: str, hours: float
) -> None:
    day = str(in_days(6))
    edges = {
        name: {"dateTime": f"{day}T{hour}:00:00", "timeZone": CHICAGO.key}
        for name, hour in (("start", "05"), ("end", "06"))
    }
    invite(maya, **edges, attendees=[{"email": ME["email"], "responseStatus": answer}])

    free = {"start": day, "end": day, "day_start": "05:00", "day_end": "06:00"}

    assert _free_hours(maya, free) == hours


_EVENING = (("start", "18"), ("end", "21"))


def _entries(lines: str) -> tuple[Any, ...]:
    body = (
        "BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:maya@campus.example\nBEGIN:VEVENT\nUID:1@x\nSUMMARY:Talk\n"
        f"{lines}\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    feed = read_feed(body.replace("\n\n", "\n").replace("\n", "\r\n").encode(), default_name="x")
    start = datetime(2026, 11, 20, tzinfo=UTC)
    return expand_events(
        feed, mark="feed", start=start, end=start + timedelta(days=9), zone=ZoneInfo("America/Chicago")
    ).events


def _drop_in_day(maya: Calendars) -> str:
    found = maya.run("calendar_list_events", {"days": 9, "start": str(in_days(1)), "search": "drop-in"}).data["events"]
    days = [str(event["start"])[:10] for event in found]
    taken = maya.run("calendar_list_events", {"days": 9, "start": str(in_days(1))}).data["events"]
    others = [event for event in taken if event["id"] not in {drop_in["id"] for drop_in in found}]
    evenings = {str(event["start"])[:10] for event in others if str(event["end"])[11:13] > "17"}
    return next(day for day in days if day not in evenings)


def _counting(counts: bool, maya: Calendars) -> dict[str, Any]:
    connections = maya.context().connections
    if not counts:
        return {}
    google = replace(connections["google_calendar"], blocking={CAMPUS_EVENTS: True})
    return {"connections": {**connections, "google_calendar": google}}


def _free_hours(maya: Calendars, days: Mapping[str, Any], *, counts: bool = False) -> float:
    free = maya.run("calendar_find_free_time", days, **_counting(counts, maya)).data["free"]
    lengths = [datetime.fromisoformat(gap["end"]) - datetime.fromisoformat(gap["start"]) for gap in free]
    return sum(length.total_seconds() for length in lengths) / 3600


def _suggested(maya: Calendars, days: Mapping[str, Any], *, counts: bool = False) -> int:
    return len(maya.run("calendar_suggest_times", days, **_counting(counts, maya)).data["suggestions"])


def _clash(maya: Calendars, event: Mapping[str, Any], *, counts: bool = False) -> str:
    card = maya.card("calendar_create_event", event, **_counting(counts, maya))
    return card.get("Conflicts", "").partition(",")[0]


def _drop_in(maya: Calendars, day: str, *, counts: bool = False) -> tuple[bool, str]:
    events = maya.run("calendar_list_events", {"start": day, "days": 1}, **_counting(counts, maya)).data["events"]
    (event,) = [event for event in events if event["title"] == "Writing center drop-in"]
    return event["busy"], event["free_reason"]
