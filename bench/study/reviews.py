"""Review of flashcards: server time of a rating, a queue and an import, beside FSRS and one write alone."""

import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.study.flashcard import Flashcard, ReviewRating
from services.study.question import Quotation, SourceKind
from services.study.review.deck import Deck
from services.study.review.exam_cap import ExamCaps, StoredExamDates
from services.study.review.review_preferences import ReviewPreferencesRepository
from services.study.review.reviews import Reviews
from services.study.review.scheduler import rated
from services.study.store.card_repository import CardRepository, card_fields

TITLE = "Review of flashcards, 2,000 of them"
HEAD = ("what", "p50", "p95", "beside FSRS and one write")
CARDS, IMPORTED, ASKED = 2_000, 5_000, 200
BEGIN = datetime(2026, 9, 1, 15, tzinfo=UTC)
_WORDS = "The sodium–potassium pump moves three ions out of the cell for two that come in. "


class _Room:
    """Cards of one student on SQLite, with a clock of their own."""

    def __init__(self, path: Path) -> None:
        self.now = BEGIN
        self.store = Store(SqliteDocuments(path))
        self.student = Student(id="student", name="S", email="s@example.edu", timezone="America/New_York")
        cards, preferences = CardRepository(self.store), ReviewPreferencesRepository(self.store)
        caps = ExamCaps(cards, StoredExamDates(self.store), preferences, self.clock)
        self.deck, self.reviews = Deck(cards, caps, self.clock), Reviews(cards, caps, preferences, self.clock)

    def clock(self) -> datetime:
        return self.now

    def cards(self, count: int) -> list[Flashcard]:
        made = []
        for number in range(count):
            self.now += timedelta(milliseconds=1)
            source = Quotation(source=SourceKind.MATERIAL, source_id="m", page=number, words=f"{number} {_WORDS}")
            card = self.deck.new_card(front=f"{number}: {_WORDS}", back=_WORDS * 2, course_key="b", quotation=source)
            made.append(card)
        return made


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    room = _Room(data_dir / "cards.sqlite")
    cards = room.deck.add(room.student, room.cards(CARDS))
    for card in cards:
        _rate(room, card, "learned")
    room.now += timedelta(days=40)
    plain = _times(lambda number: _plain(room, cards[number], number))
    times = {
        "the queue, all of them due": _times(lambda _: room.reviews.queue(room.student), asked=20),
        "a rating": _times(lambda number: _rate(room, cards[number], "timed")),
        "the same rating again": _times(lambda number: _rate(room, cards[number], "timed")),
        "an undo": _times(lambda number: room.reviews.undo(room.student, f"timed {cards[number].id}")),
    }
    rows = [(name, *_cells(found, plain)) for name, found in ({"FSRS and one write": plain} | times).items()]
    imported = _Room(data_dir / "import.sqlite")
    new = imported.cards(IMPORTED)
    began = time.perf_counter()
    imported.deck.add(imported.student, new)
    return [*rows, (f"import of {IMPORTED:,} cards", f"{time.perf_counter() - began:.1f} s", "", "")]


def _rate(room: _Room, card: Flashcard, name: str) -> None:
    room.reviews.rate(room.student, card.id, ReviewRating.EASY, review_id=f"{name} {card.id}", seconds=6)


def _plain(room: _Room, card: Flashcard, number: int) -> None:
    zone = ZoneInfo(room.student.timezone)
    schedule = rated({}, ReviewRating.GOOD, room.now, zone, card_id=card.id, reviews=0)
    document = {**card_fields(card), "id": f"plain-{number}", "schedule": dict(schedule)}
    room.store.for_student("other").put("study_cards", document)


def _times(work: Callable[[int], object], asked: int = ASKED) -> list[float]:
    found = []
    for number in range(asked):
        began = time.perf_counter()
        work(number)
        found.append(time.perf_counter() - began)
    return found


def _cells(times: list[float], plain: list[float]) -> tuple[str, str, str]:
    cuts, beside = (statistics.quantiles(each, n=20, method="inclusive") for each in (times, plain))
    return f"{cuts[9] * 1000:.1f} ms", f"{cuts[18] * 1000:.1f} ms", f"{cuts[9] / beside[9]:.1f} times"
