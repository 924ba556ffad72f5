"""A message that is sent with a key starts one turn, however often and from wherever it is sent."""

import threading
from pathlib import Path

import pytest

from services.conversations.items import UserMessage
from services.errors import TurnBusy
from services.files.upload import Upload
from services.storage.documents import Documents
from services.turns import submissions
from services.turns.turn import turn_lease
from tests.agent_fakes import WAIT_S, FakeModel, Gate, says
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store

LIST = Upload(name="list.txt", content=b"Milk and eggs")


@pytest.mark.parametrize("files", [(), (LIST,)])
def test_a_new_chat_is_begun_once(room: RoomMaker, files: tuple[Upload, ...]) -> None:
    maya = room(says("Hello."))
    submit = maya.services.submissions.submit
    first = submit(maya.maya, "Hi", files, key="one-key")
    maya.watch(first.conversation_id)
    assert submit(maya.maya, "Hi", files, key="one-key") == first
    assert submit(maya.maya, "Something else", key="one-key") == first
    assert sum(isinstance(item, UserMessage) for item in maya.items(first.conversation_id)) == 1
    assert submit(maya.maya, "Hi", files, key="two-keys").conversation_id != first.conversation_id


def test_a_message_of_a_chat_is_stored_once(room: RoomMaker) -> None:
    maya = room(says("Hello."), says("Again."))
    chat, _ = maya.ask("Hi")
    first = maya.services.submissions.submit(maya.maya, "And?", key="one-key", conversation_id=chat)
    maya.watch(chat)
    assert maya.services.submissions.submit(maya.maya, "And?", key="one-key", conversation_id=chat) == first
    assert [item.text for item in maya.items(chat) if isinstance(item, UserMessage)] == ["Hi", "And?"]


def test_the_same_key_of_another_student_is_another_message(room: RoomMaker) -> None:
    maya = room(says("Hello."))
    first = maya.services.submissions.submit(maya.maya, "Hi", key="one-key")
    other = maya.services.submissions.submit(maya.sign_in("diego"), "Hi", key="one-key")
    assert {first.conversation_id, first.turn_id}.isdisjoint({other.conversation_id, other.turn_id})
    maya.watch(first.conversation_id)


@pytest.mark.each_store
def test_ten_at_the_same_moment_are_one(engine: Documents, tmp_path: Path) -> None:
    gate = Gate()
    maya = Room(engine=engine, data_dir=tmp_path, model=FakeModel([gate, *says("Hello.")]))
    start, found = threading.Barrier(10, timeout=WAIT_S), []

    def send() -> None:
        start.wait()
        found.append(maya.services.submissions.submit(maya.maya, "Hi", key="one-key"))

    threads = [threading.Thread(target=send) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    gate.open()
    assert len(found) == 10
    assert len(set(found)) == 1
    maya.watch(found[0].conversation_id)
    assert len(maya.services.conversations.list(maya.maya.id, None)) == 1


def test_another_key_is_refused_while_the_answer_runs(room: RoomMaker) -> None:
    gate = Gate()
    maya = room([gate, *says("Hello.")])
    chat = maya.services.submissions.submit(maya.maya, "Hi", key="one-key").conversation_id
    with pytest.raises(TurnBusy):
        maya.services.submissions.submit(maya.maya, "And?", key="two-keys", conversation_id=chat)
    gate.open()
    maya.watch(chat)


def test_a_message_of_a_process_that_died_is_known_to_the_next_one(engine: Documents, tmp_path: Path) -> None:
    gate = Gate()
    maya = Room(engine=engine, data_dir=tmp_path, model=FakeModel([gate, *says("Hello.")]))
    first = maya.services.submissions.submit(maya.maya, "Hi", key="one-key")
    next_one = maya.replica()
    assert next_one.services.submissions.submit(maya.maya, "Hi", key="one-key") == first
    gate.open()
    maya.watch(first.conversation_id)
    assert len(maya.services.conversations.list(maya.maya.id, None)) == 1


def test_a_message_whose_process_died_before_it_was_stored_is_not_called_taken(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault R73."""
    monkeypatch.setattr(submissions, "UNDER_WAY_S", 0.1)
    maya = room(says("Hello."), says("Again."))
    chat, _ = maya.ask("Hi")
    taken = submissions._ids_of(maya.maya.id, chat, "one-key")
    lease = turn_lease(maya.maya.id, chat, turn_id=taken.turn_id, run="dead")
    maya.services.turns._leases.acquire(lease)

    with pytest.raises(TurnBusy):
        maya.services.submissions.submit(maya.maya, "And?", key="one-key", conversation_id=chat)
    maya.services.turns._leases.release(lease)
    again = maya.services.submissions.submit(maya.maya, "And?", key="one-key", conversation_id=chat)
    maya.watch(chat)

    assert again == taken
    assert [item.text for item in maya.items(chat) if isinstance(item, UserMessage)] == ["Hi", "And?"]
