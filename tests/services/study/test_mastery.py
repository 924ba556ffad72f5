"""What a student knows of a topic so far, and how sure that is."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from services.study.attempt import AnsweredQuestion, Attempt, GivenAnswer, Mark, Verdict
from services.study.mastery import Mastery, weakest, wilson_interval
from services.study.question import Question, QuestionKind, Quotation, SourceKind
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.quiz_repository import QUESTIONS, QuizRepository, question_fields
from tests.fakes import FakeDocuments
from tests.services.study.review.desk import Desk

COURSE = "canvas-101"


class Room:
    def __init__(self) -> None:
        self.desk = Desk(FakeDocuments())
        self.attempts, quizzes = AttemptRepository(self.desk.store), QuizRepository(self.desk.store)
        self.mastery = Mastery(self.attempts, quizzes, self.desk.repository, self.desk.clock)
        self._made = 0

    def ask(self, topic: str, *scores: float, ago: int = 0, verdict: Verdict | None = None, **more: str) -> None:
        """One question, answered with these scores in one attempt."""
        self._made += 1
        at = self.desk.clock.at - timedelta(days=ago)
        question = _question(f"q{self._made}", topic, at, **more)
        self.desk.store.for_student(self.desk.student.id).insert(
            QUESTIONS, {"quiz_id": "z", **question_fields(question)}
        )
        answers = tuple(_answer(question.id, number, score, at, verdict) for number, score in enumerate(scores))
        attempt = Attempt(id=f"a{self._made}", quiz_id="z", question_ids=(question.id,), answers=answers, started_at=at)
        self.attempts.add(self.desk.student.id, attempt)

    def topics(self) -> dict[str, tuple[float | None, float, float, int]]:
        found = self.mastery.topics(self.desk.student, COURSE)
        return {topic.topic: (topic.share, topic.low, topic.high, topic.answers) for topic in found}


def _question(id: str, topic: str, at: datetime, disputed: str = "") -> Question:
    quotation = Quotation(source=SourceKind.TEXT, words="w")
    question = Question(id=id, kind=QuestionKind.TRUE_FALSE, prompt="p", topic=topic, quotation=quotation, made_at=at)
    return replace(question, course_key=COURSE, correct=(0,), disputed=disputed)


def _answer(id: str, number: int, score: float, at: datetime, verdict: Verdict | None) -> AnsweredQuestion:
    mark = Mark(verdict=verdict or (Verdict.RIGHT if score else Verdict.WRONG), score=score)
    return AnsweredQuestion(question_id=id, answer_id=f"{id}-{number}", given=GivenAnswer(), mark=mark, answered_at=at)


@pytest.fixture
def room() -> Room:
    return Room()


def test_more_answers_make_it_surer(room: Room) -> None:
    room.ask("Few", 1.0)
    for _ in range(12):
        room.ask("Many", 1.0)

    topics = room.topics()

    assert topics["Many"][0] > topics["Few"][0] > 0.5
    assert topics["Many"][2] - topics["Many"][1] < topics["Few"][2] - topics["Few"][1]
    assert topics["Many"][3] == 12


def test_only_the_first_answer_of_an_attempt_counts(room: Room) -> None:
    room.ask("Osmosis", 0.0, 1.0, 1.0)

    assert room.topics()["Osmosis"][0] < 0.5


def test_what_was_long_ago_counts_less(room: Room) -> None:
    for _ in range(4):
        room.ask("Cells", 0.0, ago=90)
        room.ask("Cells", 1.0, ago=1)

    assert room.topics()["Cells"][0] > 0.6


@pytest.mark.parametrize(
    "more", [{"disputed": "The key is wrong."}, {"verdict": Verdict.PENDING}, {"verdict": Verdict.SKIPPED}]
)
def test_disputed_skipped_and_unmarked_answers_count_for_nothing(room: Room, more: dict[str, str]) -> None:
    room.ask("Cells", 0.0, **more)

    assert room.topics()["Cells"] == (None, 0.0, 1.0, 0)


def test_cards_count_by_how_likely_they_are_known_today(room: Room) -> None:
    cards = room.desk.add(3, course_key=COURSE, topic="Osmosis")
    for card in cards:
        room.desk.rate(card.id, 4)
    fresh = room.topics()["Osmosis"][0]
    room.desk.clock.at += timedelta(days=300)

    assert room.topics()["Osmosis"][0] < fresh


def test_a_topic_is_one_whatever_its_case_and_spaces(room: Room) -> None:
    room.ask("Cell  membranes", 1.0)
    room.ask("cell membranes", 1.0)

    assert list(room.topics()) == ["Cell  membranes"]


def test_the_least_known_comes_first_and_the_unknown_last(room: Room) -> None:
    room.ask("Good", 1.0)
    room.ask("Bad", 0.0)
    room.ask("Unknown")

    found = room.mastery.topics(room.desk.student, COURSE)

    assert [topic.topic for topic in found] == ["Bad", "Good", "Unknown"]
    assert weakest(found, 2) == ["Bad", "Unknown"]


@pytest.mark.parametrize(
    ("share", "count", "ends"), [(0.5, 100, (0.4185, 0.5815)), (1.0, 10, (0.787, 1.0)), (0.0, 10, (0.0, 0.213))]
)
def test_the_interval_is_wilsons(share: float, count: float, ends: tuple[float, float]) -> None:
    _, low, high = wilson_interval(share, count)

    assert (low, high) == pytest.approx(ends, abs=0.001)
