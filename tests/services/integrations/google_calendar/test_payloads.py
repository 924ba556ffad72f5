from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.calendar.event import event_data, event_line
from services.integrations.google_calendar.payloads import already_has, edges, read_event, reminders_at, split_id

CHICAGO = ZoneInfo("America/Chicago")
MADRID = ZoneInfo("Europe/Madrid")
LAB = {
    "id": "lab",
    "etag": '"1"',
    "summary": "Lab",
    "start": {"dateTime": "2026-11-27T15:00:00-06:00", "timeZone": "America/Chicago"},
    "end": {"dateTime": "2026-11-27T16:30:00-06:00", "timeZone": "America/Chicago"},
    "reminders": {"useDefault": False, "overrides": [{"method": "popup", "minutes": 60}]},
}


def read(json: dict[str, Any], calendar_id: str = "primary", zone: ZoneInfo = CHICAGO) -> Any:
    return read_event(json, calendar_id=calendar_id, calendar="Clubs", zone=zone)


def test_an_event_is_shown_in_the_students_zone() -> None:
    assert read(LAB).when == "Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST"
    assert read(LAB, zone=MADRID).when == "Fri 27 Nov 2026, 10:00 PM – 11:30 PM CET"


MEET = "https://meet.google.com/abc-defg-hij"
ZOOM = "https://us02web.zoom.us/j/123?pwd=x_y"


@pytest.mark.parametrize(
    ("facts", "address"),
    [
        ({"hangoutLink": MEET}, MEET),
        ({"conferenceData": {"entryPoints": [{"entryPointType": "video", "uri": MEET}]}, "hangoutLink": MEET}, MEET),
        ({"conferenceData": {"entryPoints": [{"entryPointType": "video", "uri": ZOOM}]}}, ZOOM),
        ({"conferenceData": {"entryPoints": [{"entryPointType": "phone", "uri": "tel:+1-555-0100"}]}}, ""),
        ({"conferenceData": {"createRequest": {"requestId": "1"}}}, ""),
        ({"conferenceData": None, "hangoutLink": None}, ""),
        ({"hangoutLink": "javascript:alert(1)"}, ""),
        ({"hangoutLink": "https://a.example/x)[y](https://b.example"}, ""),
    ],
)
def test_the_link_of_a_video_call_is_told(facts: dict[str, Any], address: str) -> None:
    event = read({**LAB, **facts})

    assert event.call_url == event_data(event)["call_url"] == address
    assert (f"[video call]({address})" in event_line(event)) is bool(address)


@pytest.mark.parametrize("zone", [CHICAGO, MADRID, ZoneInfo("Asia/Kolkata"), ZoneInfo("Pacific/Auckland")])
def test_a_whole_day_stays_on_its_day_in_every_zone(zone: ZoneInfo) -> None:
    event = read({**LAB, "start": {"date": "2026-11-27"}, "end": {"date": "2026-11-28"}}, zone=zone)

    assert event.when == "Fri 27 Nov 2026, all day"


def test_an_id_outside_the_main_calendar_carries_its_calendar() -> None:
    event = read(LAB, calendar_id="c_1@group.calendar.google.com")

    assert split_id(event.id) == ("c_1@group.calendar.google.com", "lab")
    assert split_id(read(LAB).id) == ("primary", "lab")


@pytest.mark.parametrize(
    ("facts", "is_busy"),
    [
        ({}, True),
        ({"transparency": "transparent"}, False),
        ({"attendees": [{"self": True, "responseStatus": "declined"}]}, False),
        ({"attendees": [{"self": True, "responseStatus": "tentative"}]}, False),
        ({"attendees": [{"email": "a@b.example", "responseStatus": "declined"}]}, True),
        ({"eventType": "workingLocation"}, False),
    ],
)
def test_what_is_marked_free_tentative_or_declined_takes_no_time(facts: dict[str, Any], is_busy: bool) -> None:
    assert read({**LAB, **facts}).is_busy is is_busy


def test_guests_are_counted_without_the_student_and_without_rooms() -> None:
    guests = [{"self": True}, {"email": "a@b.example"}, {"email": "room", "resource": True}]

    assert read({**LAB, "attendees": guests}).guests == 1


def test_a_private_event_of_somebody_else_is_called_busy() -> None:
    private = {name: value for name, value in LAB.items() if name != "summary"} | {"visibility": "private"}

    assert read(private).title == "Busy"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"summary": "Lab"}, True),
        ({"summary": "Lecture"}, False),
        ({"location": ""}, True),
        ({"start": {"dateTime": "2026-11-27T21:00:00+00:00"}}, True),
        ({"start": {"date": "2026-11-27"}}, False),
        ({"reminders": reminders_at([60])}, True),
        ({"reminders": {"useDefault": True}}, False),
        ({"description": "one\ntwo"}, False),
    ],
)
def test_an_event_has_what_says_the_same(changes: dict[str, Any], expected: bool) -> None:
    assert already_has(LAB, changes) is expected


def test_a_deleted_event_has_nothing_any_more() -> None:
    assert not already_has({**LAB, "status": "cancelled"}, {"summary": "Lab"})
    assert already_has({**LAB, "status": "cancelled"}, {"status": "cancelled"})


def test_line_breaks_count_in_notes_and_space_at_line_ends_does_not() -> None:
    json = {**LAB, "description": "one\ntwo"}

    assert already_has(json, {"description": "one  \ntwo\n"})
    assert not already_has(json, {"description": "one two"})


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),
    st.sampled_from([CHICAGO, MADRID, ZoneInfo("Asia/Kolkata")]),
)
def test_times_that_are_written_for_google_are_read_back_as_the_same_moments(start: datetime, zone: ZoneInfo) -> None:
    start = start.replace(microsecond=0)
    written = edges(start, start, zone)

    event = read({**LAB, **written}, zone=zone)

    # Python calls no hour that a zone has twice equal to one of another zone (PEP 495).
    assert event.start.astimezone(UTC) == start
    assert not event.is_all_day


def test_days_are_written_without_times() -> None:
    assert edges(date(2026, 11, 27), date(2026, 11, 28), CHICAGO) == {
        "start": {"date": "2026-11-27"},
        "end": {"date": "2026-11-28"},
    }
