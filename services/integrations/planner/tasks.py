"""Tasks of one student, in the store: what each is, and every change with its undo."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from services.errors import DuplicateDocument
from services.i18n import english, formats, gettext, gettext_noop
from services.runtime.clock import moment, stamp
from services.safety.field_log import Fields, read_fields
from services.safety.provenance import Provenance
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store

LABEL = gettext_noop("Homeroom planner")
_COLLECTION = "tasks"
_FIELDS: Fields = {
    **dict.fromkeys(("title", "notes", "reason"), Provenance.ASSISTANT),
    **dict.fromkeys(("id", "status", "depends_on"), Provenance.SERVICE),
    **dict.fromkeys(("due_at", "due_zone", "done_at", "created_at"), Provenance.SERVICE),
}
"""Words of a task are the assistant's, approved on a card: a page may have asked it for them."""
END_OF_DAY = time(23, 59, 59)


class TaskStatus(StrEnum):
    OPEN = "open"
    STARTED = "started"
    BLOCKED = "blocked"
    """Something outside is in the way; the reason says what."""
    DONE = "done"


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task. due_at: the end of the student's day when `has_time` is false. version: grows with every change.

    depends_on: ids of its prerequisites. reason: why it is blocked. done_at: when it was completed.
    """

    id: str
    title: str
    due_at: datetime | None = None
    has_time: bool = False
    notes: str = ""
    status: TaskStatus = TaskStatus.OPEN
    depends_on: tuple[str, ...] = ()
    reason: str = ""
    done_at: datetime | None = None
    created_at: datetime
    version: int = 1

    @property
    def is_done(self) -> bool:
        return self.status is TaskStatus.DONE

    def due_text(self, zone: ZoneInfo) -> str:
        """Due date for the model: "due Fri 27 Nov 2026"."""
        if self.due_at is None:
            return "no due date"
        local = self.due_at.astimezone(zone)
        return f"due {english.moment(local, zone) if self.has_time else english.day(local.date())}"

    def localized_due(self, zone: ZoneInfo) -> str:
        """Due date for a card, without "due", in the student's language."""
        if self.due_at is None:
            return gettext("no due date")
        local = self.due_at.astimezone(zone)
        return formats.moment(local, zone) if self.has_time else formats.day(local.date())

    def due_phrase(self, zone: ZoneInfo) -> str:
        """Due date inside a sentence, in the student's language."""
        shown = self.localized_due(zone)
        return gettext("due {when}", when=shown) if self.due_at else shown

    def data(self) -> dict[str, Any]:
        """Plain JSON for a tool's `data`; times are ISO 8601 in UTC."""
        due_at, done_at = (at.astimezone(UTC).isoformat() if at else None for at in (self.due_at, self.done_at))
        return {
            "id": self.id,
            "title": self.title,
            "due_at": due_at,
            "has_time": self.has_time,
            "notes": self.notes,
            "status": str(self.status),
            "is_done": self.is_done,
            "service": LABEL,
            "depends_on": list(self.depends_on),
            "reason": self.reason,
            "done_at": done_at,
        }


@dataclass(frozen=True, kw_only=True)
class TaskChange:
    """Change of a task by an approved operation: the task after it, and the fields before it."""

    task: Task
    before: Mapping[str, Any] = field(repr=False)

    @property
    def undo(self) -> dict[str, Any]:
        return {"task_id": self.task.id, "version": self.task.version, "before": dict(self.before)}


