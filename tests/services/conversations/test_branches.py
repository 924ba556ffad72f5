"""An earlier question asked anew is a version of the chat; what was said first stays as it is."""

from contextlib import suppress
from pathlib import Path

import pytest

from services.conversations.items import AssistantText, UserMessage
from services.errors import BadArguments, ItemNotFound
from services.files.upload import Upload
from services.prompt.request_messages import api_messages
from services.runtime.clock import utc_now
from services.storage.collections import OF_CONVERSATION
from tests.agent_fakes import FakeModel, Gate, calls, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, RoomMaker
from tests.services.privacy.dying import Dead, DyingDocuments

pytestmark = pytest.mark.any_store


def said(maya: Room, chat: str) -> list[str]:
    return [item.text for item in maya.items(chat) if isinstance(item, UserMessage | AssistantText)]


def test_an_edited_question_is_asked_after_what_was_said_before_it(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("One."), says("Two."), says("Three."), says("Four."))
    chat, _ = maya.ask("First question here")
    maya.ask("Second question", chat)
    maya.ask("Third question", chat)
    first_way = said(maya, chat)
    second = next(item.seq for item in maya.items(chat) if getattr(item, "text", "") == "Second question")

    new = maya.services.chats.branches.ask_instead(maya.maya, chat, second, "Something else")
    maya.watch(new)

    assert said(maya, new) == ["First question here", "One.", "Something else", "Four."]
    assert said(maya, chat) == first_way
    branch = maya.services.conversations.get(maya.maya.id, new)
    assert (branch.thread_id, branch.title) == (chat, "First question here")
    sent = str(maya.model.requests[-1].messages)
    assert "First question here" in sent
    assert "Third question" not in sent
    stored = maya.services.conversations.messages(maya.maya.id, new)
    assert [api_message["role"] for api_message in api_messages(stored)][:2] == ["user", "assistant"]


def test_the_same_question_is_asked_once_more_with_its_files(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    conversations = maya.services.conversations
    chat = conversations.create(maya.maya.id)
    file = Upload(name="notes.txt", content=b"Cells divide.")
    maya.services.turns.start_turn(maya.maya, chat, "What do these notes say?", [file])
    maya.watch(chat)

    new = maya.services.chats.branches.ask_instead(maya.maya, chat, 1)
    maya.watch(new)
    maya.services.conversations.delete(maya.maya.id, chat)

    assert said(maya, new) == ["What do these notes say?", "Two."]
    (attached,) = maya.items(new)[0].files
    assert conversations.files.read_original(maya.maya.id, new, attached.id) == b"Cells divide."


def test_a_crash_on_the_way_leaves_nothing_of_the_new_chat_or_all_of_it(tmp_path: Path) -> None:
    """At every write in turn: a copy that is in no list would outlive the chat that the student deletes."""
    written = 0
    while not _has_branched(tmp_path, before=written):
        written += 1

    assert written > 6


def _has_branched(data_dir: Path, *, before: int) -> bool:
    """Whether so many writes suffice; if not, and the process dies, the next one finds all that is kept in a list."""
    clock, gate = FakeClock(utc_now()), Gate()
    frail = DyingDocuments(FakeDocuments(clock=clock))
    model = FakeModel(says("One."), says("Two."), [gate, *says("Three.")])
    maya = Room(engine=frail, data_dir=data_dir, model=model, clock=clock)
    chat = maya.services.turns.start_chat(
        maya.maya, "What do these notes say?", [Upload(name="a.txt", content=b"Cells")]
    )
    maya.watch(chat)
    maya.ask("Second question", chat)
    maya.services.turns.drain(0)
    survivor = maya.replica(clock=clock)
    frail.dies_at = before
    with suppress(Dead):
        new = survivor.services.chats.branches.ask_instead(maya.maya, chat, 3, "Something else")
        frail.dies_at = None
        gate.open()
        assert said(survivor, new)[:3] == [*said(maya, chat)[:2], "Something else"]
        return True
    frail.dies_at = None
    clock.advance(minutes=2)
    later = maya.replica(clock=clock)
    later.services.turns.recover()
    listed = {chat.id for chat in later.services.conversations.list(maya.maya.id, None, has_all_versions=True)}
    kept = {document["conversation_id"] for name in OF_CONVERSATION for document in frail.find(name, {})}
    assert kept == listed, before
    assert len(frail.find("conversations", {})) == len(listed)
    assert chat in listed
    return False


def test_a_question_that_cannot_be_asked_leaves_no_chat_behind(room: RoomMaker) -> None:
    maya = room()
    chat, _ = maya.ask("First question here")
    branches, diego = maya.services.chats.branches, maya.sign_in("diego")

    with pytest.raises(BadArguments):
        branches.ask_instead(maya.maya, chat, 1, "   ")
    with pytest.raises(ItemNotFound):
        branches.ask_instead(maya.maya, chat, 2)
    with pytest.raises(ItemNotFound):
        branches.ask_instead(diego, chat, 1)

    assert len(maya.services.store.for_student(maya.maya.id).find("conversations", {})) == 1
    assert maya.services.store.for_student(diego.id).find("conversations", {}) == []
