"""kill -9 in the middle of an approved write: the outside world sees it exactly once, and the turn goes on."""

import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem
from services.conversations.turn_records import TurnStatus
from services.runtime.clock import utc_now
from services.settings import ROOT
from tests.agent_fakes import WAIT_S
from tests.campus_rooms import CampusRoom, words
from tests.campus_server import CampusServer
from tests.crashing_child import POINTS

NOTION = {
    "create": '/call notion_create_page {"title": "Killed once", "parent": "Lab 6: Onion root tips", "content": "One"}',
    "append": '/call notion_append_to_page {"page": "Lab 6: Onion root tips", "content": "Killed once"}',
}
CREATE = '/call calendar_create_event {"title": "Study Biology", "start": "2030-05-06T15:00", "duration_minutes": 60}'


def a_minute_later() -> datetime:
    """The time of the process that comes after: the leases of the dead one have run out."""
    return utc_now() + timedelta(seconds=60)


@pytest.mark.parametrize(
    "point", [pytest.param(point, marks=() if point == "written" else pytest.mark.soak) for point in POINTS]
)
def test_a_killed_write_happens_exactly_once(campus: CampusServer, tmp_path: Path, point: str) -> None:
    maya = CampusRoom(campus, tmp_path)
    maya.connect("google_calendar")
    conversation, approval_id = _killed(maya, CREATE, point)

    survivor = CampusRoom(campus, tmp_path, clock=a_minute_later)
    survivor.services.turns.recover()
    last = _settled(survivor, conversation)
    if last is TurnStatus.INTERRUPTED or last is TurnStatus.FAILED:
        survivor.services.turns.resume(survivor.maya, conversation)
    view = survivor.watch(conversation)

    assert survivor.services.approvals.get(maya.maya.id, approval_id).status is ApprovalStatus.DONE
    assert survivor.events_titled("Study Biology") == 1
    assert view.status is TurnStatus.DONE
    assert words(view)
    for room in (maya, survivor):
        room.close()


@pytest.mark.parametrize("point", [pytest.param("approved", marks=pytest.mark.soak), "written"])
@pytest.mark.parametrize("write", [pytest.param("create", marks=pytest.mark.soak), "append"])
@pytest.mark.soak
def test_a_killed_write_to_notion_is_looked_for_before_any_repeat(
    campus: CampusServer, tmp_path: Path, write: str, point: str
) -> None:
    maya = CampusRoom(campus, tmp_path)
    maya.connect("notion")
    conversation, approval_id = _killed(maya, NOTION[write], point)

    survivor = _survivor(maya, conversation)

    assert survivor.services.approvals.get(maya.maya.id, approval_id).status is ApprovalStatus.DONE
    assert len([entry for entry in campus.log(service="notion", writes=1) if "oauth" not in entry["path"]]) == 1
    for room in (maya, survivor):
        room.close()


@pytest.mark.parametrize(
    ("point", "status", "events"),
    [
        pytest.param("approved", ApprovalStatus.FAILED, 0, marks=pytest.mark.soak),
        ("written", ApprovalStatus.DONE, 1),
    ],
)
def test_of_a_student_who_was_switched_off_it_is_only_found_out_what_was_done(
    campus: CampusServer, tmp_path: Path, point: str, status: ApprovalStatus, events: int
) -> None:
    maya = CampusRoom(campus, tmp_path)
    maya.connect("google_calendar")
    conversation, approval_id = _killed(maya, CREATE, point)
    asked = len(maya.model_requests())
    maya.services.students.disable(maya.maya.id)

    survivor = _survivor(maya, conversation)

    assert survivor.services.approvals.get(maya.maya.id, approval_id).status is status
    assert survivor.events_titled("Study Biology") == events
    assert len(survivor.model_requests()) == asked
    for room in (maya, survivor):
        room.close()


def _killed(maya: CampusRoom, write: str, point: str) -> tuple[str, str]:
    """The conversation and approval of a write whose process was killed at a point of it."""
    conversation, waiting = maya.ask(write)
    (card,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    arguments = [str(maya.data_dir), maya.settings.public_url, maya.maya.id, card.approval_id, point]
    child = subprocess.run([sys.executable, "-m", "tests.crashing_child", *arguments], cwd=ROOT, timeout=60)
    assert child.returncode == -9
    return conversation, card.approval_id


def _survivor(maya: CampusRoom, conversation: str) -> CampusRoom:
    """The next process, once it has tidied up."""
    survivor = CampusRoom(maya.server, maya.data_dir, clock=a_minute_later)
    survivor.services.turns.recover()
    _settled(survivor, conversation)
    return survivor


def _settled(room: CampusRoom, conversation: str) -> TurnStatus:
    """Wait until recovery has done its part; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        (turn,) = room.services.store.for_student(room.maya.id).find("turns", {"conversation_id": conversation})
        if TurnStatus(turn["status"]).is_over:
            return TurnStatus(turn["status"])
        time.sleep(0.02)
    raise AssertionError("recovery never came to an end")
