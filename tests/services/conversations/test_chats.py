"""Chats are found by what was said in them, named, pinned, put away and had back: on every engine."""

from datetime import timedelta
from pathlib import Path

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.conversation import NEW_TITLE
from services.conversations.deletion_queue import RESTORABLE_FOR
from services.conversations.ratings import Rating
from services.conversations.search import COLLECTION, MESSAGES
from services.conversations.turn_records import TurnRecord, TurnStatus
from services.errors import HomeroomError, ItemNotFound
from tests.agent_fakes import WAIT_S, FakeModel, Gate, calls, says
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, RoomMaker, eventually

pytestmark = pytest.mark.any_store


def found(maya: Room, text: str) -> list[str]:
    return [hit.chat.id for hit in maya.services.chats.search.find(maya.maya.id, text, limit=20).hits]


def say(maya: Room, chat: str, *texts: str) -> None:
    """Store messages as a time before the search did: nothing is told."""
    conversations = maya.services.conversations
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        conversations.append_message(maya.maya.id, chat, role=role, content=[{"type": "text", "text": text}], meta={})
    conversations.touch(maya.maya.id, chat, texts[0])


@pytest.mark.each_store
def test_a_chat_is_found_by_its_question_and_its_answer_without_accents_and_by_the_beginning_of_the_last_word(
    room: RoomMaker,
) -> None:
    maya = room(says("The Café by the library closes at nine."))
    chat, _ = maya.ask("Where can I study mitosis?")
    other, _ = maya.ask("Anything else?")

    assert found(maya, "mitosis") == [chat]
    assert found(maya, "CAFÉ mitos") == [chat]
    assert found(maya, "libr") == [other, chat]
    assert found(maya, "mito library") == []
    assert found(maya, "?!") == []


def test_a_snippet_shows_where_it_was_said_as_it_is_read(room: RoomMaker) -> None:
    maya = room(
        says("# Exam\n\n- Bring **the table**, two `pencils` and a *calculator* to the [exam](https://a.example).")
    )
    maya.ask("What do I bring?")

    (hit,) = maya.services.chats.search.find(maya.maya.id, "calc", limit=5).hits

    assert (hit.match, hit.seq) == ("calculator", 2)
    assert hit.before == "Exam Bring the table, two pencils and a "
    assert hit.after == " to the exam."


def test_old_chats_are_taken_in_by_the_first_search(room: RoomMaker) -> None:
    maya = room()
    chat = maya.services.conversations.create(maya.maya.id)
    say(maya, chat, *(f"word{number}" for number in range(2 * MESSAGES + 2)))

    assert found(maya, "word3 word41") == [chat]
    documents = maya.services.store.for_student(maya.maya.id).find(COLLECTION, {})
    assert sorted(document["from_seq"] for document in documents) == [1, MESSAGES + 1, 2 * MESSAGES + 1]


def test_nobody_finds_what_another_student_said(room: RoomMaker) -> None:
    maya = room()
    maya.ask("periwinkle")
    diego = maya.sign_in("diego")

    assert maya.services.chats.search.find(diego.id, "periwinkle", limit=5).hits == []


def test_what_a_tool_returned_is_not_what_was_said(room: RoomMaker) -> None:
    maya = room(calls(("board_read", {})), says("It is empty."))
    maya.board.notes["1"] = "heliotrope"
    maya.ask("What is on the board?")

    assert found(maya, "heliotrope") == []


@pytest.mark.each_store
def test_pinned_chats_come_first_and_the_latest_of_the_others_next(room: RoomMaker) -> None:
    maya = room()
    first, second, third = (maya.ask(text)[0] for text in ("One apple", "Two apples", "Three apples"))
    maya.services.conversations.pin(maya.maya.id, first, True)

    def listed() -> list[str]:
        return [chat.id for chat in maya.services.conversations.list(maya.maya.id, 3)]

    assert listed() == [first, third, second]
    maya.services.conversations.pin(maya.maya.id, first, False)
    assert listed() == [third, second, first]


