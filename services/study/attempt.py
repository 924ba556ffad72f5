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
    """answer_id: idempotency key that the browser gave it: the same again changes nothing."""

    question_id: str
    answer_id: str
    given: GivenAnswer
    mark: Mark
    answered_at: datetime
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """Taking of a quiz. question_ids: in the order of this attempt; a wrong one comes again at the end.

    ends_at: when a mock exam's clock is over; None without one. version: counts its changes, for compare-and-set.
    """

    id: str
    quiz_id: str
    question_ids: tuple[str, ...]
    answers: tuple[AnsweredQuestion, ...] = ()
    started_at: datetime
    ends_at: datetime | None = None
    finished_at: datetime | None = None
    version: int = 1
