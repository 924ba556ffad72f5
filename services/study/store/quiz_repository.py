"""`QuizRepository`: quizzes and their questions in the store, each reached with its student only."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from services.errors import DuplicateDocument, WriteConflict
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.due_queue import DueQueue
from services.storage.records import read_all, read_record, record_reader
from services.storage.store import Store, StudentDocuments
from services.study.question import Question
from services.study.quiz import Quiz, QuizRequest, QuizState

QUIZZES, QUESTIONS = "study_quizzes", "study_questions"
MOST_COMPARED = 400
"""Earlier questions of a course that new ones are compared with, the latest."""
_REQUEST = TypeAdapter(QuizRequest)
_QUESTION = TypeAdapter(Question)
_AT_ONCE = 200


@dataclass(frozen=True, kw_only=True)
class QuizRecord:
    """Quiz with what its making needs. round: requests to the model so far that ended; the compare-and-set's version.

    barren: of these, those in a row that brought nothing.
    """

    quiz: Quiz
    round: int = 0
    barren: int = 0


class QuizRepository:
    """Repository of all students' quizzes."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def add(self, student_id: str, quiz: Quiz) -> Quiz:
        """Add a quiz; the stored one where its id is taken."""
        document = {"id": quiz.id, "round": 0, "barren": 0, "request": _written(quiz.request), **quiz_fields(quiz)}
        try:
            self._of(student_id).insert(QUIZZES, document)
        except DuplicateDocument:
            known = self.quiz(student_id, quiz.id)
            if known is None:
                raise
            return known.quiz
        return quiz

    def quiz(self, student_id: str, id: str) -> QuizRecord | None:
        document = self._of(student_id).get(QUIZZES, id)
        return _read_quiz(document) if document else None

    def quizzes(self, student_id: str, *, since: datetime | None = None, limit: int | None = None) -> list[QuizRecord]:
        """The student's quizzes, the latest first."""
        where = {"made_at": {"$gte": stamp(since)}} if since else {}
        found = self._of(student_id).find(QUIZZES, where, order=[("made_at", -1)], limit=limit)
        return read_all(_read_quiz, found)

    def latest(self, student_id: str, *, course_key: str, product: str, limit: int) -> list[QuizRecord]:
        """The latest quizzes of a course and of a product, "" for all."""
        asked = {"request.course_key": course_key, "request.product": product}
        where = {name: value for name, value in asked.items() if value}
        return read_all(_read_quiz, self._of(student_id).find(QUIZZES, where, order=[("made_at", -1)], limit=limit))

    def course_keys(self, student_id: str) -> list[str]:
        """The courses that there are questions of; "" for those of no course: one read for each."""
        found: list[str] = []
        mine = self._of(student_id)
        while rows := mine.find(
            QUESTIONS, {"course_key": {"$gt": found[-1]}} if found else {}, order=[("course_key", 1)], limit=1
        ):
            found.append(rows[0]["course_key"])
        return found

    def change(
        self, student_id: str, record: QuizRecord, changes: Mapping[str, Any], *, new: Sequence[Question] = ()
    ) -> QuizRecord | None:
        """Change a quiz that is still as `record` says, and add questions to it; None when it changed meanwhile.

        The questions go first: a process that dies in between leaves some that no quiz names, see `delete_unnamed`.
        """
        quiz = record.quiz
        expected = {"round": record.round, "state": str(quiz.state)}
        batch = self.store.batch()
        mine = batch.for_student(student_id)
        for question in new:
            mine.insert(QUESTIONS, {"quiz_id": quiz.id, **question_fields(question)})
        if new:
            changes = {"question_ids": [*quiz.question_ids, *(question.id for question in new)], **changes}
        mine.compare_and_set(QUIZZES, quiz.id, expected, stored(changes))
        try:
            batch.commit()
        except WriteConflict:
            self._delete_questions(self._of(student_id), [question.id for question in new])
            return None
        return self.quiz(student_id, quiz.id)

    def rename(self, student_id: str, id: str, title: str) -> bool:
        """Give a quiz another title, also while it is made; False when it is gone."""
        mine = self._of(student_id)
        document = mine.get(QUIZZES, id)
        if document is None:
            return False
        changes = {"request": {**document["request"], "title": title}}
        return mine.compare_and_set(QUIZZES, id, {}, changes) is not None

    def drop_texts(self, student_id: str, id: str) -> None:
        """Delete the pasted texts of a quiz that is ready: its questions quote what they need of them."""
        mine = self._of(student_id)
        request = (mine.get(QUIZZES, id) or {}).get("request", {})
        if any(source["text"] for source in request.get("sources", ())):
            bare = {**request, "sources": [{**source, "text": ""} for source in request["sources"]]}
            mine.compare_and_set(QUIZZES, id, {"state": str(QuizState.READY)}, {"request": bare})

    def delete(self, student_id: str, id: str) -> None:
        """Delete a quiz with its questions and attempts; the quiz first, so that nothing more is made for it."""
        mine = self._of(student_id)
        mine.delete(QUIZZES, {"id": id})
        for collection in (QUESTIONS, "study_attempts"):
            mine.delete(collection, {"quiz_id": id})

    def delete_unnamed(self, student_id: str, record: QuizRecord) -> int:
        """Delete questions that a process which died has left without a name in their quiz; how many went."""
        mine = self._of(student_id)
        named = set(record.quiz.question_ids)
        lost = [row["id"] for row in mine.find(QUESTIONS, {"quiz_id": record.quiz.id}) if row["id"] not in named]
        self._delete_questions(mine, lost)
        return len(lost)

    def questions(self, student_id: str, ids: Sequence[str]) -> list[Question]:
        """Questions by id, in this order; those that are gone are left out."""
        groups = [list(ids[at : at + _AT_ONCE]) for at in range(0, len(ids), _AT_ONCE)]
        found = [row for group in groups for row in self._of(student_id).find(QUESTIONS, {"id": {"$in": group}})]
        known = {question.id: question for question in read_all(read_question, found)}
        return [known[id] for id in ids if id in known]

    def questions_of_course(self, student_id: str, course_key: str) -> list[Question]:
        """All questions that the student has of a course, the latest first; of "" those of no course."""
        found = self._of(student_id).find(QUESTIONS, {"course_key": course_key})
        latest = sorted(found, key=lambda row: str(row.get("made_at")), reverse=True)
        return read_all(read_question, latest[:MOST_COMPARED])

    def question(self, student_id: str, id: str) -> Question | None:
        found = self.questions(student_id, [id])
        return found[0] if found else None

    def quiz_of(self, student_id: str, question_id: str) -> str:
        """Id of the quiz that a question belongs to; "" for one that there is not."""
        row = self._of(student_id).get(QUESTIONS, question_id)
        return str(row["quiz_id"]) if row else ""

    def update_question(self, student_id: str, id: str, changes: Mapping[str, Any]) -> Question | None:
        """Change fields of a question; None when it is gone."""
        row = self._of(student_id).compare_and_set(QUESTIONS, id, {}, changes)
        return read_question(row) if row else None

    def queue(self, clock: Clock) -> DueQueue:
        """All students' quizzes that are to be gone on with."""
        return DueQueue(store=self.store, job="quiz_making", collection=QUIZZES, due_field="due_at", clock=clock)

    def _delete_questions(self, mine: StudentDocuments, ids: Sequence[str]) -> None:
        for id in ids:
            mine.delete(QUESTIONS, {"id": id})

    def _of(self, student_id: str) -> StudentDocuments:
        return self.store.for_student(student_id)


