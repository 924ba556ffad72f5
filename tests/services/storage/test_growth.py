"""What a list shows decides what reading it costs, not what else is stored: counted in steps of SQLite's machine."""

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from services.conversations.conversations import Conversations
from services.conversations.deletion_queue import DeletionQueue
from services.conversations.search import ChatSearch
from services.identity.students import Student
from services.runtime.clock import stamp
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.study.exchange.card_exchange import CardExchange
from services.study.flashcard import Flashcard, FlashcardState
from services.study.review.deck import Deck
from services.study.store.card_repository import CardRepository, card_fields
from services.tools.activity import ActivityLog
from tests.fakes import FakeClock

FEW, MANY = 200, 2_000
STEPS_OF_A_TICK = 10
RARE = 120
"""The oldest entries, of which the filters are full."""
MAYA = Student(id="maya", name="Maya", email="", timezone="UTC")


class StepCounter:
    """Steps of the virtual machine of all connections of the process, in tens."""

    def __init__(self) -> None:
        self.ticks = 0

    def connect(self, *place: Any, **options: Any) -> sqlite3.Connection:
        connection = sqlite3.Connection(*place, **options)
        connection.set_progress_handler(self._count, STEPS_OF_A_TICK)
        return connection

    def _count(self) -> int:
        self.ticks += 1
        return 0


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """Services of one student over a store with so many cards, chats and entries of the activity log."""

    store: Store
    deck: Deck
    conversations: Conversations
    chats_deleted: DeletionQueue
    activity: ActivityLog
    search: ChatSearch
    cards: CardRepository
    counter: StepCounter

    def cost(self, read: Callable[["Shelf"], object]) -> int:
        before = self.counter.ticks
        read(self)
        return max(1, self.counter.ticks - before)


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Shelf, Shelf]]:
    """One with few things and one with ten times as many."""
    counter, clock = StepCounter(), FakeClock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("services.storage.sqlite_pool.sqlite3.connect", counter.connect)
        folder = tmp_path_factory.mktemp("growth")
        shelves = [_shelf(folder / f"{count}.sqlite", count, clock, counter) for count in (FEW, MANY)]
        yield shelves[0], shelves[1]
        for shelf in shelves:
            shelf.store.close()


def _shelf(path: Path, count: int, clock: FakeClock, counter: StepCounter) -> Shelf:
    store = Store(SqliteDocuments(path, clock=clock))
    batch = store.batch()
    mine = batch.for_student(MAYA.id)
    for number in range(count):
        at = clock() - timedelta(minutes=number)
        is_rare = number >= count - RARE
        mine.insert("study_cards", card_fields(_card(number, at, is_new=number > count - 30)))
        mine.insert("activity", _entry(number, stamp(at), is_rare=is_rare))
        mine.insert("conversations", _chat(number, stamp(at), is_deleted=number < 5))
        mine.insert("chat_words", _words(number, stamp(at)))
    batch.commit()
    conversations, cards = Conversations(store, clock), CardRepository(store)
    return Shelf(
        store=store,
        deck=Deck(cards, None, clock),  # type: ignore[arg-type]
        conversations=conversations,
        chats_deleted=DeletionQueue(store, clock, conversations, end_turns=lambda student, id: None),
        activity=ActivityLog(store, clock),
        search=ChatSearch(store, clock, conversations),
        cards=cards,
        counter=counter,
    )


def _card(number: int, at: datetime, *, is_new: bool) -> Flashcard:
    card = Flashcard(
        id=f"{int(at.timestamp()):015x}",
        guid=f"g{number}",
        front="front",
        back="back",
        course_key=f"course-{number % 3}",
        topic=f"topic-{number % 3}",
        state=FlashcardState.KEPT,
        made_at=at,
    )
    return card if is_new else replace(card, due_at=at + timedelta(days=9))


def _entry(number: int, at: str, *, is_rare: bool) -> dict[str, Any]:
    services = ["Canvas", "Library"] if is_rare and number % 2 else ["Library"] if is_rare else ["Canvas"]
    entry = {"id": f"{number:05}", "at": at, "services": services, "service_key": "|".join(services), "tool": "look"}
    return {**entry, "effect": "write" if is_rare else "read", "sentence": "done", "kind": "call", "approval_id": None}


