"""Reminders that a student set for a time; Homeroom sends each once when it comes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from services.errors import DuplicateDocument
from services.reminders.preferences import Channel
from services.runtime.clock import Clock, moment, stamp
from services.safety.field_log import Fields, read_fields
from services.safety.provenance import Provenance
from services.storage.documents import Document
from services.storage.store import Store

COLLECTION = "reminders"
_FIELDS: Fields = {
    "text": Provenance.ASSISTANT,
    **dict.fromkeys(("id", "remind_at", "due_at", "channel", "status", "created_at", "kept_until"), Provenance.SERVICE),
}
KEPT_FOR = timedelta(days=30)
MOST = 200
"""Reminders that wait, of one student."""


class ReminderStatus(StrEnum):
    """MISSED: its time went by while Homeroom or the channel was away."""

    WAITING = "waiting"
    SENT = "sent"
    MISSED = "missed"


@dataclass(frozen=True, kw_only=True)
class TimedReminder:
    """text: what to be reminded of, in the student's words. channel: what the card said it would come by."""

    id: str
    text: str = field(repr=False)
    remind_at: datetime
    channel: Channel
    status: ReminderStatus = ReminderStatus.WAITING
    created_at: datetime


class TimedReminders:
    """Repository of the reminders of all students."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def add(self, student_id: str, reminder: TimedReminder) -> TimedReminder:
        """Insert one; when its id is taken, an earlier try of the same operation did so: that one is returned."""
        try:
            self._store.for_student(student_id).insert(COLLECTION, _written(reminder))
        except DuplicateDocument:
            return self.get(student_id, reminder.id) or reminder
        return reminder

    def get(self, student_id: str, id: str) -> TimedReminder | None:
        document = self._store.for_student(student_id).get(COLLECTION, id)
        return None if document is None else _read(read_fields(document, _FIELDS))

    def waiting(self, student_id: str) -> Sequence[TimedReminder]:
        """Those to come, the next first."""
        found = self._store.for_student(student_id).find(COLLECTION, {"status": str(ReminderStatus.WAITING)})
        read = [_read(read_fields(document, _FIELDS)) for document in found]
        return sorted(read, key=lambda reminder: reminder.remind_at)

    def remove(self, student_id: str, id: str) -> TimedReminder | None:
        """Delete one that waits; None when there is none, or it was sent by now."""
        known = self.get(student_id, id)
        where = {"id": id, "status": str(ReminderStatus.WAITING)}
        return known if known and self._store.for_student(student_id).delete(COLLECTION, where) else None

    def due(self, limit: int) -> Iterator[tuple[str, TimedReminder]]:
        """Those whose time has come, of every student."""
        for student_id, id in self._store.owners(COLLECTION, {"due_at": {"$lte": stamp(self._clock())}}, limit=limit):
            if reminder := self.get(student_id, id):
                yield student_id, reminder

    def close(self, student_id: str, reminder: TimedReminder, status: ReminderStatus) -> None:
        """Note that nothing is left to do for one."""
        changes = {"status": str(status), "due_at": None}
        expected = {"status": str(ReminderStatus.WAITING)}
        self._store.for_student(student_id).compare_and_set(COLLECTION, reminder.id, expected, changes)


def _written(reminder: TimedReminder) -> Document:
    return {
        "id": reminder.id,
        "text": reminder.text,
        "remind_at": stamp(reminder.remind_at),
        "due_at": stamp(reminder.remind_at) if reminder.status is ReminderStatus.WAITING else None,
        "channel": str(reminder.channel),
        "status": str(reminder.status),
        "created_at": stamp(reminder.created_at),
        "kept_until": stamp(reminder.remind_at + KEPT_FOR),
    }


def _read(document: Document) -> TimedReminder:
    return TimedReminder(
        id=document["id"],
        text=document["text"],
        remind_at=moment(document["remind_at"]),
        channel=Channel(document["channel"]),
        status=ReminderStatus(document["status"]),
        created_at=moment(document["created_at"]),
    )
