"""The first message of a new chat: one write before the model is asked, and nothing half begun after a crash."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from services.conversations.items import AssistantText, UserMessage
from services.conversations.turn_records import TurnStatus
from services.errors import BadArguments, ItemNotFound, TurnBusy
from services.files.upload import FilesRefused, Upload
from services.runtime.clock import utc_now
from services.storage.collections import OF_CONVERSATION
from services.storage.documents import Document, Documents, Write
from tests.agent_fakes import WAIT_S, FakeModel, Gate, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, RoomMaker
from tests.services.privacy.dying import Dead, DyingDocuments

pytestmark = pytest.mark.any_store

OF_A_NEW_CHAT = 5
"""Its lease, its message, its turn, itself, and of a student's first one that they were told who reads it."""
LIST = Upload(name="list.txt", content=b"Milk and eggs")


class NotingDocuments(FakeDocuments):
    """together: the collections of each write that adds to several. alone: those that this thread wrote by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.together: list[list[str]] = []
        self.alone: list[str] = []
        self._writer = threading.get_ident()

    def write_all(self, writes: Sequence[Write]) -> None:
        self.together.append([write.collection for write in writes])
        super().write_all(writes)

    @contextmanager
    def _writing(self, collection: str) -> Iterator[dict[str, str]]:
        if threading.get_ident() == self._writer:
            self.alone.append(collection)
        with super()._writing(collection) as bodies:
            yield bodies


class ReadCollections(FakeDocuments):
    """read: the collections that were read by a condition."""

    def __init__(self) -> None:
        super().__init__()
        self.read: set[str] = set()

    def find(self, collection: str, *arguments: Any, **named: Any) -> list[Document]:
        self.read.add(collection)
        return super().find(collection, *arguments, **named)


def test_the_model_knows_when_the_student_was_here_before(tmp_path: Path) -> None:
    clock = FakeClock()
    maya = Room(
        engine=FakeDocuments(clock=clock), data_dir=tmp_path, clock=clock, model=FakeModel(*[says("Hello.")] * 4)
    )
    chat, _ = maya.ask("Hello")
    clock.advance(days=1)

    for text, conversation in (("What is new?", chat), ("And in biology?", chat), ("And on campus?", None)):
        maya.maya = maya.services.students.get(maya.maya.id) or maya.maya
        maya.ask(text, conversation)

    told = [str(request.messages[-1]) for request in maya.model.requests]
    line = "The student was last here: Monday 23 November 2026, 09:00"
    assert [line in message for message in told] == [False, True, False, True]


def test_the_model_is_asked_after_one_write(tmp_path: Path) -> None:
    gate, engine = Gate(), NotingDocuments()
    maya = Room(engine=engine, data_dir=tmp_path, model=FakeModel([gate, *says("Hello.")]))
    engine.alone.clear()
    maya.services.turns.start_chat(maya.maya, "What is due?")

    assert gate.reached.wait(WAIT_S)
    assert engine.together == [engine.alone]
    assert len(engine.alone) == OF_A_NEW_CHAT
    gate.open()
    maya.services.turns.drain(WAIT_S)


def test_a_new_chat_is_called_after_its_message_and_listed_at_once(room: RoomMaker) -> None:
    maya = room(says("Nothing."))
    conversation, _ = maya.ask("What is due in physics?")

    (listed,) = maya.services.conversations.list(maya.maya.id, None)
    assert (listed.id, listed.title) == (conversation, "What is due in physics?")
    assert maya.items(conversation) == [
        UserMessage(text="What is due in physics?", seq=1),
        AssistantText(text="Nothing.", seq=2),
    ]


@pytest.mark.parametrize("written", range(OF_A_NEW_CHAT))
def test_a_crash_while_a_chat_begins_leaves_no_chat_and_nothing_that_runs(
    engine: Documents, tmp_path: Path, written: int
) -> None:
    frail = DyingDocuments(engine)
    maya = Room(engine=frail, data_dir=tmp_path, model=FakeModel(says("Hello.")))
    frail.dies_at = written
    with pytest.raises(Dead):
        maya.services.turns.start_chat(maya.maya, "Hi")

    frail.dies_at = None
    survivor = maya.replica(clock=FakeClock(utc_now() + timedelta(minutes=2)))
    survivor.services.turns.recover()

    assert survivor.services.conversations.list(maya.maya.id, None) == []
    assert engine.find("leases", {"kind": "turn"}) == []
    assert engine.find("turns", {"status": "running"}) == []
    survivor.ask("Hi again")
    assert len(survivor.services.conversations.list(maya.maya.id, None)) == 1


def test_a_crash_while_a_chat_begins_with_a_file_leaves_nothing_of_the_file(tmp_path: Path) -> None:
    """At every write in turn: in a chat that is in no list nobody could delete it."""
    written = 0
    while not _has_begun_with_a_file(tmp_path, before=written):
        written += 1

    assert written > OF_A_NEW_CHAT


def _has_begun_with_a_file(data_dir: Path, *, before: int) -> bool:
    """Whether so many writes suffice; if not, and the process dies, the next one leaves nothing of it."""
    clock, gate = FakeClock(utc_now()), Gate()
    frail = DyingDocuments(FakeDocuments(clock=clock))
    maya = Room(engine=frail, data_dir=data_dir, model=FakeModel([gate, *says("A list.")]), clock=clock)
    frail.dies_at = before
    with suppress(Dead):
        chat = maya.services.turns.start_chat(maya.maya, "What is this?", [LIST])
        frail.dies_at = None
        gate.open()
        assert maya.watch(chat).status is TurnStatus.DONE
        assert [file.name for item in maya.items(chat) if isinstance(item, UserMessage) for file in item.files] == [
            LIST.name
        ]
        return True
    frail.dies_at = None
    clock.advance(minutes=2)
    maya.replica(clock=clock).services.turns.recover()
    assert [name for name in OF_CONVERSATION if frail.find(name, {})] == []
    assert frail.find("conversations", {}) == frail.find("leases", {"kind": "turn"}) == []
    return False


def test_what_is_refused_begins_no_chat(room: RoomMaker, engine: Documents) -> None:
    maya = room()
    with pytest.raises(FilesRefused):
        maya.services.turns.start_chat(maya.maya, "Hi", [Upload(name="a.pdf", content=b"%PDF-")])
    with pytest.raises(BadArguments):
        maya.services.turns.start_chat(maya.maya, "   ")
    maya.services.turns.drain(0)
    with pytest.raises(TurnBusy):
        maya.services.turns.start_chat(maya.maya, "Hi")

    assert engine.find("conversations", {}) == []


@pytest.mark.each_store
def test_a_chat_that_is_deleted_while_its_message_is_stored_says_so_and_keeps_nothing(
    room: RoomMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    maya = room(says("Hello."), says("Never."))
    chat, _ = maya.ask("Hello")
    conversations, requests = maya.services.conversations, len(maya.model.requests)
    store_files = conversations.files.store_files

    def deleting(*arguments: object) -> object:
        conversations.delete(maya.maya.id, chat)
        return store_files(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(conversations.files, "store_files", deleting)
    with pytest.raises(ItemNotFound):
        maya.services.turns.start_turn(maya.maya, chat, "Still here?")
    maya.services.turns.recover()

    mine = maya.services.store.for_student(maya.maya.id)
    assert [mine.find(collection, {"conversation_id": chat}) for collection in OF_CONVERSATION] == [
        [] for _ in OF_CONVERSATION
    ]
    assert len(maya.model.requests) == requests


def test_a_question_that_goes_on_is_one_write_with_its_turn(tmp_path: Path) -> None:
    documents = NotingDocuments()
    maya = Room(engine=documents, data_dir=tmp_path, model=FakeModel(says("Hello."), says("Sure.")))
    chat, _ = maya.ask("What is due this week?")
    maya.services.turns.wait_for_deferred_work(WAIT_S)
    documents.together.clear()
    documents.alone.clear()

    maya.services.turns.start_turn(maya.maya, chat, "And the week after that?")

    assert ["messages", "turns", "conversations"] in documents.together
    assert documents.alone == ["leases", "messages", "turns", "conversations"]
    maya.watch(chat)


def test_without_a_card_that_waits_and_a_summary_neither_is_looked_for(tmp_path: Path) -> None:
    documents = ReadCollections()
    maya = Room(engine=documents, data_dir=tmp_path, model=FakeModel(says("Hello."), says("Sure.")))
    chat, _ = maya.ask("What is due this week?")
    maya.services.turns.wait_for_deferred_work(WAIT_S)
    documents.read.clear()

    maya.ask("And the week after that?", chat)

    assert not {"approvals", "summaries", "turns"} & documents.read
