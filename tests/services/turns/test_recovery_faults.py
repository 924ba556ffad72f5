"""Recovery where more than a process is at fault: it was halted and goes on, a clock jumps, a record is damaged."""

from datetime import timedelta

import pytest

from services.approvals.approval import ApprovalStatus
from services.errors import ServiceUnavailable
from services.runtime.clock import utc_now
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.fakes import FakeClock
from tests.rooms import RoomMaker
from tests.services.turns.test_recovery import PIN, _asked, _until, crashed

pytestmark = pytest.mark.any_store


@pytest.fixture
def later() -> FakeClock:
    return FakeClock(utc_now() + timedelta(minutes=2))


def test_a_process_that_was_halted_for_long_does_not_say_that_the_write_failed(
    room: RoomMaker, later: FakeClock
) -> None:
    halted, repeating = Gate(), Gate()
    maya = room(calls(PIN), says("Pinned."))
    maya.board.before = lambda operation: halted.wait()
    _, approval_id = _asked(maya)
    maya.services.turns.decide(maya.maya, approval_id, "approve")
    assert halted.reached.wait(WAIT_S)
    maya.board.before = lambda operation: repeating.wait()

    survivor = crashed(maya, later, halted)
    assert repeating.reached.wait(WAIT_S)
    maya.board.failure = ServiceUnavailable("Board", "The board is down.")
    halted.open()
    maya.services.turns.drain(WAIT_S)
    between = maya.services.approvals.get(maya.maya.id, approval_id).status
    maya.board.failure = None
    repeating.open()
    _until(lambda: survivor.services.approvals.get(maya.maya.id, approval_id).status is ApprovalStatus.DONE)

    assert between is ApprovalStatus.EXECUTING
    assert maya.board.pins == [approval_id]


@pytest.mark.each_store
def test_a_record_that_cannot_be_read_does_not_keep_the_others_from_being_recovered(
    room: RoomMaker, later: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Fault R72."""
    gate = Gate()
    maya = room([gate, *says("Too late.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    damaged = {"kind": "turn", "student": maya.maya.id, "work": "x", "holder": "dead", "until": ""}
    maya.services.store.shared.insert("leases", {"id": "a name without a chat", **damaged})
    maya.services.turns.start_turn(maya.maya, conversation, "Hi")

    survivor = crashed(maya, later, gate)
    items = survivor.items(conversation)
    gate.open()

    assert items[-1].action == "retry"
    assert "recovery_failed work=_interrupt_turn" in caplog.text


def test_what_died_before_the_clock_was_set_back_is_recovered_at_once(room: RoomMaker) -> None:
    gate, an_hour_fast = Gate(), FakeClock(utc_now() + timedelta(hours=1))
    maya = room([gate, *says("Too late.")], clock=an_hour_fast)
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Hi")

    survivor = crashed(maya, FakeClock(utc_now()), gate)
    items = survivor.items(conversation)
    gate.open()

    assert items[-1].action == "retry"


def test_what_is_alive_is_not_recovered_by_its_own_process_when_the_clock_was_set_forward(room: RoomMaker) -> None:
    gate, clock = Gate(), FakeClock(utc_now())
    maya = room(calls(PIN), says("Pinned."), clock=clock)
    maya.board.after = lambda operation: gate.wait()
    _, approval_id = _asked(maya)
    maya.services.turns.decide(maya.maya, approval_id, "approve")
    assert gate.reached.wait(WAIT_S)

    clock.advance(hours=1)
    maya.services.turns.recover()
    gate.open()
    _until(lambda: maya.services.approvals.get(maya.maya.id, approval_id).status is ApprovalStatus.DONE)

    assert [context.is_repeat for context in maya.board.contexts] == [False]
