"""The proposed plan: before what is due, in the calendar's free time where there is a calendar, and never written."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from services.errors import BadArguments
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

PLAN = "canvas_propose_study_plan"


@pytest.fixture
def room(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    """Maya's Homeroom, with nothing connected yet."""
    room = CampusRoom(campus, tmp_path)
    yield room
    room.close()


def sittings(data: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = data["sittings"]
    return found


def test_without_a_calendar_it_gives_amounts_of_time_a_day(call: Any) -> None:
    result = call(PLAN, days=5, hours_per_day=2)

    by_day: dict[str, int] = {}
    for sitting in sittings(result.data):
        by_day[sitting["day"]] = by_day.get(sitting["day"], 0) + sitting["minutes"]
    assert 0 < max(by_day.values()) <= 120
    assert all(sitting["start"] is None for sitting in sittings(result.data))
    assert "No calendar was looked at" in result.output
    assert "This is a proposal; nothing was written to a calendar." in result.output
    assert not result.is_partial


def test_with_a_calendar_it_uses_only_free_time_and_writes_nothing(room: CampusRoom) -> None:
    room.connect("canvas", "google_calendar")
    door, since = room.services.gateway, room.server.log()[-1]["id"]

    result = door.call(room.maya, PLAN, {"days": 4}, asked_by="a test")
    free = door.call(room.maya, "calendar_find_free_time", {"minutes": 30, "buffer_minutes": 10}, asked_by="a test")

    assert result.success, result.error
    assert "Only time that is free in the calendar is used; what is in “Campus events” does not count" in result.output
    gaps = [tuple(datetime.fromisoformat(gap[end]) for end in ("start", "end")) for gap in free.data["free"]]
    for sitting in sittings(result.data):
        start = datetime.fromisoformat(sitting["start"])
        end = start + timedelta(minutes=sitting["minutes"])
        assert any(opens <= start and end <= closes for opens, closes in gaps), sitting
    assert room.server.log(service="google", writes=1, since=since) == []


@pytest.mark.parametrize("status", [401, 500])
def test_a_calendar_that_fails_is_a_note_and_the_plan_goes_on(room: CampusRoom, status: int) -> None:
    room.connect("canvas", "google_calendar")
    room.server.fault(service="google", fault="status", path="/calendar/v3/*", times=0, status=status)

    result = room.services.gateway.call(room.maya, PLAN, {"days": 3}, asked_by="a test")

    assert result.success, result.error
    assert sittings(result.data)
    assert "No calendar was looked at" in result.output
    assert "Note: the calendar could not be read." in result.output
    assert result.is_partial


def test_the_past_is_not_planned(call: Any) -> None:
    with pytest.raises(BadArguments, match="cannot begin in the past"):
        call(PLAN, start="2020-01-01")


def test_a_plan_at_the_end_of_all_days_is_refused(call: Any) -> None:
    with pytest.raises(BadArguments, match="more than a year"):
        call(PLAN, start="9999-12-31")


def test_when_nothing_is_open_there_is_nothing_to_plan(campus: CampusServer, call: Any) -> None:
    campus.fault(service="canvas", fault="status", path="/api/v1/planner/items", status=200, body=[])

    assert call(PLAN).output.startswith("Nothing is open in Canvas for ")


def test_what_does_not_fit_before_it_is_due_is_said(call: Any) -> None:
    result = call(PLAN, days=2, hours_per_day=0.5)

    assert result.data["left_over"]
    assert "No room in these days:\n- **" in result.output


def test_a_day_that_is_over_gets_no_work_and_the_plan_says_so(call: Any) -> None:
    result = call(PLAN, days=1, day_start="00:00", day_end="00:01")

    assert result.data["sittings"] == []
    assert "Of today only 0 minutes are left until 12:01 AM." in result.output


@pytest.mark.parametrize("hours", [{"day_start": "99:99"}, {"day_start": "20:00", "day_end": "08:00"}])
def test_hours_that_make_no_sense_are_refused(call: Any, hours: dict[str, str]) -> None:
    with pytest.raises(BadArguments, match="day_end"):
        call(PLAN, **hours)


def test_what_is_due_after_the_plan_and_not_finished_is_said(call: Any) -> None:
    result = call(PLAN, days=1, hours_per_day=0.5)

    assert "After these days, and not or not wholly planned here:\n- **" in result.output


def test_an_exam_beyond_the_plan_is_named_and_not_planned(call: Any) -> None:
    result = call(PLAN, days=14, course="bio")

    assert "- **Final Exam** — due " in result.output.partition("After these days")[2]
    assert "Final Exam" not in {sitting["title"] for sitting in sittings(result.data)}
