"""A card stays open while its chat goes on: decided once, whenever that is, and the model hears of it."""

from datetime import timedelta
from typing import Any

import pytest

from services.approvals.approval import Approval, ApprovalStatus, target_of
from services.approvals.objection_classifier import is_objection, is_refusal
from services.approvals.open_cards import OPEN_CARD_NOTE
from services.conversations.turn_records import TurnStatus
from services.errors import ApprovalError
from services.prompt.request_messages import api_messages
from services.runtime.clock import utc_now
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked, settled

pytestmark = pytest.mark.any_store

THANKS = "Thanks! What is on my board?"


def left_open(maya: Room) -> tuple[str, Approval]:
    """A conversation that went on past its card, which still waits."""
    conversation, approval = asked(maya)
    _, answered = maya.ask(THANKS, conversation)
    assert answered.status is TurnStatus.DONE
    assert state(maya, approval) is ApprovalStatus.PENDING
    return conversation, approval


def state(maya: Room, approval: Approval) -> ApprovalStatus:
    return maya.services.approvals.get(maya.maya.id, approval.id).status


def sent(maya: Room, request: int = -1) -> list[Any]:
    return list(maya.model.requests[request].messages)


def context(maya: Room, request: int = -1) -> str:
    """What stands around the student's latest words."""
    texts = [b["text"] for m in sent(maya, request) if m["role"] == "user" for b in m["content"] if b["type"] == "text"]
    return next(text for text in reversed(texts) if text.startswith("<context>"))


def results(maya: Room, request: int = -1) -> list[str]:
    blocks = [b for m in sent(maya, request) for b in m["content"] if b["type"] == "tool_result"]
    return [str(block["content"][0]["text"]) for block in blocks]


def test_a_message_that_goes_on_leaves_the_card_and_tells_the_model_that_it_waits(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("You're welcome."))

    left_open(maya)

    assert results(maya) == [OPEN_CARD_NOTE]
    assert "Still waiting for the student, undecided; do not propose it again: Pin a note (Note: Read" in context(maya)
    assert [message["role"] for message in sent(maya)] == ["user", "assistant", "user"]
    assert maya.board.pins == []


