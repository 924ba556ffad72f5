"""`Question`: one question of practice with its key, and the words of the source that it was made from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

Difficulty = Literal["easy", "medium", "hard"]


class QuestionKind(StrEnum):
    SINGLE_CHOICE = "single_choice"
    MULTIPLE_CHOICE = "multiple_choice"
    TRUE_FALSE = "true_false"
    CLOZE = "cloze"
    SHORT_ANSWER = "short_answer"
    ORDERING = "ordering"


GAP = "____"
"""What stands for the missing words in the text of a cloze question."""


class SourceKind(StrEnum):
    """Where a question may be made from."""

    MATERIAL = "material"
    NOTE = "note"
    CHAT = "chat"
    TEXT = "text"


@dataclass(frozen=True, kw_only=True)
class Quotation:
    """Words of a source, verbatim, with the place where they stand.

    source_id: of the material, the page of notes or the chat; "" for pasted text. page: its number from 1, 0 for a
    source without pages. place: for people, such as "Lecture 4, slide 12". url: opens it there; "" where nothing does.
    """

    source: SourceKind
    source_id: str = ""
    page: int = 0
    place: str = field(default="", repr=False)
    url: str = field(default="", repr=False)
    words: str = field(default="", repr=False)


@dataclass(frozen=True, kw_only=True)
class Question:
    """Question with its key. prompt, options, explanation: Markdown, with formulas.

    options: of both choices and of an ordering, there in the right order; they are shown in an order of the attempt.
    correct: positions in `options` that are right; of true or false (0,) is true and (1,) is false.
    accepted: of a cloze, the words that fill its gap; any of them is right.
    key: of a short answer, what a full answer says; points: what it must name, one idea each.
    made_at: when it was written. disputed: the student's objection to its key, "" for none; it is asked no more.
    """

    id: str
    kind: QuestionKind
    prompt: str = field(repr=False)
    course_key: str = ""
    topic: str = field(default="", repr=False)
    options: tuple[str, ...] = field(default=(), repr=False)
    correct: tuple[int, ...] = field(default=(), repr=False)
    accepted: tuple[str, ...] = field(default=(), repr=False)
    key: str = field(default="", repr=False)
    points: tuple[str, ...] = field(default=(), repr=False)
    explanation: str = field(default="", repr=False)
    quotation: Quotation
    difficulty: Difficulty = "medium"
    locale: str = "en-US"
    made_at: datetime
    disputed: str = field(default="", repr=False)


def question_texts(questions: Sequence[Question]) -> str:
    """Texts of questions, for the words of their subject."""
    return "\n".join(
        text
        for question in questions
        for text in (question.prompt, *question.options, *question.accepted, question.quotation.words)
    )