def test_a_chat_is_named_after_what_says_enough_and_the_students_own_name_wins(room: RoomMaker) -> None:
    maya = room(says("Hello!"), says("Sure."), says("## Grades in biology\n\nAll well."))
    conversations = maya.services.conversations
    chat, _ = maya.ask("Hi!")
    assert conversations.get(maya.maya.id, chat).title == "Hi!"
    maya.ask("Can you please explain mitosis? I missed the lecture.", chat)
    assert conversations.get(maya.maya.id, chat).title == "Explain mitosis? I missed the lecture"
    vague, _ = maya.ask("Help")
    eventually(lambda: conversations.get(maya.maya.id, vague).title == "Grades in biology")

    own = conversations.create(maya.maya.id)
    conversations.rename(maya.maya.id, own, NEW_TITLE)
    maya.ask("Hey", own)

    assert conversations.get(maya.maya.id, own).title == NEW_TITLE


@pytest.mark.parametrize("goes_on", ["a turn", "a search"])
def test_a_name_and_words_that_a_crash_left_undone_are_made_later(room: RoomMaker, goes_on: str) -> None:
    maya = room(says("## Grades in biology\n\nAll well."), says("You are welcome."))
    chats, conversations = maya.services.chats, maya.services.conversations
    crashed: list[TurnRecord] = []
    maya.services.turns.on_turn_end(lambda _, record: crashed.append(record))
    chat, _ = maya.ask("Help")
    eventually(lambda: bool(crashed))
    maya.services.turns.on_turn_end(chats.update_after_turn)
    assert conversations.get(maya.maya.id, chat).title == "Help"

    if goes_on == "a turn":
        maya.ask("Thanks", chat)
        eventually(lambda: conversations.get(maya.maya.id, chat).title == "Grades in biology")
    else:
        assert found(maya, "biology") == [chat]

    assert conversations.get(maya.maya.id, chat).title == "Grades in biology"
    assert found(maya, "all well") == [chat]


def test_what_is_done_after_the_first_turn_of_a_chat_reads_no_messages_and_may_be_repeated(
    tmp_path: Path,
) -> None:
    documents = FakeDocuments()
    maya = Room(engine=documents, data_dir=tmp_path, model=FakeModel(says("Yours is the third desk.")))
    done: list[TurnRecord] = []
    maya.services.turns.on_turn_end(lambda _, record: done.append(record))
    chat, _ = maya.ask("Where is my marigold?")
    eventually(lambda: bool(done))

    before = documents.reads, documents.writes
    maya.services.chats.update_after_turn(maya.maya.id, done[0])
    spent = documents.reads - before[0], documents.writes - before[1]
    for _ in range(2):
        maya.services.chats.update_after_turn(maya.maya.id, done[0])

    assert spent == (0, 1)
    assert len(maya.services.store.for_student(maya.maya.id).find(COLLECTION, {})) == 1
    assert found(maya, "marigold") == [chat]


def test_a_deleted_chat_is_nowhere_until_it_is_had_back(room: RoomMaker) -> None:
    maya = room()
    chat, _ = maya.ask("Where is my marigold?")
    trash, conversations = maya.services.chats.deletion_queue, maya.services.conversations

    trash.delete(maya.maya, chat)

    assert found(maya, "marigold") == []
    assert conversations.list(maya.maya.id, 9) == []
    with pytest.raises(ItemNotFound):
        conversations.get(maya.maya.id, chat)
    with pytest.raises(ItemNotFound):
        maya.services.turns.start_turn(maya.maya, chat, "Still here?")
    with pytest.raises(ItemNotFound):
        trash.delete(maya.maya, chat)
    assert [chat.id for chat in trash.deleted(maya.maya.id)] == [chat]

    trash.restore(maya.maya.id, chat)
    trash.restore(maya.maya.id, chat)

    assert found(maya, "marigold") == [chat]
    assert trash.deleted(maya.maya.id) == []


