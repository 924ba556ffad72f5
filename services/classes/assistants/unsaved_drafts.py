"""`UnsavedDrafts`: what an instructor has typed into an assistant's form and not saved yet, for themselves alone."""

from dataclasses import dataclass, field
from datetime import timedelta

from services.assistants.class_assistant import AssistantDraft
from services.classes.assistants.assistant_record import UNSAVED, written_draft
from services.classes.assistants.class_assistants import ClassAssistants
from services.identity.students import Student
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_record, record_reader
from services.storage.store import Store

KEPT = timedelta(days=30)


@dataclass(frozen=True, kw_only=True)
class UnsavedDraft:
    """Form of an assistant. began, seen: the draft that it began with, and its version. typed: what it holds now."""

    began: AssistantDraft = field(repr=False)
    seen: int
    typed: AssistantDraft = field(repr=False)


class UnsavedDrafts:
    """Every method takes who asks, and is for instructors of the assistant's class; nobody else reads what they typed,
    and neither the draft nor what is published changes by it.
    """

    def __init__(self, store: Store, assistants: ClassAssistants, clock: Clock) -> None:
        self._store, self._assistants, self._clock = store, assistants, clock

    def get(self, student: Student, id: str) -> UnsavedDraft | None:
        """What this instructor typed last into the form of an assistant; None when all of it is saved, or 30 days old.
        Raises `ItemNotFound`, `PermissionMissing`.
        """
        self._assistants.get(student, id)
        found = self._store.for_student(student.id).get(UNSAVED, id)
        return None if found is None else _read(found)

    def keep(self, student: Student, id: str, unsaved: UnsavedDraft) -> None:
        """Keep it in the place of what was kept before. Raises as `get` does."""
        record = self._assistants.get(student, id)
        self._store.for_student(student.id).put(
            UNSAVED,
            {
                "id": record.id,
                "assistant_id": record.id,
                "class_id": record.class_id,
                "began": written_draft(unsaved.began),
                "seen": unsaved.seen,
                "typed": written_draft(unsaved.typed),
                "kept_until": stamp(self._clock() + KEPT),
            },
        )

    def forget(self, student: Student, id: str) -> None:
        """Delete it: all is saved, or the instructor wants it no more. Raises as `get` does."""
        self._assistants.get(student, id)
        self._store.for_student(student.id).delete(UNSAVED, {"id": id})


@record_reader(UNSAVED)
def _read(document: Document) -> UnsavedDraft:
    return read_record(UnsavedDraft, document)
