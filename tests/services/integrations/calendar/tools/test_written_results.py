"""The result of a write has what its card shows (place, reminders, conflicts), each title and link once."""

from typing import Any

import pytest

from services.tools.result import ToolResult
from tests.calendar_calls import Calendars
from tests.services.integrations.google_calendar.conftest import in_days, put_in

SLOT = {"start": f"{in_days(3)}T10:00", "duration_minutes": 60}
STUDY = {"title": "Quiet study", "location": "Library", "reminders_minutes": [1440, 60], **SLOT}
SESSIONS = {
    "title": "Quiet study",
    "starts": [f"{in_days(3)}T10:15", f"{in_days(4)}T20:00"],
    "duration_minutes": 30,
    "location": "Library",
}


def approved(calls: Calendars, name: str, arguments: dict[str, Any]) -> ToolResult:
    """Run a write with the rows of its card, as after the student's approval."""
    return calls.run(name, arguments, operation_id="op", approved_rows=calls.preview(name, arguments))


@pytest.mark.parametrize("run", [approved, lambda calls, name, arguments: calls.run(name, arguments)])
@pytest.mark.parametrize(
    ("name", "arguments"), [("calendar_create_event", STUDY), ("calendar_create_study_sessions", SESSIONS)]
)
def test_place_reminders_and_conflicts_stand_in_the_result(
    maya: Calendars, run: Any, name: str, arguments: dict[str, Any]
) -> None:
    put_in(maya, summary="Dinner")
    card = maya.card(name, arguments)

    result = run(maya, name, arguments)

    assert "“Dinner”" in card["Conflicts"]
    assert "Library" in result.output
    assert "reminders: 1 day before and 1 hour before" in result.output
    # Some weekdays have a class then, too.
    assert result.output.splitlines()[-1].startswith("Conflicts: ")
    assert "“Dinner”, " in result.output.splitlines()[-1]
    assert result.data["conflicts"] == result.output.splitlines()[-1:]
    assert result.data["event"]["reminders"] == [1440, 60]


def test_a_move_tells_what_it_now_conflicts_with_and_another_change_does_not(maya: Calendars) -> None:
    put_in(maya, summary="Dinner")
    id = maya.run("calendar_create_event", {**STUDY, "start": f"{in_days(3)}T20:00"}).data["event"]["id"]

    moved = approved(maya, "calendar_update_event", {"event_id": id, "start": SLOT["start"]})
    named = maya.run("calendar_update_event", {"event_id": id, "title": "Loud study"})

    assert "Conflicts: " in moved.output
    assert "“Dinner”, " in moved.output
    assert "Conflicts" not in named.output
    assert "Library" in moved.output


def test_a_series_does_not_conflict_with_itself(maya: Calendars) -> None:
    series = {**STUDY, "start": f"{in_days(20)}T05:00", "repeats": "daily", "repeat_count": 3}

    result = maya.run("calendar_create_event", series)
    later = maya.run("calendar_list_events", {"start": str(in_days(20)), "search": "quiet"}).data["events"][1]["id"]
    change = {"event_id": later, "duration_minutes": 90, "applies_to": "following"}

    assert result.data["conflicts"] == []
    assert "Conflicts" not in maya.card("calendar_update_event", change)


@pytest.mark.parametrize("name", ["calendar_create_event", "calendar_update_event", "calendar_create_study_sessions"])
def test_titles_and_links_come_once(maya: Calendars, name: str) -> None:
    arguments = {"calendar_create_event": STUDY, "calendar_create_study_sessions": SESSIONS}.get(name)
    arguments = arguments or {"event_id": put_in(maya, summary="Supper"), "title": "Quiet study"}

    result = maya.run(name, arguments)

    assert result.output.count("Quiet study") == 1
    events = result.data.get("events", [result.data["event"]])
    assert all(result.output.count(event["url"]) == 1 for event in events)
    assert all(event["id"] in result.output for event in events)


def test_what_clashes_with_two_others_has_its_link_once(maya: Calendars) -> None:
    day = in_days(20)
    for title, minute in (("Long", "00"), ("Early", "05"), ("Late", "30")):
        length = 55 if title == "Long" else 20
        maya.run("calendar_create_event", {"title": title, "start": f"{day}T05:{minute}", "duration_minutes": length})

    result = maya.run("calendar_find_conflicts", {"start": str(day), "end": str(day)})

    events = {event["id"]: event for pair in result.data["conflicts"] for event in pair}
    assert {"Long", "Early", "Late"} <= {event["title"] for event in events.values()}
    assert all(result.output.count(event["url"]) == result.output.count(id) == 1 for id, event in events.items())
    assert [result.output.count(title) for title in ("Early", "Late")] == [1, 1]
