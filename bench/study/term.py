"""A simulated term: 200 cards, an exam on day 60, and a learner whose memory follows another model than FSRS.

Their memory is that of Pavlik and Anderson (2005, "Practice and forgetting effects on vocabulary memory", Cognitive
Science 29): each practice leaves a trace that fades by a power law, the faster the more active the memory was when it
was practised; between sessions time runs slower. Parameters as published there for vocabulary, with differences from
fact to fact and from person to person. A card that is not known is shown, which leaves a trace as well; reading it
over leaves a weaker one, as retrieval is worth more than reading (Roediger and Karpicke 2006). All ways get the same
minutes a day at most; what the learner knows on day 60 is the mean probability to recall a card then.
"""

import math
import random
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from services.identity.students import Student
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.study.flashcard import ReviewRating
from services.study.review.deck import Deck
from services.study.review.exam_cap import ExamCaps, ExamDate
from services.study.review.review_preferences import ReviewPreferencesRepository
from services.study.review.reviews import Reviews
from services.study.store.card_repository import CardRepository

TITLE = "A simulated term: 200 cards, exam on day 60, memory by Pavlik and Anderson (2005)"
HEAD = ("way", "known on day 60", "60 days later", "minutes", "known cards for a minute")
CARDS, DAYS, SEEDS = 200, 60, 3
BEGIN = datetime(2026, 9, 1, 15, tzinfo=UTC)
_DAY_MINUTES = 30.0
_DECAY, _SCALE, _THRESHOLD, _NOISE = 0.177, 0.217, -0.704, 0.255
"""a, c, tau and s of the article; below, h: how much slower time runs between sessions."""
_BETWEEN = 0.025
_KNOWN_S, _UNKNOWN_S, _READ_S = 6.0, 14.0, 8.0
_READ_WEIGHT = 0.5
_HOUR_S = 3_600.0


@dataclass(kw_only=True)
class _Fact:
    """Memory of one card: its traces as (psychological seconds when it was made, decay, weight)."""

    ease: float
    traces: list[tuple[float, float, float]] = field(default_factory=list)

    def activation(self, now: float) -> float:
        total = sum(weight * max(1.0, now - at) ** -decay for at, decay, weight in self.traces)
        return self.ease + math.log(total) if total > 0 else -math.inf

    def recall(self, now: float) -> float:
        """Probability that it is recalled."""
        return 1 / (1 + math.exp(min(60.0, (_THRESHOLD - self.activation(now)) / _NOISE)))

    def practise(self, now: float, weight: float = 1.0) -> None:
        active = self.activation(now)
        self.traces.append((now, _DECAY + (_SCALE * math.exp(min(active, 3.0)) if self.traces else 0.0), weight))


