"""A question costs MongoDB few commands, and what is imported together is written together."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pymongo import MongoClient

from services.conversations.turn_records import TurnStatus
from services.files.upload import Upload
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.study.review.deck import new_card_id
from tests.agent_fakes import calls, says
from tests.fakes import FollowedClock
from tests.mongo_commands import COMMANDS
from tests.rooms import Room, RoomMaker

MOST_OF_A_TURN = 15
MORE_WITH_A_CALL = 6
"""Another step of the turn, the results, a line in Activity, the tool's use and the student's."""
MORE_OF_A_CLASS = 4
"""With another step: whether the class, the assistant and the membership still hold; and what the class is counted."""
ANNE = "anne@campus.example"


@pytest.fixture
def engine(
    mongo_uri: str, mongo_client: MongoClient[dict[str, object]], engine_clock: FollowedClock
) -> Iterator[Documents]:
    name = f"test_{secrets.token_hex(4)}"
    engine = MongoDocuments(f"{mongo_uri}/{name}", clock=engine_clock)
    yield engine
    engine.close()
    mongo_client.drop_database(name)


def ask(room: Room, text: str, chat: str | None, assistant: str) -> str:
    """Send a message as a page does, and wait for all that its turn leaves to do; the chat."""
    named = {"assistant": assistant} if assistant and chat is None else {}
    ids = room.services.submissions.submit(
        room.maya,
        text,
        key=secrets.token_hex(8),
        conversation_id=chat,
        **named,  # type: ignore[arg-type]
    )
    assert room.watch(ids.conversation_id).status is TurnStatus.DONE
    room.services.turns.wait_for_deferred_work(10)
    room.services.budgets.flush(10)
    return ids.conversation_id


def plain(room: Room) -> str:
    return ""


def with_materials(room: Room) -> str:
    """A course of the student's own with a file in it."""
    library = room.services.materials
    course = library.add_own_course(room.maya, "Biology reading group")
    library.add_upload(room.maya, course.key, Upload(name="week 1.txt", content=b"Light becomes sugar.\n" * 9))
    return ""


def with_class_assistant(room: Room) -> str:
    """A class with a file and a published assistant, and the student in it."""
    classroom = room.services.classroom
    anne = room.services.students.sign_in(
        issuer="https://id.example", subject="anne", name="Anne", email=ANNE, is_email_verified=True
    )
    made = classroom.classes.create(anne, name="Biology 201")
    classroom.memberships.join(room.maya, made.join_code)
    classroom.materials.add(anne, made.id, Upload(name="week 1.txt", content=b"Light becomes sugar.\n" * 9))
    draft = classroom.assistants.create(anne, made.id, "Tutor", request_id="0123456789abcdef").draft
    saved = classroom.assistants.save(anne, replace(draft, words="You are the tutor."), seen=1)
    return classroom.assistants.publish(anne, saved.id, seen=saved.draft_version).id


@pytest.mark.parametrize(
    ("prepare", "has_call", "most"),
    [
        (plain, False, MOST_OF_A_TURN),
        (with_materials, False, MOST_OF_A_TURN),
        (with_class_assistant, False, MOST_OF_A_TURN),
        (plain, True, MOST_OF_A_TURN + MORE_WITH_A_CALL),
        (with_class_assistant, True, MOST_OF_A_TURN + MORE_WITH_A_CALL + MORE_OF_A_CLASS),
    ],
)
def test_a_question_takes_few_commands_in_a_new_chat_and_in_one_that_goes_on(
    prepare: Callable[[Room], str], has_call: bool, most: int, room: RoomMaker
) -> None:
    step = [calls(("board_read", {}))] if has_call else []
    script = [says("Hello there."), *step, says("Once more."), *step, says("And again."), says("Bye.")]
    r = room(*script, settings={"HOMEROOM_INSTRUCTORS": ANNE})
    assistant = prepare(r)
    ask(r, "What is the light reaction about?", None, assistant)
    with COMMANDS.listening() as commands:
        chat = ask(r, "What is on my board for the week?", None, assistant)
        first = list(commands)
    with COMMANDS.listening() as commands:
        ask(r, "And for the week after that?", chat, assistant)
        second = list(commands)

    assert max(len(first), len(second)) <= most, (first, second)


def test_a_hundred_cards_are_added_in_a_handful_of_commands(room: RoomMaker) -> None:
    r = room()
    deck = r.services.study.cards
    cards = [
        deck.new_card(id=new_card_id(r.clock()), front=f"Question {number}", back="An answer") for number in range(100)
    ]
    with COMMANDS.listening() as commands:
        deck.add(r.maya, cards)

    assert deck.count(r.maya) == 100
    assert len(commands) <= 6
