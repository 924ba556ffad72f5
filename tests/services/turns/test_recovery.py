"""After a crash: what was said is kept, nothing is done twice, and the conversation can go on."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem, AssistantText, ToolLine, UserMessage
from services.conversations.turn_records import TurnStatus
from services.errors import ServiceUnavailable
from services.runtime.clock import utc_now
from services.turns.turn import turn_lease
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.fakes import FakeClock
from tests.rooms import Room, RoomMaker, eventually

pytestmark = pytest.mark.any_store

PIN = ("board_pin", {"text": "Read chapter 4"})


@pytest.fixture
def later() -> FakeClock:
    """The time of whoever comes after the crash: the leases of before have run out, however often they are renewed."""
    return FakeClock(utc_now() + timedelta(minutes=2))


def crashed(maya: Room, later: FakeClock, gate: Gate) -> Room:
    """A replica that finds the first one's work abandoned: its worker hangs, its leases have run out."""
    assert gate.reached.wait(WAIT_S)
    survivor = maya.replica(clock=later)
    survivor.services.turns.recover()
    return survivor


def test_a_crash_before_a_word_offers_retry(room: RoomMaker, later: FakeClock) -> None:
    gate = Gate()
    maya = room([gate, *says("Too late.")], says("Here."))
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Hi")

    survivor = crashed(maya, later, gate)
    failed = survivor.items(conversation)
    survivor.services.turns.retry(maya.maya, conversation)
    survivor.watch(conversation)
    gate.open()
    maya.services.turns.drain(WAIT_S)

    assert failed[-1].action == "retry"
    assert survivor.items(conversation) == [UserMessage(text="Hi", seq=1), AssistantText(text="Here.", seq=2)]


def test_a_crash_in_the_middle_keeps_steps_and_words_and_offers_continue(room: RoomMaker, later: FakeClock) -> None:
    gate = Gate()
    maya = room(
        calls(("board_read", {}), text="Looking."),
        [*says("One two three")[:2], gate, *says("Late words.")],
        says("three"),
    )
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Count")
    assert gate.reached.wait(WAIT_S)
    _until(lambda: _snapshot(maya, conversation) == "One two")

    survivor = crashed(maya, later, gate)
    interrupted = survivor.items(conversation)
    survivor.services.turns.resume(maya.maya, conversation)
    last = survivor.watch(conversation)
    gate.open()
    maya.services.turns.drain(WAIT_S)

    assert interrupted[-1].action == "continue"
    assert [type(i) for i in interrupted[:4]] == [UserMessage, AssistantText, ToolLine, AssistantText]
    assert last.status is TurnStatus.DONE
    texts = [i.text for i in survivor.items(conversation) if isinstance(i, AssistantText)]
    assert texts == ["Looking.", "One two", "three"]
    assert len(maya.board.contexts) == 1


def test_a_new_message_does_not_wait_for_the_next_round_of_recovery(room: RoomMaker, later: FakeClock) -> None:
    gate = Gate()
    maya = room([gate, *says("Too late.")], says("Here."))
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Hi")
    assert gate.reached.wait(WAIT_S)
    survivor = maya.replica(clock=later)

    _, answered = survivor.ask("Hello?", conversation)
    gate.open()

    assert answered.status is TurnStatus.DONE
    assert [i.text for i in survivor.items(conversation) if isinstance(i, UserMessage)] == ["Hi", "Hello?"]


def test_a_crash_right_after_the_question_was_stored_loses_nothing(room: RoomMaker) -> None:
    maya = room(says("Here."))
    conversation = _asked_and_crashed(maya)

    maya.services.turns.recover()
    maya.services.turns.retry(maya.maya, conversation)
    maya.watch(conversation)

    assert maya.items(conversation) == [UserMessage(text="Hi", seq=1), AssistantText(text="Here.", seq=2)]
    assert [chat.id for chat in maya.services.conversations.list(maya.maya.id, None)] == [conversation]


def test_a_chat_that_was_put_away_after_a_crash_keeps_nobody_waiting(room: RoomMaker) -> None:
    maya = room()
    conversations = [_asked_and_crashed(maya) for _ in range(2)]
    maya.services.chats.deletion_queue.delete(maya.maya, conversations[0])

    maya.services.turns.recover()

    assert maya.services.store.shared.find("leases", {}) == []
    assert [chat.id for chat in maya.services.conversations.list(maya.maya.id, None)] == conversations[1:]


def _asked_and_crashed(maya: Room) -> str:
    """The conversation of a process that died when it had stored the question alone."""
    conversation = maya.services.conversations.create(maya.maya.id)
    lease = turn_lease(maya.maya.id, conversation, turn_id=f"turn {conversation}", run="run")
    document = {"kind": "turn", "student": maya.maya.id, "work": lease.work, "holder": "run", "until": ""}
    maya.services.store.shared.insert("leases", {"id": lease.name, **document})
    question: Any = {"role": "user", "content": [{"type": "text", "text": "Hi"}], "meta": {"turn_id": lease.work}}
    maya.services.conversations.append_message(maya.maya.id, conversation, **question)
    return conversation


