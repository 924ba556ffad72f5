"""`ExamRepository`: exams with their sessions in the store, each reached with its student only."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from services.errors import DuplicateDocument
from services.runtime.clock import stamp
from services.storage.documents import Document
from services.storage.records import keep_later_fields, read_all, read_record, record_reader
from services.storage.store import Store, StudentDocuments
from services.study.exam import Exam, PlannedSession

EXAMS = "study_exams"


class ExamRepository:
    """Repository of all students' exams."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def exams(self, student_id: str, *, since: datetime) -> list[Exam]:
        """Exams from a moment on, the next first: one store read."""
        rows = self._of(student_id).find(EXAMS, {"at": {"$gte": stamp(since)}}, order=[("at", 1)])
        return read_all(_read, rows)

    def exam(self, student_id: str, id: str) -> Exam | None:
        row = self._of(student_id).get(EXAMS, id)
        return _read(row) if row else None

    def add(self, student_id: str, exam: Exam) -> Exam:
        """Add an exam; the stored one where its id is taken."""
        try:
            self._of(student_id).insert(EXAMS, {"id": exam.id, **_fields(exam)})
        except DuplicateDocument:
            return self.exam(student_id, exam.id) or exam
        return exam

    def replace(self, student_id: str, before: Exam, after: Exam) -> bool:
        """Replace an exam that is still at the version of `before`; False when it changed meanwhile or is gone."""
        mine = self._of(student_id)
        changes = keep_later_fields(Exam, _fields(after), mine.get(EXAMS, before.id))
        changes["version"] = before.version + 1
        return mine.compare_and_set(EXAMS, before.id, {"version": before.version}, changes) is not None

    def delete(self, student_id: str, id: str) -> bool:
        return bool(self._of(student_id).delete(EXAMS, {"id": id}))

    def _of(self, student_id: str) -> StudentDocuments:
        return self._store.for_student(student_id)


def _fields(exam: Exam) -> Document:
    return {
        "course_key": exam.course_key,
        "title": exam.title,
        "at": stamp(exam.at),
        "source": exam.source,
        "material_ids": list(exam.material_ids),
        "sessions": [dump_session(session) for session in exam.sessions],
        "made_at": stamp(exam.made_at),
        "version": exam.version,
    }


@record_reader(EXAMS)
def _read(row: Document) -> Exam:
    return read_record(Exam, row)


def dump_session(session: PlannedSession) -> Document:
    """Plain JSON of a session."""
    return {
        **vars(session),
        "kind": str(session.kind),
        "start": stamp(session.start),
        "material_ids": list(session.material_ids),
        "done_at": stamp(session.done_at) if session.done_at else None,
    }


def load_session(written: Mapping[str, Any]) -> PlannedSession:
    """Session from what `dump_session` gave."""
    return read_record(PlannedSession, written)
