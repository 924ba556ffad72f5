"""Another way on from an earlier question is a chat of its own; the first way stays as it is."""

import pytest

from services.agent.history import api_messages
from services.agent.view import AssistantText, UserMessage
from services.errors import BadArguments, ItemNotFound
from services.files.upload import Upload
from tests.agent_fakes import calls, says
from tests.rooms import Room, RoomMaker


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
    assert (branch.branch_of, branch.title) == (chat, "First question here (another way)")
    sent = str(maya.model.requests[-1].messages)
    assert "First question here" in sent
    assert "Third question" not in sent
    stored = maya.services.conversations.messages(maya.maya.id, new)
    assert [one["role"] for one in api_messages(stored)][:2] == ["user", "assistant"]


def test_the_same_question_is_asked_once_more_with_its_files(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    conversations = maya.services.conversations
    chat = conversations.create(maya.maya.id)
    file = Upload(name="notes.txt", content=b"Cells divide.")
    maya.services.turns.start(maya.maya, chat, "What do these notes say?", [file])
    maya.watch(chat)

    new = maya.services.chats.branches.ask_instead(maya.maya, chat, 1)
    maya.watch(new)
    maya.services.conversations.delete(maya.maya.id, chat)

    assert said(maya, new) == ["What do these notes say?", "Two."]
    (attached,) = maya.items(new)[0].files
    assert conversations.files.original(maya.maya.id, new, attached.id) == b"Cells divide."


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

    assert len(maya.services.store.of(maya.maya.id).find("conversations", {})) == 1
    assert maya.services.store.of(diego.id).find("conversations", {}) == []
