"""`Desk`: the deck and the reviews of one student, with a clock of their own."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.storage.documents import Documents
from services.storage.store import Store
from services.study.flashcard import Flashcard, Review, ReviewRating
from services.study.review.deck import Deck
from services.study.review.exam_cap import ExamCaps, ExamDate
from services.study.review.review_preferences import ReviewPreferencesRepository
from services.study.review.review_results import RatedCard
from services.study.review.reviews import Reviews
from services.study.review.scheduler import Schedule, rated
from services.study.review.study_day import start_of_day, study_day
from services.study.store.card_repository import CardRepository
from tests.fakes import FakeClock

START = datetime(2026, 10, 5, 15, 0, tzinfo=UTC)
"""Eleven in the morning of a Monday, in New York."""


class FakeExamDates:
    """Exams that a test sets."""

    def __init__(self) -> None:
        self.exams: list[ExamDate] = []

    def upcoming(self, student_id: str, now: datetime) -> Sequence[ExamDate]:
        return sorted((exam for exam in self.exams if exam.at > now), key=lambda exam: exam.at)


class Desk:
    def __init__(self, engine: Documents) -> None:
        self.store = Store(engine)
        self.clock = FakeClock(START)
        self.student = Student(id="maya", name="Maya", email="maya@example.edu", timezone="America/New_York")
        self.zone = ZoneInfo(self.student.timezone)
        self.exams = FakeExamDates()
        self.repository = CardRepository(self.store)
        preferences = ReviewPreferencesRepository(self.store)
        caps = ExamCaps(self.repository, self.exams, preferences, self.clock)
        self.deck = Deck(self.repository, caps, self.clock)
        self.reviews = Reviews(self.repository, caps, preferences, self.clock)
        self._made = 0

    def add(self, count: int = 1, **more: object) -> list[Flashcard]:
        """Add kept cards, each of its own time of making."""
        cards = []
        for _ in range(count):
            self._made += 1
            self.clock.at += timedelta(microseconds=1)
            number = self._made
            cards.append(self.deck.new_card(front=f"Front {number}", back=f"Back {number}", **more))
        return self.deck.add(self.student, cards)

    def rate(self, card_id: str, rating: int = 3, review_id: str = "", **more: object) -> RatedCard:
        self._made += 1
        return self.reviews.rate(
            self.student, card_id, ReviewRating(rating), review_id=review_id or f"review-{self._made}", **more
        )

    def card(self, id: str) -> Flashcard:
        return self.deck.card(self.student, id)

    def log(self, card_id: str) -> list[Review]:
        """What counts of a card's log."""
        return [review for review in self.repository.log(self.student.id, card_id) if not review.is_undone]

    def schedule_by(self, log: Sequence[Review]) -> Schedule:
        """The schedule that these ratings alone would have made."""
        schedule: Schedule = {}
        for number, review in enumerate(log):
            schedule = rated(schedule, review.rating, review.at, self.zone, card_id=review.card_id, reviews=number)
        return schedule

    def days_until(self, card: Flashcard) -> int:
        assert card.due_at is not None
        return (study_day(card.due_at, self.zone) - study_day(self.clock.at, self.zone)).days

    def go_to_day(self, days: int, *, hour: int = 11) -> None:
        """Set the clock to an hour of the day that is so many days after the first one."""
        day = study_day(START, self.zone) + timedelta(days=days)
        self.clock.at = start_of_day(day, self.zone) + timedelta(hours=hour - 4)
