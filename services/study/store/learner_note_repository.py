"""`LearnerNoteRepository`: one student's learner notes, as documents."""

from typing import Any

from services.runtime.clock import moment, stamp
from services.safety.field_log import Fields, read_fields
from services.safety.provenance import Provenance
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store
from services.study.learner_note import LearnerNote

_COLLECTION = "study_notes"
_AUTHORS: Fields = {
    **dict.fromkeys(("topic", "words"), Provenance.ASSISTANT),
    **dict.fromkeys(("id", "course_key", "noted_at"), Provenance.SERVICE),
}
"""A page may have asked the assistant for the words of a note."""


class LearnerNoteRepository:
    """Learner notes of one student."""

    def __init__(self, store: Store, student_id: str) -> None:
        self._mine = store.for_student(student_id)

    def all(self, course_key: str = "") -> list[LearnerNote]:
        """All of them, or those of a course, the newest first."""
        found = self._mine.find(_COLLECTION, {"course_key": course_key} if course_key else {})
        return sorted(read_all(_read, found), key=lambda note: note.noted_at, reverse=True)

    def get(self, id: str) -> LearnerNote | None:
        document = self._mine.get(_COLLECTION, id)
        return _read(document) if document else None

    def put(self, note: LearnerNote) -> None:
        """Store it, in the place of the one with its id."""
        self._mine.put(_COLLECTION, {"id": note.id, **_fields(note)})

    def replace(self, before: LearnerNote, after: LearnerNote) -> bool:
        """Store what it is now, unless somebody has changed or deleted it since."""
        return self._mine.compare_and_set(_COLLECTION, before.id, _fields(before), _fields(after)) is not None

    def delete(self, id: str) -> bool:
        """Delete it; whether it was there."""
        return self._mine.delete(_COLLECTION, {"id": id}) == 1


def _fields(note: LearnerNote) -> dict[str, Any]:
    return {
        "course_key": note.course_key,
        "topic": note.topic,
        "words": note.words,
        "noted_at": stamp(note.noted_at),
        "is_own": note.is_own,
    }


@record_reader(_COLLECTION)
def _read(document: Document) -> LearnerNote:
    document = read_fields(document, _AUTHORS)
    return LearnerNote(
        id=document["id"],
        course_key=document["course_key"],
        topic=document["topic"],
        words=document["words"],
        noted_at=moment(document["noted_at"]),
        is_own=document["is_own"],
    )