def _chat(number: int, at: str, *, is_deleted: bool) -> dict[str, Any]:
    chat = {"id": f"{number:05}", "title": "A chat", "created_at": at, "updated_at": at, "is_empty": False}
    return {**chat, "deleted_at": at if is_deleted else None}


def _words(number: int, at: str) -> dict[str, Any]:
    chat = f"{number:05}"
    said = {"words": " about photosynthesis ", "taken_at": at}
    return {"id": f"{chat}.000001", "conversation_id": chat, "from_seq": 1, "to_seq": 2, **said}


LISTS: dict[str, Callable[[Shelf], object]] = {
    "cards": lambda shelf: shelf.deck.cards(MAYA),
    "cards of a course": lambda shelf: shelf.deck.cards(MAYA, "course-1"),
    "cards of a topic": lambda shelf: shelf.deck.cards(MAYA, topic="topic-1"),
    "cards in a state": lambda shelf: shelf.deck.cards(MAYA, state=FlashcardState.KEPT),
    "drafts": lambda shelf: shelf.deck.cards(MAYA, state=FlashcardState.DRAFT),
    "new cards": lambda shelf: shelf.cards.new(MAYA.id, None, 20),
    "new cards of a course": lambda shelf: shelf.cards.new(MAYA.id, "course-1", 20),
    "due cards": lambda shelf: shelf.cards.due(MAYA.id, datetime(2026, 1, 1, tzinfo=UTC)),
    "the next due card": lambda shelf: shelf.cards.next_due(MAYA.id, datetime(2026, 1, 1, tzinfo=UTC), None),
    "courses with cards": lambda shelf: shelf.deck.course_keys(MAYA),
    "recent chats": lambda shelf: shelf.conversations.list(MAYA.id, 20),
    "a search over chats": lambda shelf: shelf.search.find(MAYA.id, "photosynthesis", limit=20),
    "deleted chats": lambda shelf: shelf.chats_deleted.deleted(MAYA.id),
    "activity": lambda shelf: shelf.activity.latest_entries(MAYA.id, 100),
    "activity of a service": lambda shelf: shelf.activity.latest_entries(MAYA.id, 100, service="Library"),
    "changes": lambda shelf: shelf.activity.latest_entries(MAYA.id, 100, only_changes=True),
    "changes of a service": lambda shelf: shelf.activity.latest_entries(
        MAYA.id, 100, service="Library", only_changes=True
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_ten_times_as_much_costs_a_list_no_more(name: str, shelves: tuple[Shelf, Shelf]) -> None:
    few, many = (shelf.cost(LISTS[name]) for shelf in shelves)

    assert many <= 1.5 * few + 10


@pytest.mark.parametrize("course_key", [None, "course-1"])
def test_an_export_grows_as_its_cards(course_key: str | None, shelves: tuple[Shelf, Shelf]) -> None:
    few, many = (
        shelf.cost(lambda shelf: CardExchange(shelf.deck, lambda student: {}).export_csv(MAYA, course_key))
        for shelf in shelves
    )

    assert many <= 12 * few


def test_the_last_page_of_all_chats_reads_its_rows_alone(shelves: tuple[Shelf, Shelf]) -> None:
    _, many = shelves
    everything = many.cost(lambda shelf: shelf.conversations.list(MAYA.id, None))

    chats = many.conversations.list(MAYA.id, 20, skip=MANY - 5 - 20)

    assert [chat.id for chat in chats] == [f"{number:05}" for number in range(MANY - 20, MANY)]
    assert many.cost(lambda shelf: shelf.conversations.list(MAYA.id, 20, skip=MANY - 25)) <= everything
    assert many.conversations.count(MAYA.id) == MANY - 5


def test_entries_without_a_key_of_their_services_are_listed_among_the_others(shelves: tuple[Shelf, Shelf]) -> None:
    few, _ = shelves
    entry = {name: value for name, value in _entry(0, "2027-01-01", is_rare=True).items() if name != "service_key"}
    few.store.for_student(MAYA.id).insert("activity", {**entry, "id": "old", "at": "2020-01-01T00:00:00+00:00"})

    entries = few.activity.latest_entries(MAYA.id, 200, service="Library")

    assert len(entries) == RARE + 1
    assert [entry.at for entry in entries] == sorted((entry.at for entry in entries), reverse=True)
