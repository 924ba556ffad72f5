"""A card that is decided while other calls of its step still run: the turn goes on when they have ended."""

import threading
from collections.abc import Callable, ValuesView

import pytest

from services.approvals.approval import Approval, ApprovalStatus
from services.conversations.turn_records import TurnStatus
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, settled, told

pytestmark = pytest.mark.any_store

ASK = ("planner_ask_student", {"question": "Which course first?", "choices": ["Biology", "Calculus"]})
READ = ("board_read", {})


class SlowNotes(dict[str, str]):
    """Notes of a board that answers when its gate is opened."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    def values(self) -> ValuesView[str]:
        self._gate.wait()
        return super().values()


def half_way(maya: Room, gate: Gate) -> tuple[str, Approval]:
    """A turn whose card is there already, while the board has not answered yet."""
    maya.board.notes = SlowNotes(gate)
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Both at once")
    assert gate.reached.wait(WAIT_S)
    assert _until(lambda: bool(maya.services.approvals.for_conversation(maya.maya.id, conversation)))
    (approval,) = maya.services.approvals.for_conversation(maya.maya.id, conversation).values()
    return conversation, approval


@pytest.mark.parametrize("order", ["card first", "card last"])
@pytest.mark.parametrize("decision", ["approve", "decline", "answer"])
def test_the_turn_goes_on_with_what_was_decided(room: RoomMaker, decision: str, order: str) -> None:
    card, gate = ASK if decision == "answer" else PIN, Gate()
    step = (card, READ) if order == "card first" else (READ, card)
    maya = room(calls(*step), says("Both."))
    conversation, approval = half_way(maya, gate)

    if decision == "answer":
        maya.services.turns.answer(maya.maya, approval.id, "Biology")
    else:
        maya.services.turns.decide(maya.maya, approval.id, "approve" if decision == "approve" else "decline")
    ended = settled(maya, approval.id)
    gate.open()

    assert _until(lambda: len(maya.model.requests) == 2)
    assert maya.watch(conversation).status is TurnStatus.DONE
    assert ended.status is (ApprovalStatus.DECLINED if decision == "decline" else ApprovalStatus.DONE)
    assert maya.board.pins == ([approval.id] if decision == "approve" else [])
    assert "waits for the student's decision" not in told(maya)


def _until(is_so: Callable[[], bool]) -> bool:
    return any(is_so() or threading.Event().wait(0.02) for _ in range(250))
