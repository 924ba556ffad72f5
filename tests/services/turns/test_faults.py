"""What breaks around a turn: the store, our own code, a replica that was asleep. The student is always told."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from services.conversations.items import AssistantText, NoticeItem, UserMessage
from services.conversations.turn_records import TurnStatus
from services.errors import StorageUnavailable
from services.runtime.clock import utc_now
from services.storage.documents import Write
from tests.agent_fakes import WAIT_S, Gate, calls, says
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


def break_store(maya: Room, verb: str, is_broken: Callable[[str, Any], bool]) -> None:
    """Let this verb of the engine fail while `is_broken(collection, argument)` says so, in a batch of writes too."""
    works, writes_all = getattr(maya.engine, verb), maya.engine.write_all

    def breaking(collection: str, *given: Any, **named: Any) -> Any:
        if is_broken(collection, [*given, *named.values()][0]):
            raise StorageUnavailable("The store does not answer.")
        return works(collection, *given, **named)

    def breaking_batch(writes: Sequence[Write]) -> None:
        mine = [write for write in writes if write.operation == verb]
        if any(is_broken(write.collection, next(iter(write.arguments.values()))) for write in mine):
            raise StorageUnavailable("The store does not answer.")
        writes_all(writes)

    setattr(maya.engine, verb, breaking)
    maya.engine.write_all = breaking_batch  # type: ignore[method-assign]


def test_a_store_that_goes_away_in_the_middle_ends_the_turn_for_its_page(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([*says("One two")[:1], gate, *says("One two")[1:]], says("Back again."))
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Count")
    assert gate.reached.wait(WAIT_S)
    is_down = [True]
    break_store(maya, "compare_and_set", lambda collection, _: is_down[0])
    break_store(maya, "insert", lambda collection, _: is_down[0])

    gate.open()
    last = maya.watch(conversation)
    is_down[0] = False
    later = maya.replica(clock=lambda: utc_now().replace(year=2030))
    later.services.turns.recover()
    _, answered = later.ask("Hello?", conversation)

    assert last.status is TurnStatus.INTERRUPTED
    assert "store does not answer" in last.notice.sentence  # type: ignore[union-attr]
    assert answered.status is TurnStatus.DONE
    assert [i.text for i in later.items(conversation) if isinstance(i, UserMessage)] == ["Count", "Hello?"]


def test_a_turn_whose_record_cannot_be_stored_is_not_left_hanging(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    conversation = maya.services.conversations.create(maya.maya.id)
    break_store(maya, "insert", lambda collection, _: collection == "turns")

    try:
        maya.services.turns.start_turn(maya.maya, conversation, "Hi")
    except StorageUnavailable as error:
        told = str(error)
    maya.services.turns.drain(WAIT_S)

    assert told == "The store does not answer."
    assert maya.services.turns.current(maya.maya.id, conversation) is None
    assert not [item for item in maya.items(conversation) if isinstance(item, AssistantText)]


def test_a_mistake_of_ours_is_one_calm_sentence_with_a_reference(room: RoomMaker, caplog: Any) -> None:
    maya = room(RuntimeError("the student's diary"), says("Better."))

    conversation, last = maya.ask("Hi")
    maya.services.turns.resume(maya.maya, conversation)
    maya.watch(conversation)

    assert last.status is TurnStatus.INTERRUPTED
    assert "reference" in last.notice.sentence  # type: ignore[union-attr]
    assert "diary" not in caplog.text + str(last)
    assert maya.items(conversation)[-1] == AssistantText(text="Better.", seq=2)


def test_a_silent_turn_that_was_stopped_elsewhere_ends_here_too(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("Late.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, "Hi")
    assert gate.reached.wait(WAIT_S)

    maya.replica().services.turns.stop(maya.maya, turn_id)
    began = time.monotonic()
    last = maya.watch(conversation)
    gate.open()

    assert time.monotonic() - began < WAIT_S
    assert last.status is TurnStatus.STOPPED
    assert last.items == [NoticeItem(sentence="You stopped this answer.")]


def test_draining_does_not_wait_for_a_model_whose_turn_was_stopped(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("Late.")])
    conversation = maya.services.conversations.create(maya.maya.id)
    turn_id = maya.services.turns.start_turn(maya.maya, conversation, "Hi")
    assert gate.reached.wait(WAIT_S)
    maya.services.turns.stop(maya.maya, turn_id)

    began = time.monotonic()
    maya.services.turns.drain(WAIT_S)
    seconds = time.monotonic() - began
    gate.open()

    assert seconds < WAIT_S / 2


def test_a_deleted_conversation_stays_deleted_although_its_turn_still_runs(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *calls(("board_read", {}), text="Late words")], says("Never."))
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "Hi")
    assert gate.reached.wait(WAIT_S)

    maya.services.conversations.delete(maya.maya.id, conversation)
    gate.open()
    maya.services.turns.drain(WAIT_S)

    mine = maya.services.store.for_student(maya.maya.id)
    for collection in ("conversations", "messages", "turns", "approvals"):
        assert mine.find(collection, {}) == []
    assert maya.board.contexts == []


def test_a_renamed_conversation_keeps_its_name(room: RoomMaker) -> None:
    maya = room()
    conversation, _ = maya.ask("Hi")

    maya.services.conversations.rename(maya.maya.id, conversation, "  Biology \n plans ")
    maya.ask("More", conversation)

    (listed,) = maya.services.conversations.list(maya.maya.id, 10)
    assert listed.title == "Biology plans"
