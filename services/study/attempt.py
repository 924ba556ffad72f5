"""`Attempt`: one taking of a quiz, with an answer and its mark for each question."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Verdict(StrEnum):
    """pending: a short answer that waits for the model, which is away."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    SKIPPED = "skipped"
    PENDING = "pending"


@dataclass(frozen=True, kw_only=True)
class GivenAnswer:
    """What a student answered. chosen: positions in the question's stored `options`; of an ordering all of them, in the
    student's order; of true or false (0,) or (1,). text: of a cloze or a short answer.
    """

    chosen: tuple[int, ...] = ()
    text: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """Mark of an answer. score: from 0 to 1. remark: what was missing, for the student. is_own: the student's word
    counts, as they disagreed with ours.
    """

    verdict: Verdict
    score: float = 0.0
    remark: str = field(default="", repr=False)
    is_own: bool = False


@dataclass(frozen=True, kw_only=True)
class AnsweredQuestion:
    """answer_id: idempotency key that the browser gave it: the same again changes nothing. replaced: those of earlier
    answers in its place, which a mock exam's clock allows.
    """

    question_id: str
    answer_id: str
    given: GivenAnswer
    mark: Mark
    answered_at: datetime
    seconds: float = 0.0
    replaced: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """Taking of a quiz. question_ids: in the order of this attempt; a wrong one comes again at the end.

    answers: in that order; of a mock exam in any. ends_at: when a mock exam's clock is over; None without one.
    version: counts its changes, for compare-and-set. tries: how often in a row the model marked nothing.
    """

    id: str
    quiz_id: str
    question_ids: tuple[str, ...]
    answers: tuple[AnsweredQuestion, ...] = ()
    started_at: datetime
    ends_at: datetime | None = None
    finished_at: datetime | None = None
    version: int = 1
    tries: int = 0

    @property
    def is_exam(self) -> bool:
        """Whether it is taken against the clock, with the marks at the end."""
        return self.ends_at is not None

    def answer_to(self, question_id: str) -> AnsweredQuestion | None:
        """The latest answer to a question."""
        return next((answer for answer in reversed(self.answers) if answer.question_id == question_id), None)
