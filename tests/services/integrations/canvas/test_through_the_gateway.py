"""The tools in a whole Homeroom: with exactly the scopes it asks for, with its cache, and with a health that flips."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.connections.connection import Health
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS


@pytest.fixture
def room(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    """Maya's Homeroom, connected to Canvas by its sign-in."""
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas")
    yield room
    room.close()


def requests(room: CampusRoom, since: int) -> int:
    return sum(entry["path"].startswith("/api/") for entry in room.server.log(service="canvas", since=since))


def test_every_tool_works_with_exactly_the_scopes_that_were_asked_for(room: CampusRoom) -> None:
    for name, arguments in CALLS:
        result = room.services.gateway.call(room.maya, name, arguments, asked_by="a test")

        assert result.success, (name, result.error)
        assert not result.is_partial, (name, result.output)


def test_the_same_question_within_a_minute_asks_canvas_once(room: CampusRoom) -> None:
    first = room.services.gateway.call(room.maya, "canvas_get_grades", {}, asked_by="a test")
    since = room.server.log()[-1]["id"]

    again = room.services.gateway.call(room.maya, "canvas_get_grades", {}, asked_by="a test")

    assert again.output == first.output
    assert requests(room, since) == 0


def test_an_answer_with_a_gap_is_not_kept(room: CampusRoom) -> None:
    path = "/api/v1/courses/4505/assignments"
    room.server.fault(service="canvas", fault="status", path="/api/v1/calendar_events", times=0, status=403)
    room.server.fault(service="canvas", fault="status", path=path, times=3, status=500)
    arguments = {"window": "unsubmitted"}

    partial = room.services.gateway.call(room.maya, "canvas_list_assignments", arguments, asked_by="a test")
    whole = room.services.gateway.call(room.maya, "canvas_list_assignments", arguments, asked_by="a test")

    assert "Note: The assignments of HIST 142" in partial.output
    assert "Note: The assignments" not in whole.output
    assert whole.data["total"] > partial.data["total"]


def test_a_revoked_sign_in_asks_for_a_reconnect_and_flips_the_health(room: CampusRoom) -> None:
    room.server.fault(service="canvas", fault="revoke_tokens", person="maya")

    result = room.services.gateway.call(room.maya, "canvas_list_todo", {}, asked_by="a test")

    assert (result.success, result.error_kind) == (False, "reconnect")
    assert room.services.connections.all(room.maya.id)["canvas"].health is Health.REVOKED


def test_a_call_without_leave_costs_no_connection(room: CampusRoom) -> None:
    body = {"errors": [{"message": "Insufficient scopes on access token."}]}
    room.server.fault(service="canvas", fault="status", path="/api/v1/planner/items", times=0, status=401, body=body)

    result = room.services.gateway.call(room.maya, "canvas_list_todo", {}, asked_by="a test")

    assert (result.success, result.error_kind) == (False, "not_allowed")
    assert room.services.connections.all(room.maya.id)["canvas"].health is Health.HEALTHY
