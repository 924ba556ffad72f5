"""How the tests of approvals come to one, and past it."""

import time

from services.approvals.approval import Approval
from services.conversations.items import ApprovalItem
from services.conversations.turn_records import TurnStatus
from tests.agent_fakes import WAIT_S
from tests.rooms import Room

PIN = ("board_pin", {"text": "Read chapter 4"})


def asked(maya: Room, text: str = "Pin it") -> tuple[str, Approval]:
    """A conversation whose turn waits, and its one approval."""
    conversation, waiting = maya.ask(text)
    assert waiting.status is TurnStatus.WAITING
    (item,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    return conversation, maya.services.approvals.get(maya.maya.id, item.approval_id)


def decided(maya: Room, conversation: str, approval: Approval) -> Approval:
    maya.watch(conversation)
    return maya.services.approvals.get(maya.maya.id, approval.id)


def told(maya: Room, request: int = -1) -> str:
    """What the model read as the first tool result of its last message but the student's words."""
    blocks = [b for m in maya.model.requests[request].messages for b in m["content"] if b["type"] == "tool_result"]
    return str(blocks[-1]["content"][0]["text"])


def settled(maya: Room, approval_id: str) -> Approval:
    """The approval once it has come to its end; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = maya.services.approvals.get(maya.maya.id, approval_id)
        if found.status.is_decided:
            return found
        time.sleep(0.01)
    raise AssertionError("the write never came to an end")
