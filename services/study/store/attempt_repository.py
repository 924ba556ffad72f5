"""`AttemptRepository`: attempts at quizzes in the store, each reached with its student only."""

from dataclasses import replace
from datetime import datetime

from pydantic import TypeAdapter

from services.errors import DuplicateDocument
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.due_queue import DueQueue
from services.storage.records import keep_later_fields, read_all, read_record, record_reader
from services.storage.store import Store, StudentDocuments
from services.study.attempt import Attempt

ATTEMPTS = "study_attempts"
_ATTEMPT = TypeAdapter(Attempt)


class AttemptRepository:
    """Repository of all students' attempts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def queue(self, clock: Clock, *, job: str) -> DueQueue:
        """All students' attempts that wait for marks or whose clock is over."""
        return DueQueue(store=self._store, job=job, collection=ATTEMPTS, due_field="due_at", clock=clock)

    def add(self, student_id: str, attempt: Attempt, *, due_at: datetime | None = None) -> bool:
        """Add an attempt; False where there is one with its id."""
        try:
            self._of(student_id).insert(ATTEMPTS, {"id": attempt.id, **_written(attempt, due_at)})
        except DuplicateDocument:
            return False
        return True

    def attempt(self, student_id: str, id: str) -> Attempt | None:
        document = self._of(student_id).get(ATTEMPTS, id)
        return _read(document) if document else None

    def attempts(self, student_id: str, quiz_id: str = "") -> list[Attempt]:
        """The student's attempts at a quiz, or at all of them, the first one first."""
        where = {"quiz_id": quiz_id} if quiz_id else {}
        return read_all(_read, self._of(student_id).find(ATTEMPTS, where, order=[("started_at", 1)]))

    def replace(self, student_id: str, attempt: Attempt, *, due_at: datetime | None) -> Attempt | None:
        """Store an attempt in the place of the version that it was made from; None where that has changed since.

        due_at: when the job of marks looks at it, None where it has nothing to do.
        """
        changed = replace(attempt, version=attempt.version + 1)
        expected = {"version": attempt.version}
        mine = self._of(student_id)
        changes = keep_later_fields(Attempt, _written(changed, due_at), mine.get(ATTEMPTS, attempt.id))
        row = mine.compare_and_set(ATTEMPTS, attempt.id, expected, changes)
        return _read(row) if row else None

    def delete_of(self, student_id: str, quiz_id: str) -> None:
        """Delete a quiz's attempts."""
        self._of(student_id).delete(ATTEMPTS, {"quiz_id": quiz_id})

    def _of(self, student_id: str) -> StudentDocuments:
        return self._store.for_student(student_id)


def _written(attempt: Attempt, due_at: datetime | None) -> Document:
    written: Document = _ATTEMPT.dump_python(attempt, mode="json")
    del written["id"]
    return {**written, "started_at": stamp(attempt.started_at), "due_at": stamp(due_at) if due_at else None}


@record_reader(ATTEMPTS)
def _read(document: Document) -> Attempt:
    return read_record(Attempt, document)