class _Learner:
    """A student with 200 facts, a day's minutes, and a stopwatch."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        person = self.chance.gauss(0, 0.2)
        self.facts = [_Fact(ease=person + self.chance.gauss(0, 0.4)) for _ in range(CARDS)]
        self.seconds = self.today_s = self.now = 0.0
        self.day = 0

    def begin(self, day: int) -> None:
        """Go to the session of a day. `now` is psychological time: what passes between sessions counts little."""
        self.now += _BETWEEN * ((day - self.day) * 86_400 - self.today_s)
        self.day, self.today_s = day, 0.0

    @property
    def is_tired(self) -> bool:
        return self.today_s >= _DAY_MINUTES * 60

    def test(self, number: int) -> bool:
        """Ask for a card and show its back; whether it was known."""
        fact = self.facts[number]
        is_known = self.chance.random() < fact.recall(self.now)
        self._spend(_KNOWN_S if is_known else _UNKNOWN_S)
        fact.practise(self.now)
        return is_known

    def read(self, number: int) -> None:
        self._spend(_READ_S)
        self.facts[number].practise(self.now, _READ_WEIGHT)

    def known(self, day: int) -> float:
        """Share of the cards that are known on a day."""
        self.begin(day)
        return statistics.fmean(fact.recall(self.now) for fact in self.facts)

    def _spend(self, seconds: float) -> None:
        spent = seconds * self.chance.lognormvariate(0, 0.3)
        self.seconds += spent
        self.today_s += spent
        self.now += spent


def measure(data_dir: Path) -> list[tuple[str, ...]]:
    del data_dir
    return [_row(name, way) for name, way in WAYS.items()]


def _row(name: str, way: Callable[[_Learner], None]) -> tuple[str, ...]:
    known, later, minutes = [], [], []
    for seed in range(SEEDS):
        learner = _Learner(seed)
        way(learner)
        minutes.append(learner.seconds / 60)
        known.append(learner.known(DAYS))
        later.append(learner.known(2 * DAYS))
    rate = [CARDS * share / spent for share, spent in zip(known, minutes, strict=True)]
    cells = (_told(known, 100, " %"), _told(later, 100, " %"), _told(minutes, 1, ""), _told(rate, 1, "", digits=2))
    return (name, *cells)


def _told(values: Sequence[float], scale: float, unit: str, digits: int = 0) -> str:
    """Mean of the seeds, with the least and the most."""
    low, mean, high = (scale * value for value in (min(values), statistics.fmean(values), max(values)))
    return f"{mean:.{digits}f}{unit} ({low:.{digits}f}–{high:.{digits}f})"


def _ours(learner: _Learner) -> None:
    """Review as Homeroom asks for it, with the daily limits as they are set at first."""
    now = BEGIN
    student = Student(id="student", name="S", email="s@example.edu")
    with tempfile.TemporaryDirectory() as folder:
        store = Store(SqliteDocuments(Path(folder) / "term.sqlite"))
        cards, preferences = CardRepository(store), ReviewPreferencesRepository(store)
        caps = ExamCaps(cards, _OneExam(), preferences, lambda: now)
        deck, reviews = Deck(cards, caps, lambda: now), Reviews(cards, caps, preferences, lambda: now)
        made = [
            deck.new_card(id=f"{number:04}", front=str(number), back="Back", course_key="b") for number in range(CARDS)
        ]
        deck.add(student, made)
        for day in range(DAYS):
            learner.begin(day)
            while not learner.is_tired:
                now = BEGIN + timedelta(days=day, seconds=learner.today_s)
                asked = reviews.queue(student).cards
                if not asked:
                    break
                for card in asked:
                    is_known = learner.test(int(card.id))
                    now = BEGIN + timedelta(days=day, seconds=learner.today_s)
                    rating = ReviewRating.GOOD if is_known else ReviewRating.AGAIN
                    reviews.rate(student, card.id, rating, review_id=f"{day}-{learner.seconds}")
        store.close()


class _OneExam:
    """The exam of the term."""

    def upcoming(self, student_id: str, now: datetime) -> Sequence[ExamDate]:
        exam = ExamDate(course_key="b", at=BEGIN + timedelta(days=DAYS))
        return [exam] if exam.at > now else []


def _reread(learner: _Learner) -> None:
    """Read all of the notes over and over, a part each day."""
    number = 0
    for day in range(DAYS):
        learner.begin(day)
        for _ in range(20):
            learner.read(number % CARDS)
            number += 1


def _fixed(learner: _Learner) -> None:
    """Test each card 1, 3, 7, 14 and 30 days after it was last seen, whatever came of it."""
    due = _fixed_days()
    for day in range(DAYS):
        learner.begin(day)
        for number in due.get(day, []):
            learner.test(number)


def _fixed_until_known(learner: _Learner) -> None:
    """The same days, each card until it is known."""
    due = _fixed_days()
    for day in range(DAYS):
        learner.begin(day)
        left = due.get(day, [])
        while left:
            left = [number for number in left if not learner.test(number)]


def _fixed_days() -> dict[int, list[int]]:
    """Cards by day: twenty new ones a day, each again after 1, 3, 7, 14 and 30 days."""
    due: dict[int, list[int]] = {}
    for number in range(CARDS):
        for wait in (0, 1, 4, 11, 25, 55):
            due.setdefault(number // 20 + wait, []).append(number)
    return due


def _cram(learner: _Learner) -> None:
    """Test all cards on the last two evenings until each was known twice in a row, for three hours each at most."""
    for day in (DAYS - 2, DAYS - 1):
        learner.begin(day)
        streak = dict.fromkeys(range(CARDS), 0)
        while streak and learner.today_s < 3 * _HOUR_S:
            for number in list(streak):
                streak[number] = streak[number] + 1 if learner.test(number) else 0
                if streak[number] == 2:
                    del streak[number]


WAYS: dict[str, Callable[[_Learner], None]] = {
    "Homeroom": _ours,
    "fixed intervals, 1-3-7-14-30 days": _fixed,
    "the same, each until it is known": _fixed_until_known,
    "reading over": _reread,
    "two long evenings": _cram,
}
