"""Due dates and days are the student's own, on both sides of a change of clocks, in three zones (R26)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.tools.context import ToolExecutionContext
from tests.campus_server import CampusServer
from tests.fakes import FakeClock

ZONES = [
    ("America/Chicago", "2026-11-02T05:59:00Z", "Sun 1 Nov 2026, 11:59 PM CST", "2026-11-01"),
    ("America/Chicago", "2026-11-01T04:59:00Z", "Sat 31 Oct 2026, 11:59 PM CDT", "2026-10-31"),
    ("America/Chicago", "2026-03-09T04:59:00Z", "Sun 8 Mar 2026, 11:59 PM CDT", "2026-03-08"),
    ("Europe/Madrid", "2026-10-25T22:59:00Z", "Sun 25 Oct 2026, 11:59 PM CET", "2026-10-25"),
    ("Europe/Madrid", "2026-10-25T00:30:00Z", "Sun 25 Oct 2026, 2:30 AM CEST", "2026-10-25"),
    ("Europe/Madrid", "2026-10-25T01:30:00Z", "Sun 25 Oct 2026, 2:30 AM CET", "2026-10-25"),
    ("Australia/Lord_Howe", "2026-04-04T15:15:00Z", "Sun 5 Apr 2026, 1:45 AM UTC+1030", "2026-04-05"),
    ("Australia/Lord_Howe", "2026-10-03T15:29:00Z", "Sun 4 Oct 2026, 1:59 AM UTC+1030", "2026-10-04"),
    ("Australia/Lord_Howe", "2026-10-03T15:31:00Z", "Sun 4 Oct 2026, 2:31 AM UTC+11", "2026-10-04"),
]


def planner(campus: CampusServer, *dues: str) -> None:
    """The planner holds one essay for each due date."""
    rows = [
        {
            "plannable_type": "assignment",
            "plannable_id": number,
            "context_name": "Writing",
            "plannable": {"title": f"Essay {number}", "due_at": due, "points_possible": 20},
            "submissions": {"submitted": False},
        }
        for number, due in enumerate(dues, 1)
    ]
    campus.fault(service="canvas", fault="status", path="/api/v1/planner/items", times=0, status=200, body=rows)


def in_zone(context: ToolExecutionContext, zone: str) -> ToolExecutionContext:
    return replace(context, student=replace(context.student, timezone=zone))


@pytest.mark.parametrize(("zone", "due", "written", "day"), ZONES)
def test_a_due_date_is_on_the_students_day(
    campus: CampusServer, call: Any, maya: ToolExecutionContext, zone: str, due: str, written: str, day: str
) -> None:
    planner(campus, due)

    result = call("canvas_list_assignments", in_zone(maya, zone), window="range", start=day, end=day)

    assert f"due {written} — 20 points" in result.output
    assert result.data["total"] == 1


@pytest.mark.parametrize("zone", ["America/Chicago", "Europe/Madrid", "Australia/Lord_Howe"])
def test_the_day_before_and_the_day_after_are_not_that_day(
    campus: CampusServer, call: Any, maya: ToolExecutionContext, zone: str
) -> None:
    for _, due, _, day in (row for row in ZONES if row[0] == zone):
        campus.clear_faults()
        planner(campus, due)
        on = datetime.fromisoformat(day).date()
        for other in (on - timedelta(days=1), on + timedelta(days=1)):
            arguments = {"window": "range", "start": other.isoformat(), "end": other.isoformat()}
            assert call("canvas_list_assignments", in_zone(maya, zone), **arguments).data["total"] == 0


@pytest.mark.parametrize("zone", ["America/Chicago", "Europe/Madrid", "Australia/Lord_Howe"])
def test_a_week_of_changed_clocks_holds_exactly_its_seven_days(
    campus: CampusServer, call: Any, maya: ToolExecutionContext, clock: FakeClock, zone: str
) -> None:
    """Work at the last minute of each day of the week in which each zone leaves summer time."""
    context, monday = in_zone(maya, zone), {"Europe/Madrid": 19, "America/Chicago": 26}.get(zone)
    first = (
        datetime(2026, 10, monday, tzinfo=context.timezone)
        if monday
        else datetime(2026, 3, 30, tzinfo=context.timezone)
    )
    clock.at = first.replace(hour=9).astimezone(UTC)
    ends = [(first + timedelta(days=at, hours=23, minutes=59)).astimezone(UTC) for at in range(-1, 8)]
    planner(campus, *(end.isoformat() for end in ends))

    (week,) = call("canvas_get_workload", context, weeks=1).data["weeks"]

    assert [item["title"] for item in week["items"]] == [f"Essay {number}" for number in range(2, 9)]


def test_dates_that_are_none_or_nonsense_stay_apart(
    campus: CampusServer, call: Any, maya: ToolExecutionContext
) -> None:
    planner(campus, "2026-13-40", "soon", "2026-11-24T05:59:00Z")

    output = call("canvas_list_assignments", window="range", start="2026-11-23", end="2026-11-23").output

    assert output.count("due date unreadable in Canvas") == 2
    assert "Essay 3** — Writing — due Mon 23 Nov 2026, 11:59 PM CST" in output