def test_an_approval_after_three_more_messages_is_done_once_and_told_with_the_next(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Fine."))
    conversation, approval = left_open(maya)
    for text in ("And my grades?", "Aha"):
        maya.ask(text, conversation)
    before = len(maya.model.requests)

    done = maya.services.turns.decide(maya.maya, approval.id, "approve")
    with pytest.raises(ApprovalError, match="already"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    asked_meanwhile = len(maya.model.requests) - before
    maya.ask("Good", conversation)
    maya.ask("Bye", conversation)

    assert (done.status, done.outcome) == (ApprovalStatus.DONE, "Pinned “Read chapter 4”.")
    assert maya.board.pins == [approval.id]
    assert asked_meanwhile == 0
    assert "The student has approved this since, and it was done: Pin a note" in context(maya, -2)
    assert "The result: Pinned “Read chapter 4”." in context(maya, -2)
    assert "approved" not in context(maya, -1)
    assert results(maya) == [OPEN_CARD_NOTE]


def test_what_the_model_has_read_is_never_written_anew(room: RoomMaker) -> None:
    """The API refuses thoughts behind a changed past, and the cache would be lost."""
    maya = room(calls(PIN), says("Fine."))
    conversation, approval = left_open(maya)
    maya.services.turns.decide(maya.maya, approval.id, "approve")
    maya.ask("Good", conversation)

    first, second = sent(maya, -2), sent(maya, -1)
    assert second[: len(first)] == first
    stored = maya.services.conversations.messages(maya.maya.id, conversation)
    assert api_messages(stored)[: len(second)] == second


def test_a_decline_and_an_expiry_are_told_as_well(room: RoomMaker) -> None:
    maya = room(calls(PIN, ("board_pin", {"text": "Call Ana"})), says("Fine."))
    conversation, waiting = maya.ask("Pin both")
    first, second = maya.services.approvals.for_turn(maya.maya.id, conversation, waiting.turn_id)
    maya.ask(THANKS, conversation)

    maya.services.turns.decide(maya.maya, first.id, "decline")
    later = maya.replica(clock=lambda: utc_now() + timedelta(days=31))
    later.services.turns.recover()
    later.ask("Hello again", conversation)

    assert [state(maya, card) for card in (first, second)] == [ApprovalStatus.DECLINED, ApprovalStatus.EXPIRED]
    assert "The student has declined this since" in context(maya)
    assert "The student did not decide on this in time" in context(maya)
    assert maya.board.pins == []


@pytest.mark.parametrize("text", ["No, thanks", "Make it at 4 instead"])
def test_a_message_that_says_no_or_wants_it_otherwise_puts_the_card_aside(room: RoomMaker, text: str) -> None:
    maya = room(calls(PIN), says("All right."))
    conversation, approval = asked(maya)

    maya.ask(text, conversation)

    assert state(maya, approval) is ApprovalStatus.WITHDRAWN
    assert results(maya) == ["The student wrote something else instead of deciding. Nothing was changed."]


def test_a_later_no_that_is_clear_puts_an_open_card_aside_and_a_bare_one_does_not(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Fine."))
    conversation, approval = left_open(maya)

    maya.ask("No", conversation)
    after_bare = state(maya, approval)
    maya.ask("Please don't add that", conversation)

    assert after_bare is ApprovalStatus.PENDING
    assert state(maya, approval) is ApprovalStatus.WITHDRAWN
    assert "Put aside" in context(maya)
    with pytest.raises(ApprovalError, match="put aside"):
        maya.services.turns.decide(maya.maya, approval.id, "approve")


def test_a_newer_proposal_for_the_same_thing_takes_its_place_and_another_one_does_not(room: RoomMaker) -> None:
    other = ("board_pin", {"text": "Call Ana"})
    maya = room(calls(PIN), says("Fine."), calls(PIN, other), says("Fine."))
    conversation, approval = left_open(maya)

    _, waiting = maya.ask("Pin that and a call", conversation)
    newer = maya.services.approvals.for_turn(maya.maya.id, conversation, waiting.turn_id)

    assert state(maya, approval) is ApprovalStatus.WITHDRAWN
    assert [card.status for card in newer] == [ApprovalStatus.PENDING] * 2


def test_asked_in_another_way_nothing_waits_in_the_old_chat(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Fine."))
    conversation, approval = asked(maya)

    branch = maya.services.chats.branches.ask_instead(maya.maya, conversation, 1, "Do not pin anything")
    maya.watch(branch)

    assert state(maya, approval) is ApprovalStatus.WITHDRAWN
    assert maya.services.turns.current(maya.maya.id, conversation) is None


def test_a_card_can_be_approved_while_another_answer_is_being_written(room: RoomMaker) -> None:
    gate = Gate()
    maya = room(calls(PIN), says("Fine."), lambda request: [gate, *says("Here.")])
    conversation, approval = left_open(maya)
    maya.services.turns.start_turn(maya.maya, conversation, "And now?")
    assert gate.reached.wait(WAIT_S)

    done = maya.services.turns.decide(maya.maya, approval.id, "approve")
    running = maya.services.turns.current(maya.maya.id, conversation)
    gate.open()
    last = maya.watch(conversation)

    assert done.status is ApprovalStatus.DONE
    assert running is not None
    assert last.status is TurnStatus.DONE
    assert last.turn_id == running.turn_id


def test_stopping_a_later_turn_leaves_an_older_card(room: RoomMaker) -> None:
    maya = room(calls(PIN), says("Fine."), calls(("board_pin", {"text": "Call Ana"})))
    conversation, approval = left_open(maya)
    _, waiting = maya.ask("Pin a call", conversation)

    maya.services.turns.stop(maya.maya, waiting.turn_id)

    (newer,) = maya.services.approvals.for_turn(maya.maya.id, conversation, waiting.turn_id)
    assert newer.status is ApprovalStatus.WITHDRAWN
    assert state(maya, approval) is ApprovalStatus.PENDING


@pytest.mark.parametrize("point", ["marked", "told", "written"])
def test_after_a_crash_on_the_way_the_card_is_decided_once_and_the_model_hears_of_it(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """A crash between the steps of a message that leaves a card open, or in the middle of the write it approves."""
    maya = room(calls(PIN), says("Fine."))
    conversation, approval = asked(maya)

    class Crash(BaseException):
        pass

    def crash(*_: Any, **__: Any) -> None:
        raise Crash

    if point == "written":
        maya.ask(THANKS, conversation)
        maya.board.after = crash
        with pytest.raises(Crash):
            maya.services.turns.decide(maya.maya, approval.id, "approve")
    else:
        broken = maya.services.turns._pending if point == "marked" else maya.services.turns._records
        monkeypatch.setattr(broken, "settle" if point == "marked" else "end", crash)
        with pytest.raises(Crash):
            maya.services.turns.start_turn(maya.maya, conversation, THANKS)

    maya.board.after = lambda operation: None
    survivor = maya.replica(clock=lambda: utc_now() + timedelta(seconds=60))
    survivor.services.turns.recover()
    if point != "written":
        survivor.services.turns.decide(maya.maya, approval.id, "approve")
    done = settled(survivor, approval.id)
    survivor.watch(conversation)
    survivor.ask("And?", conversation)

    assert done.status is ApprovalStatus.DONE
    assert maya.board.pins == [approval.id]
    assert "Pinned “Read chapter 4”" in str(sent(maya))


@pytest.mark.parametrize(
    ("text", "is_no"),
    [
        ("no", True),
        ("Nah, the other one", True),
        ("Actually, no.", True),
        ("call it Study group", True),
        ("mejor no", True),
        ("¡Cámbialo!", True),
        ("thanks!", False),
        ("yes, do it", False),
        ("No idea what that means", False),
        ("Will I make it to class in time?", False),
        ("Do I have no class tomorrow?", False),
        ("cancel the meeting with Ana on Friday", False),
        ("no " + "and so on " * 40, False),
        ("", False),
    ],
)
def test_only_what_speaks_of_the_card_speaks_against_it(text: str, is_no: bool) -> None:
    assert is_objection(text) is is_no
    assert is_refusal(text) is (text == "mejor no")


def test_the_same_thing_is_what_is_changed_or_else_what_it_is_called() -> None:
    event = {"title": "Study Biology", "start": "2030-05-06T15:00"}

    assert target_of(event) == target_of({"title": " study  biology ", "start": "2030-05-06T16:00", "location": "Lab"})
    assert target_of(event) != target_of({**event, "title": "Study Chemistry"})
    assert target_of({"event_id": "1", "title": "A"}) == target_of({"event_id": "1", "start": "x"})
    assert target_of({"page": "Notes", "content": "A"}) != target_of({"page": "Notes", "content": "B"})
    assert target_of({"page": "Notes", "content": "A", "parent": None}) == target_of({"content": "A", "page": "Notes"})
