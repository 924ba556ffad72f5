"""Progress of an attempt: what is asked next, what comes again, and how it came out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from services.study.attempt import AnsweredQuestion, Attempt, Mark, Verdict
from services.study.question import Question

MOST_ASKED = 3
"""How often an attempt asks the same question, the first time among them."""
_MISSED = (Verdict.WRONG, Verdict.PARTLY, Verdict.SKIPPED)


@dataclass(frozen=True, kw_only=True)
class TopicResult:
    topic: str = field(repr=False)
    right: int
    count: int


@dataclass(frozen=True, kw_only=True)
class AttemptResult:
    """Result of an attempt by the first answer to each question; marks after a disagreement count.

    score: points reached of `count`. mended: missed at first and right in the end. missed: ids of those that are not
    right yet.
    """

    count: int
    score: float
    verdicts: Mapping[Verdict, int]
    mended: int
    missed: tuple[str, ...]
    topics: tuple[TopicResult, ...] = field(repr=False)


def next_number(attempt: Attempt) -> int | None:
    """Place in `question_ids` of the question that is asked now; None when none is left or the attempt is finished.

    Of a mock exam the first one without an answer.
    """
    if attempt.finished_at is not None:
        return None
    if attempt.is_exam:
        done = {answer.question_id for answer in attempt.answers}
        return next((at for at, id in enumerate(attempt.question_ids) if id not in done), None)
    return len(attempt.answers) if len(attempt.answers) < len(attempt.question_ids) else None


def with_answer(attempt: Attempt, answer: AnsweredQuestion) -> Attempt:
    """Add an answer; in a mock exam it takes the place of an earlier one to the same question."""
    earlier = attempt.answer_to(answer.question_id) if attempt.is_exam else None
    if earlier is not None:
        answer = replace(answer, replaced=(*earlier.replaced, earlier.answer_id))
    kept = tuple(each for each in attempt.answers if each is not earlier)
    return replace(attempt, answers=(*kept, answer))


def with_marks(attempt: Attempt, mark: Callable[[AnsweredQuestion], Mark]) -> Attempt:
    """Replace the marks of all answers."""
    return replace(attempt, answers=tuple(replace(answer, mark=mark(answer)) for answer in attempt.answers))


def with_repeats(attempt: Attempt, number: int) -> Attempt:
    """Ask a question again at the end, where the answer with this number missed it; in no mock exam, nor too often."""
    answer = attempt.answers[number]
    is_over = attempt.is_exam or attempt.finished_at is not None or answer.mark.verdict not in _MISSED
    ids = attempt.question_ids
    if is_over or answer.question_id in ids[number + 1 :] or ids.count(answer.question_id) >= MOST_ASKED:
        return attempt
    return replace(attempt, question_ids=(*ids, answer.question_id))


def without_repeats(attempt: Attempt, question_id: str) -> Attempt:
    """Ask a question no more."""
    at = len(attempt.answers)
    if attempt.is_exam:
        return attempt
    ids = attempt.question_ids
    return replace(attempt, question_ids=(*ids[:at], *(id for id in ids[at:] if id != question_id)))


def finished_if_done(attempt: Attempt, now: datetime) -> Attempt:
    """Finish an attempt without a clock whose questions are all answered."""
    is_done = not attempt.is_exam and attempt.finished_at is None and len(attempt.answers) >= len(attempt.question_ids)
    return replace(attempt, finished_at=now) if is_done else attempt


def pending_numbers(attempt: Attempt) -> list[int]:
    """Places of the answers that the model is still to mark; while a mock exam runs none."""
    if attempt.is_exam and attempt.finished_at is None:
        return []
    return [at for at, answer in enumerate(attempt.answers) if answer.mark.verdict is Verdict.PENDING]


def result_of(attempt: Attempt, questions: Mapping[str, Question]) -> AttemptResult:
    """Sum up an attempt. questions: by id; those that are gone keep their marks, without a topic."""
    ids = list(dict.fromkeys(attempt.question_ids))
    firsts = {id: _first_mark(attempt, id) for id in ids}
    lasts = {id: last.mark if (last := attempt.answer_to(id)) else firsts[id] for id in ids}
    verdicts = {verdict: sum(mark.verdict is verdict for mark in firsts.values()) for verdict in Verdict}
    right = [id for id in ids if lasts[id].verdict is Verdict.RIGHT]
    return AttemptResult(
        count=len(ids),
        score=sum(mark.score for mark in firsts.values()),
        verdicts=verdicts,
        mended=sum(firsts[id].verdict in _MISSED for id in right),
        missed=tuple(id for id in ids if lasts[id].verdict in _MISSED),
        topics=_topics(firsts, questions),
    )


def missed_ids(attempts: Sequence[Attempt]) -> list[str]:
    """Ids of questions whose latest answer in finished attempts is not right, in the order of their first asking.

    What an exam did not get to counts as missed.
    """
    latest: dict[str, Verdict] = {}
    for attempt in attempts:
        if attempt.finished_at is not None:
            for id in dict.fromkeys(attempt.question_ids):
                answer = attempt.answer_to(id)
                if answer is not None or attempt.is_exam or id not in latest:
                    latest[id] = answer.mark.verdict if answer else Verdict.SKIPPED
    return [id for id, verdict in latest.items() if verdict in _MISSED]


def _first_mark(attempt: Attempt, id: str) -> Mark:
    first = next((answer for answer in attempt.answers if answer.question_id == id), None)
    return first.mark if first else Mark(verdict=Verdict.SKIPPED)


def _topics(marks: Mapping[str, Mark], questions: Mapping[str, Question]) -> tuple[TopicResult, ...]:
    by_topic: dict[str, list[Mark]] = {}
    for id, mark in marks.items():
        topic = questions[id].topic if id in questions else ""
        by_topic.setdefault(topic, []).append(mark)
    return tuple(
        TopicResult(topic=topic, right=sum(mark.verdict is Verdict.RIGHT for mark in of_topic), count=len(of_topic))
        for topic, of_topic in by_topic.items()
    )
