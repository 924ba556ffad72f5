"""`Mastery`: how well each topic of a course is known so far, from answers to questions and from reviewed cards."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import sqrt
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.attempt import AnsweredQuestion, Attempt, Verdict
from services.study.flashcard import Flashcard, FlashcardState
from services.study.question import Question
from services.study.review.scheduler import retrievability
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.card_repository import CardRepository
from services.study.store.quiz_repository import QuizRepository

HALF_LIFE_DAYS = 21.0
"""After so many days an answer counts half: what was known then may be forgotten, or learned since."""
_Z = 1.645
"""Standard deviations to each side that hold 90 % of a normal distribution."""
_UNCOUNTED = (Verdict.PENDING, Verdict.SKIPPED)


@dataclass(frozen=True, kw_only=True)
class TopicMastery:
    """Estimate from answers and reviews. share: of what is asked about it, what is known; from 0 to 1, None while
    nothing was answered. low, high: where it lies with 90 % probability. answers: what it rests on.
    """

    course_key: str
    topic: str = field(repr=False)
    share: float | None = None
    low: float = 0.0
    high: float = 1.0
    answers: int = 0
    cards: int = 0


@dataclass
class _Evidence:
    """What a topic's estimate rests on. known: of `weight`, the part that was right."""

    name: str
    known: float = 0.0
    weight: float = 0.0
    answers: int = 0
    cards: int = 0

    def add(self, score: float, weight: float) -> None:
        self.known += score * weight
        self.weight += weight
        self.answers += 1


class Mastery:
    def __init__(
        self, attempts: AttemptRepository, quizzes: QuizRepository, cards: CardRepository, clock: Clock
    ) -> None:
        self._attempts, self._quizzes, self._cards, self._clock = attempts, quizzes, cards, clock

    def topics(self, student: Student, course_key: str) -> list[TopicMastery]:
        """Topics of a course, those that are known least first, and last those that nothing is known of yet."""
        return self._topics(student, course_key, self._attempts.attempts(student.id))

    def topics_of_courses(self, student: Student, course_keys: Iterable[str]) -> list[TopicMastery]:
        """Topics of several courses, each course's as `topics` has them."""
        attempts = self._attempts.attempts(student.id)
        return [topic for key in course_keys for topic in self._topics(student, key, attempts)]

    def _topics(self, student: Student, course_key: str, attempts: Sequence[Attempt]) -> list[TopicMastery]:
        now = self._clock()
        found: dict[str, _Evidence] = {}
        questions = {question.id: question for question in self._quizzes.questions_of_course(student.id, course_key)}
        for question in questions.values():
            _evidence(found, question.topic)
        for question, answer in _answers(attempts, questions):
            age = max(0.0, (now - answer.answered_at).total_seconds() / 86_400)
            _evidence(found, question.topic).add(answer.mark.score, 0.5 ** (age / HALF_LIFE_DAYS))
        kept = {"course_key": course_key, "state": str(FlashcardState.KEPT)}
        for card in self._cards.find(student.id, kept):
            _count_card(_evidence(found, card.topic), card, now, ZoneInfo(student.timezone))
        topics = [_estimate(course_key, evidence) for evidence in found.values()]
        return sorted(topics, key=lambda topic: (topic.share is None, topic.share or 0.0, topic.topic.casefold()))


def _evidence(found: dict[str, _Evidence], topic: str) -> _Evidence:
    key = " ".join(topic.casefold().split())
    return found.setdefault(key, _Evidence(name=topic))


def _answers(
    attempts: Iterable[Attempt], questions: dict[str, Question]
) -> Iterable[tuple[Question, AnsweredQuestion]]:
    """First answers to each question of an attempt: one that comes again right after the page was shown proves less."""
    for attempt in attempts:
        seen = set[str]()
        for answer in attempt.answers:
            question = questions.get(answer.question_id)
            if question and not question.disputed and answer.question_id not in seen:
                if answer.mark.verdict not in _UNCOUNTED:
                    yield question, answer
                seen.add(answer.question_id)


def _count_card(evidence: _Evidence, card: Flashcard, now: datetime, zone: ZoneInfo) -> None:
    evidence.cards += 1
    if card.schedule and card.reviews:
        evidence.add(retrievability(card.schedule, now, zone), 1.0)


def _estimate(course_key: str, evidence: _Evidence) -> TopicMastery:
    """Estimate by Wilson's interval, whose middle lies nearer to a half the less there is to go by."""
    known = TopicMastery(course_key=course_key, topic=evidence.name, answers=evidence.answers, cards=evidence.cards)
    if evidence.weight <= 0:
        return known
    share, low, high = wilson_interval(evidence.known / evidence.weight, evidence.weight)
    return TopicMastery(**{**vars(known), "share": share, "low": low, "high": high})


def wilson_interval(share: float, count: float) -> tuple[float, float, float]:
    """Middle and ends of the interval that holds a proportion with 90 % probability. count: of answers, weighted."""
    spread = _Z * _Z / count
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * sqrt(share * (1 - share) / count + spread / (4 * count)) / (1 + spread)
    return middle, max(0.0, middle - half), min(1.0, middle + half)


def weakest(topics: Sequence[TopicMastery], most: int) -> list[str]:
    """Names of the topics to begin with: those that are known least, and those of which nothing is known."""
    ordered = sorted(topics, key=lambda topic: topic.low)
    return [topic.topic for topic in ordered if topic.topic][:most]
