"""Approvals: asked before anything is written, decided once, told to the model, undone while that is safe."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem, AssistantText
from services.conversations.turn_records import TurnStatus
from services.errors import (
    ApprovalError,
    BadArguments,
    OutcomeUnknown,
    RequestRefused,
    ServiceUnavailable,
    SignInRequired,
    TurnBusy,
)
from services.runtime.clock import utc_now
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked, decided, told

pytestmark = pytest.mark.any_store


def test_a_write_waits_and_shows_exactly_what_would_be_written(room: RoomMaker) -> None:
    maya = room(calls(PIN, text="I can pin that."))

    conversation, approval = asked(maya)

    assert maya.board.pins == []
    assert approval.status is ApprovalStatus.PENDING
    assert [(row.label, row.value) for row in approval.rows] == [("Note", "Read chapter 4")]
    assert maya.services.turns.current(maya.maya.id, conversation) is None
    assert isinstance(maya.items(conversation)[-1], ApprovalItem)


def test_an_approved_write_happens_once_under_the_approvals_id_and_the_turn_goes_on(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("It is on the board."))
    conversation, approval = asked(maya)

    maya.services.turns.decide(maya.maya, approval.id, "approve")
    done = decided(maya, conversation, approval)

    assert (done.status, done.outcome) == (ApprovalStatus.DONE, "Pinned “Read chapter 4”.")
    assert done.link == f"https://board.example/{approval.id}"
    assert maya.board.pins == [approval.id]
    assert maya.board.contexts[0].approved_rows == approval.rows
    assert told(maya).startswith("Pinned")
    assert maya.items(conversation)[-1] == AssistantText(text="It is on the board.", seq=4)


def test_a_decline_is_told_to_the_model_and_nothing_is_written(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("All right."))
    conversation, approval = asked(maya)

    maya.services.turns.decide(maya.maya, approval.id, "decline")
    declined = decided(maya, conversation, approval)

    assert declined.status is ApprovalStatus.DECLINED
    assert maya.board.pins == []
    assert told(maya).startswith("The student declined this.")


@pytest.mark.each_store
def test_a_double_click_executes_once_and_the_second_sees_that_it_is_done(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)
    together = threading.Barrier(4)

    def click(replica: Room) -> str:
        together.wait(WAIT_S)
        try:
            replica.services.turns.decide(maya.maya, approval.id, "approve")
        except ApprovalError as error:
            return str(error)
        return "approved"

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(click, [maya, maya, maya.replica(), maya.replica()]))
    decided(maya, conversation, approval)

    assert answers.count("approved") == 1
    assert all("already" in answer for answer in answers if answer != "approved")
    assert maya.board.pins == [approval.id]


def test_edited_arguments_are_validated_anew_shown_and_told(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Done."))
    conversation, approval = asked(maya)

    with pytest.raises(BadArguments):
        maya.services.turns.decide(maya.maya, approval.id, "approve", {"text": "x"})
    maya.services.turns.decide(maya.maya, approval.id, "approve", {"text": "Read chapter 5"})
    done = decided(maya, conversation, approval)

    assert list(maya.board.notes.values()) == ["Read chapter 5"]
    assert done.rows[0].value == "Read chapter 5"
    assert told(maya).startswith('The student changed the request before approving it, to {"text": "Read chapter 5"}')


def test_several_approvals_are_all_decided_before_the_turn_goes_on(room: RoomMaker) -> None:
    second = ("board_pin", {"text": "Call Ana"})
    maya = room(calls(PIN, ("board_read", {}), second), says("One pinned, one not."))
    conversation, waiting = maya.ask("Pin both")
    first, other = [item.approval_id for item in waiting.items if isinstance(item, ApprovalItem)]

    maya.services.turns.decide(maya.maya, first, "approve")
    maya.watch(conversation)
    after_one = len(maya.model.requests)
    maya.services.turns.decide(maya.maya, other, "decline")
    last = maya.watch(conversation)

    assert after_one == 1
    assert last.status is TurnStatus.DONE
    asked_for, results = [message["content"] for message in maya.model.requests[1].messages[-2:]]
    assert [block["tool_use_id"] for block in results] == [block["id"] for block in asked_for]
    assert [block["content"][0]["text"][:11] for block in results] == ["Pinned “Rea", "0 notes (Bo", "The student"]


def test_a_new_message_withdraws_what_still_waits(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("What else?"))
    conversation, approval = asked(maya)

    _, answered = maya.ask("Never mind", conversation)

    assert answered.status is TurnStatus.DONE
    assert maya.services.approvals.get(maya.maya.id, approval.id).status is ApprovalStatus.WITHDRAWN
    with pytest.raises(ApprovalError, match="put aside"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    assert maya.board.pins == []
    assert told(maya).startswith("The student wrote something else")
    assert [m["role"] for m in maya.model.requests[-1].messages] == ["user", "assistant", "user"]


def test_an_approval_expires_after_a_month(room: RoomMaker) -> None:
    clock = FakeClock(utc_now())
    maya = room(calls(PIN), says("Never."), clock=clock)
    _, approval = asked(maya)
    clock.advance(days=31)

    with pytest.raises(ApprovalError, match="expired"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    maya.services.turns.recover()

    assert maya.board.pins == []
    assert maya.services.approvals.get(maya.maya.id, approval.id).status is ApprovalStatus.EXPIRED
    assert len(maya.model.requests) == 1


def test_a_disabled_student_approves_nothing(room: RoomMaker) -> None:
    maya = room(calls(PIN))
    _, approval = asked(maya)
    maya.services.students.disable(maya.maya.id)

    with pytest.raises(SignInRequired):
        maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert maya.board.pins == []


def test_another_student_cannot_see_or_decide_an_approval(room: RoomMaker) -> None:
    maya = room(calls(PIN))
    _, approval = asked(maya)
    diego = maya.sign_in("diego")
    maya.connect(diego)

    with pytest.raises(ApprovalError, match="no such request"):
        maya.services.turns.decide(diego, approval.id, "approve")
    with pytest.raises(ApprovalError, match="no such request"):
        maya.services.turns.undo(diego, approval.id)

    assert maya.board.pins == []


def test_arguments_that_were_changed_behind_our_back_are_not_executed(room: RoomMaker) -> None:
    maya = room(calls(PIN))
    _, approval = asked(maya)
    maya.services.store.for_student(maya.maya.id).compare_and_set(
        "approvals", approval.id, {}, {"arguments": {"text": "Something else"}}
    )

    with pytest.raises(ApprovalError, match="changed"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert maya.board.pins == []


def test_a_write_to_an_account_that_was_disconnected_is_refused(room: RoomMaker) -> None:
    maya = room(calls(PIN))
    _, approval = asked(maya)
    maya.services.connections.disconnect(maya.maya.id, "board")

    with pytest.raises(ApprovalError, match="not connected"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")

    assert maya.services.approvals.get(maya.maya.id, approval.id).status is ApprovalStatus.PENDING


@pytest.mark.parametrize(
    ("failure", "status"),
    [
        (ServiceUnavailable("Board", "The board is down."), ApprovalStatus.FAILED),
        (RequestRefused("Board", "Too many notes."), ApprovalStatus.FAILED),
        (OutcomeUnknown("Board", "The answer got lost."), ApprovalStatus.UNKNOWN),
    ],
)
def test_a_write_that_fails_is_told_and_never_repeated(
    room: RoomMaker, failure: Exception, status: ApprovalStatus
) -> None:
    maya = room(calls(PIN), says("Sorry."))
    conversation, approval = asked(maya)
    maya.board.failure = failure  # type: ignore[assignment]

    maya.services.turns.decide(maya.maya, approval.id, "approve")
    failed = decided(maya, conversation, approval)

    assert failed.status is status
    assert len(maya.board.contexts) == 1
    assert failed.outcome
    assert ("look" in failed.outcome) is (status is ApprovalStatus.UNKNOWN)
    assert told(maya) == failed.outcome


def test_a_write_that_crashes_counts_as_unknown(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Sorry."))
    conversation, approval = asked(maya)

    def crash(operation: str) -> None:
        raise RuntimeError("secret text")

    maya.board.after = crash
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    failed = decided(maya, conversation, approval)

    assert failed.status is ApprovalStatus.UNKNOWN
    assert "secret text" not in failed.outcome


def test_while_a_write_is_being_done_no_new_message_is_taken(room: RoomMaker) -> None:
    gate = Gate()
    maya = room(calls(PIN), says("Done."))
    maya.board.before = lambda operation: gate.wait()
    conversation, approval = asked(maya)
    begun = maya.services.turns.decide(maya.maya, approval.id, "approve")
    assert gate.reached.wait(WAIT_S)

    running = maya.services.turns.current(maya.maya.id, conversation)
    elsewhere = maya.replica().services.turns.current(maya.maya.id, conversation)
    with pytest.raises(TurnBusy):
        maya.services.turns.start_turn(maya.maya, conversation, "And now?")
    gate.open()
    last = maya.watch(conversation)

    assert begun.status is ApprovalStatus.EXECUTING
    assert running is not None
    assert elsewhere is not None
    assert running.status is elsewhere.status is TurnStatus.RUNNING
    assert last.status is TurnStatus.DONE


def test_stopping_a_waiting_turn_puts_its_approvals_aside(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Never."))
    conversation, waiting = maya.ask("Pin it")
    (item,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]

    maya.services.turns.stop(maya.maya, waiting.turn_id)

    assert maya.services.approvals.get(maya.maya.id, item.approval_id).status is ApprovalStatus.WITHDRAWN
    assert len(maya.model.requests) == 1
    assert maya.items(conversation)[-1].sentence == "You stopped this answer."


def test_what_nobody_can_see_is_not_written_either(room: RoomMaker) -> None:
    maya = room(calls(("board_pin", {"text": "Read\u202e chapter\u200b 4\U000e0041"})), says("Done."))
    conversation, approval = asked(maya)

    maya.services.turns.decide(maya.maya, approval.id, "approve")
    decided(maya, conversation, approval)

    assert approval.rows[0].value == "Read chapter 4"
    assert list(maya.board.notes.values()) == ["Read chapter 4"]
