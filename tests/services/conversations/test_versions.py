"""Versions of a question stand in one chat, and one leafs through them."""

import sys

import pytest

from services.conversations.items import AssistantText, UserMessage
from services.conversations.versions import COLLECTION, question_versions
from services.storage.store import Store
from tests.agent_fakes import says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


def said(maya: Room, chat: str) -> list[str]:
    return [item.text for item in maya.items(chat) if isinstance(item, UserMessage | AssistantText)]


def versions(maya: Room, chat: str) -> dict[int, tuple[list[str], int]]:
    conversation = maya.services.conversations.get(maya.maya.id, chat)
    found = maya.services.chats.branches.versions(maya.maya.id, conversation)
    return {seq: (list(version.ids), version.current) for seq, version in found.items()}


def ask_instead(maya: Room, chat: str, seq: int, text: str) -> str:
    new = maya.services.chats.branches.ask_instead(maya.maya, chat, seq, text)
    maya.watch(new)
    return new


def listed(maya: Room) -> list[str]:
    return [chat.id for chat in maya.services.conversations.list(maya.maya.id, None)]


def test_a_question_that_was_edited_twice_has_three_versions_in_one_chat(room: RoomMaker) -> None:
    maya = room(*(says(f"Answer {n}.") for n in range(9)))
    chat, _ = maya.ask("First question here")
    maya.ask("Second question", chat)

    second = ask_instead(maya, chat, 3, "Second question, better")
    third = ask_instead(maya, second, 3, "Second question, best")

    assert versions(maya, chat) == {3: ([chat, second, third], 0)}
    assert versions(maya, second) == {3: ([chat, second, third], 1)}
    assert versions(maya, third) == {3: ([chat, second, third], 2)}
    assert listed(maya) == [third]


def test_a_version_that_has_versions_itself_leads_to_where_it_went_on_last(room: RoomMaker) -> None:
    maya = room(*(says(f"Answer {n}.") for n in range(9)))
    chat, _ = maya.ask("First question here")
    maya.ask("Second question", chat)
    other = ask_instead(maya, chat, 1, "Quite another question")
    maya.ask("And then?", other)
    deeper = ask_instead(maya, other, 3, "And what then?")

    assert versions(maya, deeper) == {1: ([chat, deeper], 1), 3: ([other, deeper], 1)}
    assert versions(maya, other) == {1: ([chat, deeper], 1), 3: ([other, deeper], 0)}
    assert versions(maya, chat) == {1: ([chat, deeper], 0)}

    maya.ask("Going on here", other)
    assert versions(maya, chat) == {1: ([chat, other], 0)}


def test_the_version_that_is_open_is_the_one_in_the_list(room: RoomMaker) -> None:
    maya = room(says("One."), says("Two."))
    chat, _ = maya.ask("First question here")
    new = ask_instead(maya, chat, 1, "First question, better")

    maya.services.chats.branches.show(maya.maya.id, chat)

    assert listed(maya) == [chat]
    assert said(maya, new) == ["First question, better", "Two."]


def test_name_pin_and_deletion_are_of_the_whole_chat(room: RoomMaker) -> None:
    clock = FakeClock()
    maya = room(says("One."), says("Two."), clock=clock)
    conversations, queue = maya.services.conversations, maya.services.chats.deletion_queue
    chat, _ = maya.ask("First question here")
    new = ask_instead(maya, chat, 1, "First question, better")

    conversations.rename(maya.maya.id, new, "Cells")
    conversations.pin(maya.maya.id, new, True)
    named = [conversations.get(maya.maya.id, id) for id in (chat, new)]
    assert [(conversation.title, conversation.is_pinned) for conversation in named] == [("Cells", True)] * 2

    queue.delete(maya.maya, new)
    assert listed(maya) == []
    assert not conversations.exists(maya.maya.id, chat)
    assert [gone.id for gone in queue.deleted(maya.maya.id)] == [new]

    queue.restore(maya.maya.id, new)
    assert versions(maya, new) == {1: ([chat, new], 1)}

    queue.delete(maya.maya, new)
    clock.advance(minutes=11)
    queue.purge()
    assert maya.services.store.for_student(maya.maya.id).find("conversations", {}) == []


@pytest.mark.each_store
def test_a_search_finds_every_version_and_the_chat_once(room: RoomMaker) -> None:
    maya = room(says("Osmosis it is."), says("Diffusion it is."))
    chat, _ = maya.ask("What moves the water?")
    new = ask_instead(maya, chat, 1, "What moves the salt?")
    search = maya.services.chats.search

    assert [hit.chat.id for hit in search.find(maya.maya.id, "osmosis", limit=9).hits] == [chat]
    assert [hit.chat.id for hit in search.find(maya.maya.id, "moves", limit=9).hits] == [new]


@pytest.mark.soak
def test_a_question_that_was_asked_anew_a_thousand_times_each_from_the_last_has_as_many_versions() -> None:
    mine, many = Store(FakeDocuments()).for_student("maya"), sys.getrecursionlimit() + 10
    for number in range(many):
        at, kept = f"2026-11-{number:05d}", {"is_empty": False, "deleted_at": None, "thread_id": "t"}
        source = {"branch_of": f"c{number - 1}", "branch_seq": 1} if number else {}
        mine.insert(COLLECTION, {"id": f"c{number}", "created_at": at, "updated_at": at, **kept, **source})

    found = question_versions(mine, "c7", "t")

    assert {seq: (len(versions.ids), versions.current) for seq, versions in found.items()} == {1: (many, 7)}
