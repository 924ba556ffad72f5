"""What a chat reads of the student's days is known to the next one, without another call."""

from pathlib import Path

import pytest

from services.runtime.clock import utc_now
from services.week.snapshots import WeekSnapshot, WeekSnapshots
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

OVERDUE = '/call canvas_list_assignments {"window": "overdue"}'


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> CampusRoom:
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas")
    return room


def noted(maya: CampusRoom) -> WeekSnapshot:
    services = maya.services
    return WeekSnapshots(services.store, utc_now).latest(maya.maya, services.connections.all(maya.maya.id))


def test_a_turn_that_read_what_is_due_fills_the_suggestions_and_asks_for_nothing_more(
    maya: CampusRoom, campus: CampusServer
) -> None:
    requests = [len(campus.log(service="canvas"))]
    maya.services.gateway.call(maya.maya, "canvas_list_assignments", {"window": "overdue"}, asked_by="Laptop")
    before = noted(maya)
    requests.append(len(campus.log(service="canvas")))

    maya.ask(OVERDUE)
    requests.append(len(campus.log(service="canvas")))
    first = noted(maya)
    maya.ask('/call planner_list_tasks {"state": "all"}')

    assert before == WeekSnapshot()
    assert requests[2] - requests[1] <= requests[1] - requests[0]
    assert first.entries
    assert all(entry.course and entry.start < utc_now() for entry in first.entries)
    assert noted(maya) == first
    maya.close()
