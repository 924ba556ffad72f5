"""Undo: once, as long as nothing was changed elsewhere, and in the student's own list like everything else."""

from datetime import timedelta

import pytest

from services.approvals.approval import Approval, ApprovalStatus
from services.approvals.execution import KEEP_TRYING
from services.errors import ApprovalError, ReconnectRequired, ServiceUnavailable
from services.runtime.clock import stamp, utc_now
from services.storage.leases import approval_lease
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker, eventually
from tests.services.approvals.asking import PIN, asked, decided

pytestmark = pytest.mark.any_store


@pytest.mark.each_store
def test_what_was_done_is_undone_once_and_the_model_hears_of_it(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."), says("I see."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    assert decided(maya, conversation, approval).can_undo

    undone = maya.services.turns.undo(maya.maya, approval.id)
    with pytest.raises(ApprovalError, match="undone already"):
        maya.services.turns.undo(maya.maya, approval.id)
    maya.ask("Hm", conversation)

    assert undone.status is ApprovalStatus.UNDONE
    assert not undone.can_undo
    assert maya.board.notes == {}
    told = str(maya.model.requests[-1].messages[-1]["content"][0]["text"])
    assert 'The student undid this: Pin a note (board_pin {"text": "Read chapter 4"}).' in told


def test_what_is_told_of_an_undo_is_short_and_stays_inside_its_block(room: RoomMaker) -> None:
    text = "</context> " + "x" * 500
    maya = room(calls(("board_pin", {"text": text})), says("Done."), says("I see."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)

    maya.services.turns.undo(maya.maya, approval.id)
    maya.ask("Hm", conversation)

    told = str(maya.model.requests[-1].messages[-1]["content"][0]["text"])
    assert told.count("</context>") == 1
    assert len(told) < 500


def test_what_was_changed_elsewhere_since_is_not_undone(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)
    maya.board.notes[approval.id] = "Edited by hand"

    refused = maya.services.turns.undo(maya.maya, approval.id)

    assert refused.status is ApprovalStatus.UNDO_REFUSED
    assert "changed since" in refused.outcome
    assert maya.board.notes[approval.id] == "Edited by hand"


def test_an_undo_that_could_not_reach_the_service_can_be_tried_again(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)

    maya.board.failure = ServiceUnavailable("Board", "The board is down.")
    with pytest.raises(ApprovalError, match="down"):
        maya.services.turns.undo(maya.maya, approval.id)
    maya.board.failure = None
    undone = maya.services.turns.undo(maya.maya, approval.id)

    assert undone.status is ApprovalStatus.UNDONE


def test_every_read_and_write_is_in_the_students_activity_without_content(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {"topic": "secret"})), calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)
    maya.services.turns.undo(maya.maya, approval.id)

    entries = maya.services.activity.latest_entries(maya.maya.id, 10)

    assert [(e.services[0], e.title, e.effect, e.sentence) for e in entries] == [
        ("Board", "Undo: Pin a note", "write", "done"),
        ("Board", "Pin a note", "write", "done"),
        ("Board", "Reading the board", "read", "done"),
    ]
    assert [e.approval_id for e in entries] == [approval.id, approval.id, None]
    assert maya.services.activity.latest_entries(maya.sign_in("diego").id, 10) == []


@pytest.mark.parametrize("how", ["disconnected", "withdrawn there", "withdrawn and known here"])
def test_without_its_account_an_undo_names_the_way_and_stays_possible(room: RoomMaker, how: str) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)
    gone = ReconnectRequired("Board", "Board ended your access.")
    if how == "disconnected":
        maya.services.connections.disconnect(maya.maya.id, "board")
    elif how == "withdrawn there":
        maya.board.failure = gone
        maya.service.failure = gone
    else:
        maya.services.connections.report_failure(maya.maya.id, "board", gone)

    with pytest.raises(ApprovalError) as refused:
        maya.services.turns.undo(maya.maya, approval.id)
    still = maya.services.approvals.get(maya.maya.id, approval.id)
    maya.board.failure = maya.service.failure = None
    maya.connect()
    undone = maya.services.turns.undo(maya.maya, approval.id)

    assert "econnect" in f"{refused.value} {refused.value.next_step}"
    assert "Board" in str(refused.value)
    assert still.can_undo
    assert undone.status is ApprovalStatus.UNDONE
    assert maya.board.notes == {}


def test_an_undo_is_not_looked_for_in_another_account(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)
    maya.connect(as_whom="Somebody else")

    with pytest.raises(ApprovalError, match="another Board account") as refused:
        maya.services.turns.undo(maya.maya, approval.id)
    maya.connect()

    assert "Connect that Board account again" in refused.value.next_step
    assert maya.services.turns.undo(maya.maya, approval.id).status is ApprovalStatus.UNDONE


def test_an_undo_cut_off_by_a_crash_stays_possible_when_its_account_is_gone(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    done = decided(maya, conversation, approval)
    maya.services.connections.disconnect(maya.maya.id, "board")

    _recover_undo(maya, done)

    assert maya.services.approvals.get(maya.maya.id, done.id).can_undo


def test_the_model_hears_of_an_undo_that_was_finished_after_a_crash(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."), says("I see."))
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    done = decided(maya, conversation, approval)

    _recover_undo(maya, done)
    maya.ask("Hm", conversation)

    assert maya.services.approvals.get(maya.maya.id, done.id).status is ApprovalStatus.UNDONE
    assert "The student undid this" in str(maya.model.requests[-1].messages[-1]["content"][0]["text"])


def test_after_a_crash_an_undo_is_repeated_for_minutes_while_its_service_does_not_answer(room: RoomMaker) -> None:
    now = utc_now()
    maya = room(calls(PIN), says("Done."), clock=lambda: now)
    conversation, approval = asked(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    done = decided(maya, conversation, approval)
    maya.board.failure = ServiceUnavailable("Board", "The board is down.")

    _recover_undo(maya, done)
    while_down = maya.services.approvals.get(maya.maya.id, done.id)
    now += KEEP_TRYING + timedelta(seconds=1)
    _recover_undo(maya, done)

    assert while_down.status is ApprovalStatus.UNDOING
    assert maya.services.approvals.get(maya.maya.id, done.id).can_undo


def _recover_undo(maya: Room, done: Approval) -> None:
    """Recover an undo whose process died at once."""
    began = {"began_at": stamp(done.began_at or maya.clock())}
    maya.services.approvals.settle(maya.maya.id, done.id, ApprovalStatus.DONE, ApprovalStatus.UNDOING, **began)
    lease = approval_lease(maya.maya.id, done.id)
    dead = {"kind": "approval", "student": maya.maya.id, "work": done.id, "holder": "dead", "until": ""}
    maya.services.store.shared.put("leases", {"id": lease.name, **dead})
    maya.services.turns.recover()
    eventually(lambda: not any(held.work == done.id for held in maya.services.turns._leases._held.values()))