def new_quiz_id(key: str = "") -> str:
    """Id of a quiz: of the same idempotency key the same, without one a random one."""
    return f"quiz-{hashlib.sha256(key.encode()).hexdigest()[:20]}" if key else f"quiz-{secrets.token_hex(8)}"


def new_question_id() -> str:
    return f"q-{secrets.token_hex(8)}"


def quiz_fields(quiz: Quiz) -> Document:
    """The fields of a quiz as stored, without its id and request."""
    return stored(
        {
            "state": quiz.state,
            "question_ids": list(quiz.question_ids),
            "dropped": quiz.dropped,
            "trouble": quiz.trouble,
            "made_at": quiz.made_at,
            "due_at": quiz.due_at,
            "tries": quiz.tries,
            "cost_usd": quiz.cost_usd,
        }
    )


def stored(fields: Mapping[str, Any]) -> Document:
    """Fields with times as stamps and states as texts."""
    return {
        name: stamp(value) if isinstance(value, datetime) else str(value) if isinstance(value, QuizState) else value
        for name, value in fields.items()
    }


def question_fields(question: Question) -> Document:
    """A question as stored, with its id."""
    written: Document = _QUESTION.dump_python(question, mode="json")
    return {**written, "made_at": stamp(question.made_at)}


@record_reader(QUESTIONS)
def read_question(document: Document) -> Question:
    """Read a stored question."""
    return read_record(Question, document)


def _written(request: QuizRequest) -> Document:
    written: Document = _REQUEST.dump_python(request, mode="json")
    return written


@record_reader(QUIZZES)
def _read_quiz(document: Document) -> QuizRecord:
    return read_record(QuizRecord, document, quiz=document)
