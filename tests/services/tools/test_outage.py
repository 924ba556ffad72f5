"""Row R22 on the campus: while Canvas does not answer, what it said a moment ago is shown with its age."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.i18n import english
from services.tools.result import ToolResult
from tests.campus_rooms import CampusRoom, words
from tests.campus_server import CampusServer

CHICAGO = ZoneInfo("America/Chicago")


class Later:
    """The real time, and some more; never just before midnight, when another day begins and with it other questions."""

    def __init__(self) -> None:
        now = datetime.now(CHICAGO)
        self.by = timedelta(minutes=15 if (now.hour, now.minute // 45) == (23, 1) else 0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.by


@pytest.fixture
def clock() -> Later:
    return Later()


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path, clock: Later) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path, clock=clock)
    room.connect("canvas")
    yield room
    campus.clear_faults()
    room.close()


def courses(maya: CampusRoom) -> ToolResult:
    return maya.services.gateway.call(maya.maya, "canvas_list_courses", {}, asked_by="Laptop")


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 503}, {"fault": "truncate"}, {"fault": "html"}])
def test_an_older_answer_is_given_with_its_time_in_every_kind_of_outage(
    maya: CampusRoom, campus: CampusServer, clock: Later, fault: dict[str, Any]
) -> None:
    moments = [clock().astimezone(CHICAGO)]
    before = courses(maya)
    moments.append(clock().astimezone(CHICAGO))
    clock.by += timedelta(minutes=5)
    campus.fault(service="canvas", times=0, **fault)

    older = courses(maya)

    assert (before.success, before.is_partial) == (True, False)
    assert (older.success, older.is_partial) == (True, True)
    note = older.output.split("\n")[1]
    assert note.startswith("Note: ")
    assert note.endswith(tuple(f"; this is from {english.clock(moment)}." for moment in moments))
    assert older.data == {**before.data, "notes": [note.removeprefix("Note: ")]}


def test_a_tool_of_a_category_has_its_older_answer_too(maya: CampusRoom, campus: CampusServer, clock: Later) -> None:
    """No integration is written on it: which one it is about follows from what it needs."""
    maya.connect("google_calendar")
    listed = [maya.services.gateway.call(maya.maya, "calendar_list_calendars", {}, asked_by="Laptop")]
    clock.by += timedelta(minutes=5)
    campus.fault(service="google", fault="status", status=503, times=0)

    listed.append(maya.services.gateway.call(maya.maya, "calendar_list_calendars", {}, asked_by="Laptop"))

    assert [result.is_partial for result in listed] == [False, True]
    assert "this is from" in listed[1].output
    assert listed[0].data["calendars"] == listed[1].data["calendars"]


def test_nothing_older_is_made_up(maya: CampusRoom, campus: CampusServer) -> None:
    campus.fault(service="canvas", fault="status", status=503, times=0)

    result = courses(maya)

    assert (result.success, result.error_kind) == (False, "unavailable")


def test_the_model_is_told_and_tells(maya: CampusRoom, campus: CampusServer, clock: Later) -> None:
    conversation, _ = maya.ask("/call canvas_list_courses {}")
    clock.by += timedelta(minutes=5)
    campus.fault(service="canvas", fault="status", status=503, times=0)

    _, last = maya.ask("/call canvas_list_courses {}", conversation)

    assert "this is from" in words(last)
