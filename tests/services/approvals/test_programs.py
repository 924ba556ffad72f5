"""What programs ask for, on both engines: no conversation, the same cards, the same single use."""

import threading

import pytest

from services.approvals.approval import ApprovalStatus
from services.errors import ApprovalError, SignInRequired, TurnBusy
from services.runtime.clock import utc_now
from services.turns import executor
from tests.agent_fakes import WAIT_S, Gate
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker, eventually
from tests.services.approvals.asking import settled

pytestmark = pytest.mark.any_store


def ask(maya: Room, text: str) -> str:
    door = maya.services.gateway
    result = door.call(maya.maya, "board_pin", {"text": text}, asked_by="Laptop")
    assert result.requires_approval
    return result.approval_request_id or ""


def test_a_programs_write_is_done_once_and_undone(room: RoomMaker) -> None:
    maya = room()
    waiting = ask(maya, "Read chapter 4")

    maya.services.turns.decide(maya.maya, waiting, "approve")
    done = settled(maya, waiting)
    with pytest.raises(ApprovalError):
        maya.services.turns.decide(maya.maya, waiting, "approve")
    undone = maya.services.turns.undo(maya.maya, waiting)

    assert (done.status, done.asked_by, done.conversation_id) == (ApprovalStatus.DONE, "Laptop", "")
    assert maya.board.pins == [waiting]
    assert undone.status is ApprovalStatus.UNDONE


def test_what_waits_comes_first_and_is_this_students_only(room: RoomMaker) -> None:
    maya = room()
    old, decided = ask(maya, "old"), ask(maya, "decided")
    maya.services.turns.decide(maya.maya, decided, "decline")
    diego = maya.sign_in("diego")

    approvals = maya.services.approvals
    assert [approval.id for approval in approvals.latest(maya.maya.id, 10)] == [old, decided]
    assert [of_program.id for of_program in approvals.from_programs(maya.maya.id, 10)] == [old, decided]
    assert [of_program.id for of_program in approvals.from_programs(maya.maya.id, 1)] == [old]
    assert [of_program.id for of_program in approvals.from_programs(maya.maya.id, 10, ended_but="Laptop")] == [old]
    assert approvals.from_programs(maya.maya.id, 10, by="This week") == []
    assert [waiting_of_program.id for waiting_of_program in approvals.pending_from_programs(maya.maya.id, 10)] == [old]
    assert approvals.latest(diego.id, 10) == []


def test_recovery_notes_that_a_programs_request_has_expired(room: RoomMaker) -> None:
    clock = FakeClock(utc_now())
    maya = room(clock=clock)
    waiting = ask(maya, "too late")
    clock.advance(days=31)

    maya.services.turns.recover()

    assert maya.services.approvals.pending_from_programs(maya.maya.id, 10) == []
    stored = maya.services.store.for_student(maya.maya.id).get("approvals", waiting)
    assert stored is not None
    assert stored["status"] == "expired"


def test_a_new_message_in_the_chat_leaves_a_programs_request_waiting(room: RoomMaker) -> None:
    maya = room()
    waiting = ask(maya, "still there")

    maya.ask("Hello")

    assert maya.services.approvals.get(maya.maya.id, waiting).status is ApprovalStatus.PENDING


def test_a_key_works_on_both_engines_until_it_is_revoked(room: RoomMaker) -> None:
    maya = room()
    keys = maya.services.keys
    made = keys.create(maya.maya, label="Laptop", scopes=["read"])

    assert keys.authenticate(made.secret).student == maya.maya
    assert keys.list(maya.maya.id)[0].last_used_at is not None
    assert keys.revoke(maya.maya.id, made.key.id)
    with pytest.raises(SignInRequired):
        keys.authenticate(made.secret)


def test_a_slow_write_keeps_its_lease_in_a_process_that_has_answered_nothing(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "BEAT_S", 0.02)
    gate, maya = Gate(), room()
    maya.board.before = lambda _: gate.wait()
    waiting = ask(maya, "Read chapter 4")
    maya.services.turns.decide(maya.maya, waiting, "approve")

    assert gate.reached.wait(WAIT_S)
    leased = {"kind": "approval", "work": waiting}
    (first,) = maya.engine.find("leases", leased)
    eventually(lambda: maya.engine.find("leases", leased)[0]["until"] > first["until"])
    gate.open()
    assert settled(maya, waiting).status is ApprovalStatus.DONE


def test_a_process_that_ends_waits_for_a_write_and_begins_none(room: RoomMaker) -> None:
    gate, maya = Gate(), room()
    maya.board.before = lambda _: gate.wait()
    doing, waiting = ask(maya, "doing"), ask(maya, "waiting")
    maya.services.turns.decide(maya.maya, doing, "approve")
    assert gate.reached.wait(WAIT_S)

    drained = threading.Thread(target=maya.services.turns.drain, args=(WAIT_S,))
    drained.start()
    eventually(maya.services.turns.draining.is_set)
    with pytest.raises(TurnBusy, match="restarting"):
        maya.services.turns.decide(maya.maya, waiting, "approve")
    with pytest.raises(TurnBusy, match="restarting"):
        maya.services.turns.undo(maya.maya, doing)
    assert drained.is_alive()
    gate.open()
    drained.join(WAIT_S)

    approvals = maya.services.approvals
    assert approvals.get(maya.maya.id, doing).status is ApprovalStatus.DONE
    assert approvals.get(maya.maya.id, waiting).status is ApprovalStatus.PENDING
    assert maya.board.pins == [doing]
