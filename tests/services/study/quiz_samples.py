"""Quizzes to take: questions of every kind, stored as the job of making stores them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from services.storage.store import Store
from services.study.question import Question, QuestionKind, Quotation, SourceKind
from services.study.quiz import Quiz, QuizRequest, QuizState
from services.study.store.quiz_repository import QuizRepository

MADE_AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
QUOTE = "Osmosis is the net movement of water across a membrane."


def question(id: str, kind: QuestionKind, prompt: str, *, topic: str = "Osmosis", **more: Any) -> Question:
    quotation = Quotation(
        source=SourceKind.MATERIAL,
        source_id="canvas:101.file-7",
        page=3,
        place="Lecture 4, page 3",
        url="http://localhost:8501/materials?open=canvas%3A101.file-7&page=3#passage=Osmosis",
        words=QUOTE,
    )
    fields: dict[str, Any] = {"quotation": quotation, "course_key": "canvas:101", "made_at": MADE_AT, **more}
    return Question(id=id, kind=kind, prompt=prompt, topic=topic, **fields)


CHOICE = question(
    "q-choice",
    QuestionKind.SINGLE_CHOICE,
    "What moves in osmosis?",
    options=("Water", "Salt", "Sugar", "Protein"),
    correct=(0,),
    explanation="Only **water** passes.",
)
SEVERAL = question(
    "q-several",
    QuestionKind.MULTIPLE_CHOICE,
    "Which of these pass a membrane freely? Several may be right.",
    options=("Oxygen", "Carbon dioxide", "Starch", "Protein"),
    correct=(0, 1),
)
TRUE_FALSE = question("q-tf", QuestionKind.TRUE_FALSE, "Diffusion needs energy.", topic="Diffusion", correct=(1,))
CLOZE = question("q-cloze", QuestionKind.CLOZE, "Water passes a ____ in osmosis.", accepted=("membrane",))
ORDERING = question(
    "q-order",
    QuestionKind.ORDERING,
    "Put the phases of mitosis in order.",
    topic="Mitosis",
    options=("Prophase", "Metaphase", "Anaphase", "Telophase"),
    correct=(0, 1, 2, 3),
)
SHORT = question(
    "q-short",
    QuestionKind.SHORT_ANSWER,
    "What is osmosis?",
    key="The net movement of water across a membrane.",
    points=("Water moves", "across a membrane"),
)
ALL = (CHOICE, SEVERAL, TRUE_FALSE, CLOZE, ORDERING, SHORT)


def store_quiz(
    store: Store,
    student_id: str,
    questions: Sequence[Question] = ALL,
    *,
    id: str = "quiz-1",
    state: QuizState = QuizState.READY,
    **request: Any,
) -> Quiz:
    """Store a quiz with these questions, under ids of its own."""
    repository = QuizRepository(store)
    asked = QuizRequest(**{"title": "Cells", "course_key": "canvas:101", "count": len(questions), **request})
    quiz = repository.add(student_id, Quiz(id=id, request=asked, state=state, made_at=MADE_AT))
    record = repository.quiz(student_id, id)
    assert record is not None
    changed = repository.change(student_id, record, {}, new=questions) if questions else record
    return changed.quiz if changed else quiz