@pytest.mark.each_store
def test_a_deleted_chat_is_gone_for_good_after_a_while_and_leaves_nothing(room: RoomMaker) -> None:
    clock = FakeClock()
    maya = room(clock=clock)
    kept, _ = maya.ask("Keep this")
    chat, _ = maya.ask("Throw this away")
    trash = maya.services.chats.deletion_queue
    trash.delete(maya.maya, chat)

    assert trash.purge() == 0
    clock.at += RESTORABLE_FOR + timedelta(seconds=1)
    with pytest.raises(ItemNotFound):
        trash.restore(maya.maya.id, chat)
    maya.services.jobs.run_once()

    mine = maya.services.store.for_student(maya.maya.id)
    for collection in ("conversations", "messages", "turns", "approvals", COLLECTION):
        assert chat not in str(mine.find(collection, {}))
    assert [chat.id for chat in maya.services.conversations.list(maya.maya.id, 9)] == [kept]


def test_deleting_stops_what_runs_and_withdraws_what_waits(room: RoomMaker) -> None:
    gate = Gate()
    maya = room(calls(("board_pin", {"text": "Buy milk"})), [gate, *says("Never.")])
    waiting, _ = maya.ask("Pin it")
    running = maya.services.conversations.create(maya.maya.id)
    turn = maya.services.turns.start_turn(maya.maya, running, "And this?")
    assert gate.reached.wait(WAIT_S)

    maya.services.chats.deletion_queue.delete(maya.maya, waiting)
    maya.services.chats.deletion_queue.delete(maya.maya, running)
    gate.open()

    assert maya.services.store.for_student(maya.maya.id).get("turns", turn)["status"] == TurnStatus.STOPPED
    (approval,) = maya.services.approvals.for_conversation(maya.maya.id, waiting).values()
    assert approval.status is ApprovalStatus.WITHDRAWN
    with pytest.raises(HomeroomError):
        maya.services.turns.decide(maya.maya, approval.id, "approve")
    assert maya.board.notes == {}


def test_another_students_chat_can_neither_be_deleted_nor_had_back_nor_rated(room: RoomMaker) -> None:
    maya = room()
    chat, _ = maya.ask("Mine")
    diego = maya.sign_in("diego")

    with pytest.raises(ItemNotFound):
        maya.services.chats.deletion_queue.delete(diego, chat)
    with pytest.raises(ItemNotFound):
        maya.services.chats.ratings.rate(diego.id, chat, 2, Rating(is_good=True))


def test_a_rating_stands_with_its_answer_and_is_counted_without_its_words(room: RoomMaker) -> None:
    maya = room()
    chat, _ = maya.ask("Help")
    ratings = maya.services.chats.ratings

    ratings.rate(maya.maya.id, chat, 2, Rating(is_good=False, note="Too long"))
    ratings.rate(maya.maya.id, chat, 2, Rating(is_good=False, note="Much too long"))

    assert maya.items(chat)[-1].rating == Rating(is_good=False, note="Much too long")
    (day,) = maya.services.store.for_student(maya.maya.id).find("discovery_days", {"day": {"$gte": ""}})
    assert day["thumbs_down"] == 1
    assert "long" not in str(day)
    ratings.rate(maya.maya.id, chat, 2, None)
    assert maya.items(chat)[-1].rating is None


def test_the_end_of_a_long_chat_begins_with_a_question(room: RoomMaker) -> None:
    maya = room()
    chat = maya.services.conversations.create(maya.maya.id)
    say(maya, chat, *(f"word{number}" for number in range(40)))
    latest = maya.services.conversations.latest

    end = latest(maya.maya.id, chat, limit=11)
    assert ([item.text for item in end.items], end.first_seq) == ([f"word{n}" for n in range(30, 40)], 31)
    more = latest(maya.maya.id, chat, limit=11, since=20)
    assert (more.items[0].text, more.first_seq, len(more.items)) == ("word20", 21, 20)
    whole = latest(maya.maya.id, chat, limit=50)
    assert (len(whole.items), whole.first_seq) == (40, 1)


def test_a_turn_longer_than_the_end_is_shown_whole(room: RoomMaker) -> None:
    maya = room(*(calls(("board_read", {"about": f"{n}"})) for n in range(4)), says("Done."))
    chat, _ = maya.ask("Look everywhere")

    assert maya.services.conversations.latest(maya.maya.id, chat, limit=3).items == maya.items(chat)