class Tasks:
    """Repository of one student's tasks; a due day stays the same day when they move to another time zone.

    zone: the student's, in which the days of `due_at` are read and written.
    """

    def __init__(self, store: Store, student_id: str, zone: ZoneInfo) -> None:
        self._mine, self._zone = store.for_student(student_id), zone

    def add(self, task: Task) -> Task:
        """Insert a task; when its id is taken, an earlier try of the same operation did so: that task is returned."""
        try:
            self._mine.insert(_COLLECTION, {"id": task.id, "due_zone": self._zone.key, **_fields(task)})
        except DuplicateDocument:
            return self.get(task.id) or task
        return task

    def get(self, id: str) -> Task | None:
        document = self._mine.get(_COLLECTION, id)
        return self._read(document) if document else None

    def all(self) -> list[Task]:
        """All tasks, done ones too, the earliest due first, those without a date last."""
        found = read_all(record_reader(_COLLECTION)(self._read), self._mine.find(_COLLECTION, {}))
        return sorted(found, key=lambda task: (task.due_at is None, task.due_at or task.created_at, task.created_at))

    def changed_by(self, operation_id: str) -> TaskChange | None:
        """Change that an earlier try of this operation made, if it is the last one of its task."""
        found = self._mine.find(_COLLECTION, {"last.operation": operation_id}, limit=1)
        return TaskChange(task=self._read(found[0]), before=found[0]["last"]["before"]) if found else None

    def change(self, task: Task, operation_id: str | None, **changes: Any) -> TaskChange | None:
        """Change fields of a task, with an optimistic lock; None when it was changed since it was read."""
        written, now = _written(changes), _fields(task)
        before = {name: now[name] for name in written}
        zone = {"due_zone": self._zone.key} if "due_at" in written else {}
        bookkeeping = {"version": task.version + 1, "last": {"operation": operation_id, "before": before}, **zone}
        changed = self._mine.compare_and_set(
            _COLLECTION, task.id, {"version": task.version}, {**written, **bookkeeping}
        )
        return TaskChange(task=self._read(changed), before=before) if changed else None

    def restore(self, id: str, operation_id: str | None, *, version: int, before: Mapping[str, Any]) -> bool:
        """Restore the fields before a change, if the task still has the version that the change left, or an earlier try
        of this very undo has done so.
        """
        changes = {**before, "version": version + 1, "last": {"operation": f"{operation_id}/undo", "before": {}}}
        if self._mine.compare_and_set(_COLLECTION, id, {"version": version}, changes) is not None:
            return True
        return operation_id is not None and self.changed_by(f"{operation_id}/undo") is not None

    def remove(self, id: str, *, version: int) -> Mapping[str, Any] | None:
        """Delete a task if it still has this version; its document, for `put_back`."""
        document = self._mine.get(_COLLECTION, id)
        if document is None or self._mine.delete(_COLLECTION, {"id": id, "version": version}) != 1:
            return None
        return document

    def put_back(self, document: Document) -> None:
        """Insert a deleted task again; does nothing when it is there."""
        try:
            self._mine.insert(_COLLECTION, document)
        except DuplicateDocument:
            return

    def _read(self, document: Document) -> Task:
        task = _from_document(read_fields(document, _FIELDS))
        if task.due_at is None or task.has_time or not document.get("due_zone"):
            return task
        day = task.due_at.astimezone(ZoneInfo(document["due_zone"])).date()
        return replace(task, due_at=datetime.combine(day, END_OF_DAY, self._zone).astimezone(UTC))


def _fields(task: Task) -> Document:
    return _written(
        {
            "title": task.title,
            "due_at": task.due_at,
            "has_time": task.has_time,
            "notes": task.notes,
            "status": task.status,
            "depends_on": task.depends_on,
            "reason": task.reason,
            "done_at": task.done_at,
            "created_at": task.created_at,
            "version": task.version,
        }
    )


def _written(changes: Mapping[str, Any]) -> Document:
    return {name: _plain(value) for name, value in changes.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, TaskStatus):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


@record_reader(_COLLECTION)
def _from_document(document: Document) -> Task:
    return Task(
        id=document["id"],
        title=document["title"],
        due_at=moment(document["due_at"]) if document["due_at"] else None,
        has_time=document["has_time"],
        notes=document["notes"],
        status=TaskStatus(document["status"]),
        depends_on=tuple(document.get("depends_on", ())),
        reason=document.get("reason", ""),
        done_at=moment(document["done_at"]) if document.get("done_at") else None,
        created_at=moment(document["created_at"]),
        version=document["version"],
    )
