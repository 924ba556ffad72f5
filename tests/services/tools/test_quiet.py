"""When a service asks for quiet, no call of that student reaches it before then, in any replica (R18, R30, R33)."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from services.i18n import english
from services.tools.result import ToolResult
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.tools.test_outage import CHICAGO, Later

ASKS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("canvas", "canvas_list_courses", "canvas_list_todo", {"status": 429}),
    (
        "canvas",
        "canvas_list_courses",
        "canvas_list_todo",
        {"status": 403, "body": "403 Forbidden (Rate Limit Exceeded)"},
    ),
    ("google", "calendar_list_events", "calendar_list_calendars", {"status": 429}),
    ("notion", "notion_search", "notion_list_pages", {"status": 429}),
]
LABELS = {"canvas": "Canvas", "google": "Google Calendar", "notion": "Notion"}
INTEGRATIONS = {"canvas": "canvas", "google": "google_calendar", "notion": "notion"}


@pytest.fixture
def clock() -> Later:
    return Later()


@pytest.fixture
def rooms(campus: CampusServer, tmp_path: Path, clock: Later) -> Iterator[list[CampusRoom]]:
    """Two replicas over one store."""
    both = [CampusRoom(campus, tmp_path, clock=clock) for _ in range(2)]
    yield both
    campus.clear_faults()
    for room in both:
        room.close()


def ask(room: CampusRoom, name: str) -> ToolResult:
    return room.services.gateway.call(room.maya, name, {}, asked_by="Laptop")


@pytest.mark.parametrize(("service", "first", "second", "refusal"), ASKS)
def test_all_calls_of_a_student_keep_the_quiet_in_every_replica_and_hear_until_when(
    campus: CampusServer, rooms: list[CampusRoom], clock: Later, service: str, first: str, second: str, refusal: Any
) -> None:
    here, there = rooms
    here.connect(INTEGRATIONS[service])
    campus.fault(service=service, fault="status", times=1, **refusal, headers={"Retry-After": "120"})
    since = campus.log()[-1]["id"]
    ends = [clock() + timedelta(seconds=119)]

    refused = [ask(room, name) for room, name in ((here, first), (here, second), (there, first), (there, second))]
    ends.append(clock() + timedelta(seconds=180))
    asked = len(campus.log(service=service, since=since))
    clock.by += timedelta(seconds=121)
    afterwards = [ask(there, first), ask(here, second)]

    assert asked == 1
    times = [english.clock((ends[0] + timedelta(minutes=n)).astimezone(CHICAGO)) for n in range(3)]
    for result in refused:
        assert (result.success, result.error_kind) == (False, "unavailable")
        assert any(f"{LABELS[service]} asks us to wait until {time}. Try again then." == result.error for time in times)
    assert [afterward.success for afterward in afterwards] == [True, True]


def test_another_student_is_not_held_up(campus: CampusServer, rooms: list[CampusRoom]) -> None:
    here, there = rooms
    here.connect("canvas")
    there.maya = here.services.students.sign_in(
        issuer="campus", subject="diego", name="Diego", email="", timezone="America/Chicago"
    )
    there.connect("canvas")
    campus.fault(service="canvas", fault="status", times=1, status=429, headers={"Retry-After": "60"})

    waiting, going_on = ask(here, "canvas_list_courses"), ask(there, "canvas_list_courses")

    assert (waiting.success, going_on.success) == (False, True)


def test_an_older_answer_is_given_while_it_is_quiet(
    campus: CampusServer, rooms: list[CampusRoom], clock: Later
) -> None:
    here, _ = rooms
    here.connect("canvas")
    before = ask(here, "canvas_list_courses")
    clock.by += timedelta(minutes=5)
    campus.fault(service="canvas", fault="status", times=1, status=429, headers={"Retry-After": "60"})

    older = ask(here, "canvas_list_courses")

    assert {**older.data, "notes": []} == {**before.data, "notes": []}
    assert "Note: Canvas asks us to wait until " in older.output
