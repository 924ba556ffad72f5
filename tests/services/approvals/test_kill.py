"""kill -9 in the middle of an approved write: the outside world sees it exactly once, and the turn goes on."""

import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from services.agent.events import TurnStatus
from services.agent.view import ApprovalItem
from services.approvals.approvals import ApprovalStatus
from services.clock import utc_now
from services.settings import ROOT
from tests.agent_fakes import WAIT_S
from tests.campus_rooms import CampusRoom, words
from tests.campus_server import CampusServer
from tests.crashing_child import POINTS

CREATE = '/call calendar_create_event {"title": "Study Biology", "start": "2030-05-06T15:00", "duration_minutes": 60}'


def a_minute_later() -> datetime:
    """The time of the process that comes after: the leases of the dead one have run out."""
    return utc_now() + timedelta(seconds=60)


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_write_happens_exactly_once(campus: CampusServer, tmp_path: Path, point: str) -> None:
    maya = CampusRoom(campus, tmp_path)
    maya.connect("google_calendar")
    conversation, waiting = maya.ask(CREATE)
    (card,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    arguments = [str(tmp_path), maya.settings.public_url, maya.maya.id, card.approval_id, point]

    child = subprocess.run([sys.executable, "-m", "tests.crashing_child", *arguments], cwd=ROOT, timeout=60)
    survivor = CampusRoom(campus, tmp_path, clock=a_minute_later)
    survivor.services.turns.recover()
    last = _settled(survivor, conversation)
    if last is TurnStatus.INTERRUPTED or last is TurnStatus.FAILED:
        survivor.services.turns.resume(survivor.maya, conversation)
    view = survivor.watch(conversation)

    assert child.returncode == -9
    assert survivor.services.approvals.get(maya.maya.id, card.approval_id).status is ApprovalStatus.DONE
    assert survivor.events_titled("Study Biology") == 1
    assert view.status is TurnStatus.DONE
    assert words(view)
    for room in (maya, survivor):
        room.close()


def _settled(room: CampusRoom, conversation: str) -> TurnStatus:
    """Wait until recovery has done its part; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        (turn,) = room.services.store.of(room.maya.id).find("turns", {"conversation_id": conversation})
        if TurnStatus(turn["status"]).is_over:
            return TurnStatus(turn["status"])
        time.sleep(0.02)
    raise AssertionError("recovery never came to an end")
