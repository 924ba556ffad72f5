"""A program at the real campus: an event is asked for, approved and written exactly once, whatever dies in between."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from services.approvals.approval import ApprovalStatus
from services.runtime.clock import utc_now
from services.settings import ROOT
from tests.agent_fakes import WAIT_S
from tests.api.room import Program, door
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

EVENT = {"title": "Study Biology", "start": "2030-05-06T15:00", "duration_minutes": 60}
POINTS = ("approved", "written", "noted")


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    room = CampusRoom(campus, tmp_path)
    room.connect("google_calendar")
    yield room
    room.close()


@pytest.fixture
def program(maya: CampusRoom) -> Program:
    return Program(door(maya.services), maya.services, maya.maya)


def asked(program: Program) -> str:
    answer = program.execute("calendar_create_event", EVENT)
    assert answer.status_code == 202, answer.text
    approval_id: str = answer.json()["approval_request_id"]
    return approval_id


def test_an_event_is_written_once_it_is_approved(maya: CampusRoom, program: Program) -> None:
    waiting = asked(program)
    before = maya.events_written()

    first, again = program.decide(waiting), program.decide(waiting)

    assert before == []
    assert (first.status_code, first.json()["status"]) == (200, "done")
    assert first.json()["link"]
    assert again.status_code == 409
    assert maya.events_titled("Study Biology") == 1
    assert len(maya.events_written()) == 1


def test_what_a_program_wrote_is_undone_in_homeroom(maya: CampusRoom, program: Program) -> None:
    waiting = asked(program)
    program.decide(waiting)

    undone = maya.services.turns.undo(maya.maya, waiting)

    assert undone.status is ApprovalStatus.UNDONE
    assert maya.events_titled("Study Biology") == 0


def test_a_date_in_the_past_is_refused_with_the_reason(program: Program) -> None:
    answer = program.execute("calendar_create_event", {**EVENT, "start": "2020-05-06T15:00"})

    assert (answer.status_code, answer.json()["success"]) == (200, False)
    assert answer.json()["error_kind"] == "bad_arguments"
    assert "past" in answer.json()["error"]


@pytest.mark.parametrize(
    "point", [pytest.param(point, marks=() if point == "written" else pytest.mark.soak) for point in POINTS]
)
def test_a_killed_write_happens_exactly_once(
    campus: CampusServer, tmp_path: Path, maya: CampusRoom, program: Program, point: str
) -> None:
    waiting = asked(program)
    arguments = [str(tmp_path), maya.settings.public_url, program.key.secret, waiting, point]

    child = subprocess.run([sys.executable, "-m", "tests.api.crashing_door", *arguments], cwd=ROOT, timeout=60)
    survivor = CampusRoom(campus, tmp_path, clock=a_minute_later)
    survivor.services.turns.recover()
    status = settled(survivor, waiting)

    assert child.returncode == -9
    assert status is ApprovalStatus.DONE
    assert survivor.events_titled("Study Biology") == 1
    survivor.close()


def a_minute_later() -> datetime:
    """The time of the process that comes after: the leases of the dead one have run out."""
    return utc_now() + timedelta(seconds=60)


def settled(room: CampusRoom, approval_id: str) -> ApprovalStatus:
    """Wait until recovery has done its part; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        status = room.services.approvals.get(room.maya.id, approval_id).status
        if status.is_decided:
            return status
        time.sleep(0.02)
    raise AssertionError("recovery never came to an end")
