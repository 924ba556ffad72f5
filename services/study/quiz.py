"""`Quiz`: questions that were made together, from one request; `QuizRequest`: what was asked for."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from services.study.question import Difficulty, QuestionKind, SourceKind

Product = Literal["quiz", "cards"]
"""What is made of a source: a quiz to take, or drafts of cards to look over."""
MOST_QUESTIONS = 40
LARGE_MAKING_USD = 0.10
"""Dollars from which on the student is asked before anything is made."""


@dataclass(frozen=True, kw_only=True)
class SourceChoice:
    """Source to make questions from. id: of the material, note or chat; "" for pasted text. pages: its numbers, none
    for all. text: what was pasted. title: for people.
    """

    kind: SourceKind
    id: str = ""
    pages: tuple[int, ...] = ()
    title: str = field(default="", repr=False)
    text: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class QuizRequest:
    """What is to be made. topic: words of what it is about, "" for all of the sources; with it and no sources the
    course's materials are searched. kinds: none for a mixture. minutes: of a mock exam's clock, 0 without one.
    """

    product: Product = "quiz"
    title: str = field(default="", repr=False)
    course_key: str = ""
    topic: str = field(default="", repr=False)
    sources: tuple[SourceChoice, ...] = ()
    count: int = 8
    kinds: tuple[QuestionKind, ...] = ()
    difficulty: Difficulty = "medium"
    locale: str = "en-US"
    minutes: int = 0


class QuizState(StrEnum):
    """queued: waits to be made, also while the model is away. partial: some are there, the rest could not be made."""

    QUEUED = "queued"
    WRITING = "writing"
    READY = "ready"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


ACTIVE = (QuizState.QUEUED, QuizState.WRITING)
"""States of a quiz that is made or waits for it."""


@dataclass(frozen=True, kw_only=True)
class Quiz:
    """Quiz as stored. question_ids: those made so far, in their order. trouble: why it waits or ended early, in words
    for the student. dropped: questions that were thrown away because their quotation did not stand in the source, or
    because there was one like it.
    """

    id: str
    request: QuizRequest
    state: QuizState
    question_ids: tuple[str, ...] = ()
    dropped: int = 0
    trouble: str = field(default="", repr=False)
    made_at: datetime
    due_at: datetime | None = None
    tries: int = 0
    cost_usd: float = 0.0

    @property
    def is_exam(self) -> bool:
        """Whether it is taken against the clock, with the marks at the end."""
        return self.request.minutes > 0


@dataclass(frozen=True, kw_only=True)
class GenerationEstimate:
    """What making takes. is_large: whether the student is asked first. left_today: questions more that may be made."""

    passages: int
    input_tokens: int
    output_tokens: int
    cost_usd: float
    left_today: int = 0

    @property
    def is_large(self) -> bool:
        return self.cost_usd >= LARGE_MAKING_USD
