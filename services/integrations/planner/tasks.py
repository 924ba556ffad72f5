"""`Tasks`: what one student wants to do, kept in our own store."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from services.clock import moment, stamp
from services.errors import DuplicateDocument
from services.integrations import wording
from services.storage.documents import Document
from services.storage.store import Store

_COLLECTION = "tasks"


class TaskStatus(StrEnum):
    OPEN = "open"


@dataclass(frozen=True, kw_only=True)
class Task:
    """due_at: the end of the student's day when `has_time` is false. version: grows with every change."""

    id: str
    title: str
    due_at: datetime | None = None
    has_time: bool = False
    notes: str = ""
    status: TaskStatus = TaskStatus.OPEN
    created_at: datetime
    version: int = 1

    def due(self, zone: ZoneInfo) -> str:
        """When it is due, in the student's zone and in words."""
        if self.due_at is None:
            return "no due date"
        local = self.due_at.astimezone(zone)
        return f"due {wording.moment(local, zone) if self.has_time else wording.day(local.date())}"

    def line(self, now: datetime, zone: ZoneInfo) -> str:
        """One line of a tool's output."""
        overdue = "overdue" if self.due_at and self.due_at < now else ""
        parts = [f"**{wording.one_line(self.title)}**", self.due(zone), overdue, wording.one_line(self.notes)]
        return f"- {' — '.join(part for part in parts if part)} (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """The same as plain JSON; `due_at` is ISO 8601 in UTC."""
        due_at = self.due_at.astimezone(UTC).isoformat() if self.due_at else None
        return {"id": self.id, "title": self.title, "due_at": due_at, "notes": self.notes, "status": str(self.status)}


class Tasks:
    """One student's tasks."""

    def __init__(self, store: Store, student_id: str) -> None:
        self._mine = store.of(student_id)

    def add(self, task: Task) -> Task:
        """Keep it; when its id is taken, an earlier try of the same operation took it, and that task is given back."""
        try:
            self._mine.insert(_COLLECTION, _to_document(task))
        except DuplicateDocument:
            return self.get(task.id) or task
        return task

    def get(self, id: str) -> Task | None:
        document = self._mine.get(_COLLECTION, id)
        return _from_document(document) if document else None

    def open(self) -> list[Task]:
        """The open ones, the earliest due first, those without a date last."""
        found = [
            _from_document(document) for document in self._mine.find(_COLLECTION, {"status": str(TaskStatus.OPEN)})
        ]
        return sorted(found, key=lambda task: (task.due_at is None, task.due_at or task.created_at, task.created_at))

    def remove(self, id: str, *, version: int) -> bool:
        """Delete it if it still has this version."""
        return self._mine.delete(_COLLECTION, {"id": id, "version": version}) == 1


def _to_document(task: Task) -> Document:
    return {
        "id": task.id,
        "title": task.title,
        "due_at": stamp(task.due_at) if task.due_at else None,
        "has_time": task.has_time,
        "notes": task.notes,
        "status": str(task.status),
        "created_at": stamp(task.created_at),
        "version": task.version,
    }


def _from_document(document: Document) -> Task:
    return Task(
        id=document["id"],
        title=document["title"],
        due_at=moment(document["due_at"]) if document["due_at"] else None,
        has_time=document["has_time"],
        notes=document["notes"],
        status=TaskStatus(document["status"]),
        created_at=moment(document["created_at"]),
        version=document["version"],
    )
