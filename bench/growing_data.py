"""What a student stores in the course of years, as documents of the store: for measures of what grows with it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, cast

from services.materials.material import Material, MaterialCourse, MaterialKind
from services.materials.store.records import SHELF, CourseRecord, course_document, material_fields
from services.runtime.clock import stamp
from services.storage.documents import Document
from services.storage.store import Store
from services.study.attempt import Attempt
from services.study.flashcard import Flashcard, FlashcardState, Review, ReviewRating
from services.study.quiz import Quiz, QuizRequest, QuizState
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.card_repository import card_fields, review_fields, scheduled
from services.study.store.quiz_repository import QuizRepository

_AT_ONCE = 500
VIEWS = {"study": ("quizzes", "cards", "exams")}
"""Views of pages, by the page's name and the word in its address."""
COURSES = 5
MATERIALS_OF_A_COURSE = 20
"""All that the first course has; there is one more, for all others: how many courses there may be is limited."""


def fill(store: Store, student: str, first: int, last: int, now: datetime) -> None:
    """Store the things of these numbers: the higher the number, the longer ago."""
    for start in range(first, last, _AT_ONCE):
        batch = store.batch()
        mine, views = batch.for_student(student), cast(Store, batch)
        quizzes, attempts = QuizRepository(views), AttemptRepository(views)
        for number in range(start, min(start + _AT_ONCE, last)):
            for collection, document in _things(number, now):
                mine.insert(collection, document)
            quizzes.add(student, _quiz(number, now))
            attempts.add(student, _attempt(number, now))
        batch.commit()


def _things(number: int, now: datetime) -> Iterator[tuple[str, Document]]:
    at = now - timedelta(hours=number + 1)
    yield from _chat(number, at)
    yield "activity", _entry(number, at)
    card = _card(number, at)
    yield "study_cards", card_fields(card)
    yield "study_reviews", review_fields(_review(number, card, at))
    yield from _materials(number, at)


def _chat(number: int, at: datetime) -> Iterator[tuple[str, Document]]:
    said, id = stamp(at), f"growth-{number:06}"
    chat = {"id": id, "title": f"Chat {number}", "created_at": said, "updated_at": said, "is_empty": False}
    yield "conversations", chat
    words = " about photosynthesis and light "
    yield "chat_words", {"id": f"{id}.1", "conversation_id": id, "from_seq": 1, "to_seq": 2, **_said(words, said)}


def _said(words: str, taken_at: str) -> dict[str, Any]:
    return {"words": words, "taken_at": taken_at}


def _entry(number: int, at: datetime) -> Document:
    entry = {"id": f"growth-{number:06}", "at": stamp(at), "services": ["Canvas"], "service_key": "Canvas"}
    return {**entry, "tool": "Read courses", "effect": "read", "sentence": "done", "kind": "call", "approval_id": None}


def _card(number: int, at: datetime) -> Flashcard:
    return Flashcard(
        id=f"{int(at.timestamp() * 1_000_000):015x}{number:010x}",
        guid=f"growth-{number:06}",
        front=f"Question {number}",
        back="An answer of a line or so.",
        course_key=f"course-{number % COURSES}",
        topic=f"topic-{number % COURSES}",
        state=FlashcardState.KEPT,
        made_at=at,
        due_at=at + timedelta(days=400),
    )


def _review(number: int, card: Flashcard, at: datetime) -> Review:
    return Review(id=f"growth-{number:06}", card_id=card.id, rating=ReviewRating.GOOD, at=at, before=scheduled(card))


def _materials(number: int, at: datetime) -> Iterator[tuple[str, Document]]:
    """One file; the first of a course brings that, too."""
    key = f"growth-{min(1, number // MATERIALS_OF_A_COURSE)}"
    if number in (0, MATERIALS_OF_A_COURSE):
        course = MaterialCourse(key=key, name=f"Reading {number:06}")
        listed = CourseRecord(course=course, source=SHELF, listed_at=at, used_at=at, tidied_at=at, position=number)
        yield "material_courses", course_document(listed)
    material = Material(
        id=f"growth-{number:06}", course_key=key, kind=MaterialKind.UPLOAD, title=f"File {number}", position=number
    )
    yield (
        "materials",
        {"id": material.id, "source": SHELF, "is_listed": True, "reading": "", **material_fields(material)},
    )


def _quiz(number: int, now: datetime) -> Quiz:
    request = QuizRequest(title=f"Quiz {number}", course_key=f"course-{number % COURSES}")
    at = now - timedelta(hours=number + 1)
    return Quiz(id=f"growth-{number:06}", request=request, state=QuizState.READY, made_at=at)


def _attempt(number: int, now: datetime) -> Attempt:
    at = now - timedelta(hours=number + 1)
    return Attempt(
        id=f"growth-{number:06}", quiz_id=f"growth-{number:06}", question_ids=(), started_at=at, finished_at=at
    )
