"""kill -9 right after a calendar's write has reached Google: recovery finishes it once, and it can still be undone."""

import json
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.items import ApprovalItem
from services.runtime.clock import utc_now
from services.settings import ROOT
from tests.agent_fakes import WAIT_S
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

SERIES = "google_calendar/handmade00"
THIRD = f"{SERIES}_20300508T200000Z"
STARTS = ["2030-06-03T10:00", "2030-06-04T10:00", "2030-06-05T10:00"]
WRITES: list[tuple[str, dict[str, Any], int]] = [
    ("calendar_create_study_sessions", {"title": "Study", "starts": STARTS}, 3),
    ("calendar_add_due_date", {"assignment": "Essay", "due": "2030-06-03T23:59"}, 1),
    ("calendar_create_event", {"title": "Run", "start": "2030-06-03T07:00", "repeats": "daily", "repeat_count": 4}, 1),
    ("calendar_update_event", {"event_id": THIRD, "title": "Late swim"}, 1),
    ("calendar_update_event", {"event_id": THIRD, "title": "Late swim", "applies_to": "following"}, 2),
    ("calendar_update_event", {"event_id": THIRD, "add_guests": ["lena@campus.example"], "applies_to": "following"}, 2),
    ("calendar_delete_event", {"event_id": THIRD, "applies_to": "all"}, 1),
]


def a_minute_later() -> datetime:
    """The time of the process that comes after: the leases of the dead one have run out."""
    return utc_now() + timedelta(seconds=60)


OFTEN = (5,)
"""This one is killed in every run: a series that is cut with its guests. The soak kills all."""


@pytest.mark.parametrize(
    ("tool", "arguments", "writes"),
    [pytest.param(*write, marks=() if at in OFTEN else pytest.mark.soak) for at, write in enumerate(WRITES)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_killed_write_of_the_calendar_happens_once_and_can_be_undone(
    campus: CampusServer, tmp_path: Path, tool: str, arguments: dict[str, Any], writes: int
) -> None:
    maya = CampusRoom(campus, tmp_path)
    maya.connect("google_calendar")
    _put_a_series(campus)
    before = _everything(campus)
    _, waiting = maya.ask(f"/call {tool} {json.dumps(arguments)}")
    (card,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]

    command = [str(tmp_path), maya.settings.public_url, maya.maya.id, card.approval_id, "written"]
    child = subprocess.run([sys.executable, "-m", "tests.crashing_child", *command], cwd=ROOT, timeout=60)
    after_crash = _everything(campus)
    survivor = CampusRoom(campus, tmp_path, clock=a_minute_later)
    survivor.services.turns.recover()
    approval = _decided(survivor, card.approval_id)

    assert child.returncode == -9
    assert approval.status is ApprovalStatus.DONE
    assert approval.integration == "google_calendar"
    assert after_crash != before
    assert _everything(campus) == after_crash
    assert len(maya.events_written()) == writes + 1
    undone = survivor.services.turns.undo(survivor.maya, card.approval_id)
    assert undone.status is ApprovalStatus.UNDONE
    assert _everything(campus) == before
    for room in (maya, survivor):
        room.close()


def _decided(room: CampusRoom, approval_id: str) -> Approval:
    """Wait until recovery has done its part; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        approval = room.services.approvals.get(room.maya.id, approval_id)
        if approval.status.is_decided:
            return approval
        time.sleep(0.02)
    raise AssertionError("recovery never came to an end")


def _google(campus: CampusServer) -> tuple[str, dict[str, str]]:
    token = campus.token("google", "maya")
    address = f"{campus.url}/google/calendar/v3/calendars/primary/events"
    return address, {"Authorization": f"Bearer {token}"}


def _put_a_series(campus: CampusServer) -> None:
    address, headers = _google(campus)
    edges = {
        name: {"dateTime": f"2030-05-06T{hour}:00:00", "timeZone": "America/Chicago"}
        for name, hour in (("start", "15"), ("end", "16"))
    }
    event = {"id": "handmade00", "summary": "Swim", **edges, "recurrence": ["RRULE:FREQ=DAILY;COUNT=5"]}
    httpx.post(address, json=event, headers=headers, trust_env=False).raise_for_status()


def _everything(campus: CampusServer) -> list[tuple[str, str]]:
    """Title with guests, and start, of all that is in her calendar in those weeks, as Google itself says."""
    address, headers = _google(campus)
    window = {"timeMin": "2030-05-01T00:00:00Z", "timeMax": "2030-06-30T00:00:00Z", "singleEvents": "true"}
    answer = httpx.get(address, params=window, headers=headers, trust_env=False).json()
    return sorted(
        (f"{event['summary']} {event.get('attendees', '')}", str(event["start"])) for event in answer["items"]
    )
