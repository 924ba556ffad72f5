"""All that is wrong with the arguments of a calendar tool is said at once, by the names of the fields."""

from typing import Any

import pytest

from services.errors import BadArguments
from tests.calendar_calls import Calendars
from tests.campus_server import CampusServer
from tests.services.integrations.google_calendar.conftest import in_days, put_in

SOON = f"{in_days(3)}T10:00"


@pytest.mark.parametrize(
    ("name", "arguments", "fields"),
    [
        (
            "calendar_create_event",
            {"title": "Run", "start": "soon", "end": "later", "calendar": "Nowhere"},
            {"start", "end", "calendar"},
        ),
        (
            "calendar_create_event",
            {"title": "Run", "start": "2026-02-30T10:00", "repeats": "daily", "repeat_days": ["MO"]},
            {"start", "repeat_days", "repeat_until"},
        ),
        (
            "calendar_create_event",
            {"title": "Run", "start": SOON, "end": SOON, "duration_minutes": 5, "repeat_count": 3},
            {"duration_minutes", "repeats"},
        ),
        (
            "calendar_create_event",
            {"title": "Run", "start": "2020-01-01T10:00", "repeats": "daily", "calendar": "Nowhere"},
            {"start", "repeat_until", "calendar"},
        ),
        (
            "calendar_create_study_sessions",
            {"title": "Study", "starts": ["soon", "2020-01-01T10:00", SOON, SOON], "calendar": "Nowhere"},
            {"starts", "calendar"},
        ),
        ("calendar_add_due_date", {"assignment": "Essay", "due": "Friday", "calendar": "Nowhere"}, {"due", "calendar"}),
        (
            "calendar_list_events",
            {"start": "soon", "end": "later", "calendar": "Nowhere"},
            {"start", "end", "calendar"},
        ),
        (
            "calendar_find_free_time",
            {"start": "soon", "end": "later", "day_start": "nine", "day_end": "noon"},
            {"start", "end", "day_start", "day_end"},
        ),
        (
            "calendar_suggest_times",
            {"start": "2026-11-20", "end": "2026-11-19", "day_start": "20:00", "day_end": "08:00"},
            {"end", "day_end"},
        ),
        ("calendar_find_conflicts", {"start": "soon", "end": "later"}, {"start", "end"}),
        (
            "calendar_update_event",
            {"start": "soon", "end": "later", "repeat_days": ["MO"]},
            {"start", "end", "repeat_days"},
        ),
    ],
)
def test_all_that_is_wrong_is_said_at_once(
    campus: CampusServer, maya: Calendars, name: str, arguments: dict[str, Any], fields: set[str]
) -> None:
    if name == "calendar_update_event":
        arguments = {"event_id": put_in(maya, summary="Dinner"), **arguments}
    written = len(campus.log(service="google", writes=1))
    ask = maya.preview if maya.tool(name).preview else maya.run

    with pytest.raises(BadArguments) as caught:
        ask(name, arguments)

    assert set(caught.value.wrong) == fields
    assert all(field in str(caught.value) for field in fields)
    assert caught.value.field in fields
    assert len(campus.log(service="google", writes=1)) == written


def test_an_id_that_is_no_id_says_how_to_find_one(maya: Calendars) -> None:
    with pytest.raises(BadArguments, match="calendar_list_events") as caught:
        maya.preview("calendar_update_event", {"event_id": "Dentist appointment", "title": "Dentist"})

    assert caught.value.field == "event_id"


def test_a_day_may_end_at_twenty_four_hours(maya: Calendars) -> None:
    wanted = {"start": str(in_days(3)), "end": str(in_days(3)), "day_start": "17:00", "buffer_minutes": 0}

    told = [maya.run("calendar_find_free_time", {**wanted, "day_end": end}).data["free"] for end in ("24:00", "23:59")]

    assert told[0] == told[1]
