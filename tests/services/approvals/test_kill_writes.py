"""kill -9 right after a write of several requests, of text that is lost, or of the planner: once, and still undone."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.approvals.test_kill import _killed, _survivor

ITEMS = [{"name": "HW 6", "course": "CS 101"}, {"name": "HW 7"}]
WRITES: dict[str, tuple[dict[str, Any], int]] = {
    "notion_create_tracker": ({"title": "Killed once", "items": ITEMS}, 3),
    "notion_replace_content": ({"page": "Lab 6: Onion root tips", "content": "Killed once"}, 1),
    "notion_update_entry": (
        {"entry": "Lab 9", "database": "Assignment tracker", "changes": {"Status": "Done"}},
        1,
    ),
    "planner_create_task": ({"title": "Killed once", "due_date": "2030-05-06"}, 0),
}


OFTEN = ("notion_create_tracker",)
"""This one is killed in every run; the soak kills all."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OFTEN else pytest.mark.soak) for name in WRITES]
)
def test_a_killed_write_is_there_once_when_the_next_process_has_looked(
    campus: CampusServer, tmp_path: Path, name: str
) -> None:
    arguments, outside = WRITES[name]
    maya = CampusRoom(campus, tmp_path)
    maya.connect("notion")
    conversation, approval_id = _killed(maya, f"/call {name} {json.dumps(arguments)}", "written")

    survivor = _survivor(maya, conversation)

    approval = survivor.services.approvals.get(maya.maya.id, approval_id)
    assert approval.status is ApprovalStatus.DONE
    assert len([entry for entry in campus.log(service="notion", writes=1) if "oauth" not in entry["path"]]) == outside
    assert approval.can_undo
    assert survivor.services.turns.undo(maya.maya, approval_id).status is ApprovalStatus.UNDONE
    for room in (maya, survivor):
        room.close()