@pytest.mark.each_store
def test_a_write_that_was_cut_off_is_finished_once_and_the_turn_goes_on(room: RoomMaker, later: FakeClock) -> None:
    gate = Gate()
    maya = room(calls(PIN), says("Pinned."))
    maya.board.after = lambda operation: gate.wait()
    conversation, approval_id = _asked(maya)
    maya.services.turns.decide(maya.maya, approval_id, "approve")

    assert gate.reached.wait(WAIT_S)
    maya.board.after = lambda operation: None
    survivor = crashed(maya, later, gate)
    _until(lambda: survivor.services.approvals.get(maya.maya.id, approval_id).status is ApprovalStatus.DONE)
    last = survivor.watch(conversation)
    gate.open()
    maya.services.turns.drain(WAIT_S)

    assert last.status is TurnStatus.DONE
    assert maya.board.pins == [approval_id]
    assert [context.is_repeat for context in maya.board.contexts] == [False, True]
    assert maya.board.contexts[1].began_at is not None
    assert len(maya.model.requests) == 2


def test_a_write_is_tried_again_while_its_service_is_down_and_then_the_student_looks(
    room: RoomMaker, later: FakeClock
) -> None:
    gate = Gate()
    maya = room(calls(PIN), says("Hm."))
    maya.board.before = lambda operation: gate.wait()
    _, approval_id = _asked(maya)
    maya.services.turns.decide(maya.maya, approval_id, "approve")
    assert gate.reached.wait(WAIT_S)
    maya.board.before = lambda operation: None
    maya.board.failure = ServiceUnavailable("Board", "The board is down.")

    survivor = crashed(maya, later, gate)
    _until(lambda: len(maya.board.contexts) == 2)
    still = survivor.services.approvals.get(maya.maya.id, approval_id).status
    later.advance(minutes=6)
    _until(lambda: _recovered(survivor, approval_id) is ApprovalStatus.UNKNOWN)
    gate.open()

    assert still is ApprovalStatus.EXECUTING
    assert maya.board.pins == []
    assert "look" in survivor.services.approvals.get(maya.maya.id, approval_id).outcome


def test_a_crash_after_the_note_and_before_the_turn_went_on_is_made_good(room: RoomMaker, later: FakeClock) -> None:
    maya = room(calls(PIN), says("Pinned."))
    conversation, approval_id = _asked(maya)
    done = {"status": "done", "output": "Pinned it.", "outcome": "Pinned it."}
    maya.services.store.for_student(maya.maya.id).compare_and_set("approvals", approval_id, {}, done)
    name = f"approval/{maya.maya.id}/{approval_id}"
    lease = {"kind": "approval", "student": maya.maya.id, "work": approval_id, "holder": "dead", "until": ""}
    maya.services.store.shared.insert("leases", {"id": name, **lease})

    maya.services.turns.recover()
    _until(lambda: len(maya.model.requests) == 2)
    last = maya.watch(conversation)

    assert last.status is TurnStatus.DONE
    assert maya.board.pins == []


def test_draining_waits_for_what_runs_and_takes_nothing_new(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("Done.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Hi")
    assert gate.reached.wait(WAIT_S)

    gate.open()
    maya.services.turns.drain(WAIT_S)

    assert isinstance(maya.items(conversation)[-1], AssistantText)
    with pytest.raises(Exception, match="restarting"):
        maya.services.turns.start_turn(maya.maya, conversation, "Again")


@pytest.mark.parametrize("is_new_chat", [True, False])
def test_draining_waits_for_a_message_that_was_let_in_and_is_just_being_stored(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch, is_new_chat: bool
) -> None:
    maya, is_let_in, goes_on = room(says("Done.")), threading.Event(), threading.Event()
    turns, conversations = maya.services.turns, maya.services.conversations
    chat = None if is_new_chat else conversations.create(maya.maya.id)
    insert_message = conversations.insert_message

    def insert_slowly(*arguments: Any, **named: Any) -> None:
        is_let_in.set()
        assert goes_on.wait(WAIT_S)
        insert_message(*arguments, **named)

    monkeypatch.setattr(conversations, "insert_message", insert_slowly)
    with ThreadPoolExecutor(2) as pool:
        sent = pool.submit(maya.services.submissions.submit, maya.maya, "Hi", key="one", conversation_id=chat)
        assert is_let_in.wait(WAIT_S)
        drained = pool.submit(turns.drain, WAIT_S)
        eventually(turns.draining.is_set)
        goes_on.set()
        drained.result()
        ids = sent.result()

    record = maya.services.store.for_student(maya.maya.id).get("turns", ids.turn_id)
    assert record is not None
    assert record["status"] == "done"


def test_what_is_not_done_when_draining_ends_can_be_continued(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([*says("One two")[:1], gate, *says("One two")[1:]], says("two"))
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Count")
    assert gate.reached.wait(WAIT_S)

    maya.services.turns.drain(0.05)
    next_process = maya.replica()
    left = next_process.items(conversation)
    next_process.services.turns.resume(maya.maya, conversation)
    next_process.watch(conversation)
    gate.open()

    assert left[-1].action == "continue"
    texts = [i.text for i in next_process.items(conversation) if isinstance(i, AssistantText)]
    assert texts == ["One", "two"]


def _asked(maya: Room) -> tuple[str, str]:
    conversation, waiting = maya.ask("Pin it")
    (item,) = [item for item in waiting.items if isinstance(item, ApprovalItem)]
    return conversation, item.approval_id


def _snapshot(maya: Room, conversation: str) -> str | None:
    found = maya.services.store.for_student(maya.maya.id).find("turns", {"conversation_id": conversation})
    return found[0].get("unsaved")


def _recovered(maya: Room, approval_id: str) -> ApprovalStatus:
    maya.services.turns.recover()
    return maya.services.approvals.get(maya.maya.id, approval_id).status


def _until(is_so: Any) -> None:
    """Wait for another thread; the store has no bell to ring."""
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.02)
