"""A question costs MongoDB few commands, and what is imported together is written together."""

import secrets
from collections.abc import Iterator

import pytest
from pymongo import MongoClient

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.study.review.deck import new_card_id
from tests.fakes import FollowedClock
from tests.mongo_commands import COMMANDS
from tests.rooms import RoomMaker

MOST_OF_A_TURN = 15
HEARTBEAT = "findAndModify"
"""A turn that is slow on a busy machine stores a snapshot of itself each second."""


@pytest.fixture
def engine(
    mongo_uri: str, mongo_client: MongoClient[dict[str, object]], engine_clock: FollowedClock
) -> Iterator[Documents]:
    name = f"test_{secrets.token_hex(4)}"
    engine = MongoDocuments(f"{mongo_uri}/{name}", clock=engine_clock)
    yield engine
    engine.close()
    mongo_client.drop_database(name)


def test_a_question_in_a_new_chat_takes_fifteen_commands_at_most(room: RoomMaker) -> None:
    r = room()
    r.ask("Hello there")
    r.services.turns.wait_for_deferred_work(10)
    with COMMANDS.listening() as commands:
        r.ask("Hello once more")
        r.services.turns.wait_for_deferred_work(10)
        r.services.budgets.flush(10)

    steps = [name for name in commands if name != HEARTBEAT]
    assert len(steps) + 1 <= MOST_OF_A_TURN


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
