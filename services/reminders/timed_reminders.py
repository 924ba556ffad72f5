"""Reminders that a student set for a time; Homeroom sends each once when it comes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from services.errors import DuplicateDocument
from services.reminders.preferences import Channel
from services.runtime.clock import Clock, moment, stamp
from services.safety.field_log import Fields, read_fields
from services.safety.provenance import Provenance
from services.storage.documents import Document, Where
from services.storage.due_queue import DueQueue
from services.storage.records import read_all, record_reader
from services.storage.store import Store

COLLECTION = "reminders"
_FIELDS: Fields = {
    "text": Provenance.ASSISTANT,
    **dict.fromkeys(
        ("id", "remind_at", "due_at", "channel", "status", "created_at", "kept_until", "moves_with", "entry_at"),
        Provenance.SERVICE,
    ),
}
KEPT_FOR = timedelta(days=30)
MOST = 200
"""Reminders that wait, of one student."""
LOOK_EVERY, LAST_LOOK = timedelta(hours=3), timedelta(minutes=10)
"""How often it is looked whether what a reminder moves with has moved, and how long before it comes for the last time;
each reading of services stands in the student's activity."""


class ReminderStatus(StrEnum):
    """MISSED: its time went by while Homeroom or the channel was away."""

    WAITING = "waiting"
    SENT = "sent"
    MISSED = "missed"


@dataclass(frozen=True, kw_only=True)
class TimedReminder:
    """text: what to be reminded of, in the student's words. channel: what the card said it would come by.

    moves_with: `WeekEntry.key` of the work or event that it comes before, "" for none. entry_at: when that is, as it
    was last seen. lead: how long before that it comes.
    """

    id: str
    text: str = field(repr=False)
    remind_at: datetime
    channel: Channel
    status: ReminderStatus = ReminderStatus.WAITING
    created_at: datetime
    moves_with: str = ""
    entry_at: datetime | None = None
    lead: timedelta = timedelta()

    def next_look(self, now: datetime) -> datetime:
        """When there is something to do for it next."""
        last = self.remind_at - LAST_LOOK
        return min(now + LOOK_EVERY, last) if self.moves_with and now < last else self.remind_at


class TimedReminders:
    """Repository of the reminders of all students."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self.queue = DueQueue(store=store, job="remind", collection=COLLECTION, due_field="due_at", clock=clock)
        """Those of all students whose time has come, or a look at what they move with."""

    def add(self, student_id: str, reminder: TimedReminder) -> TimedReminder:
        """Insert one; when its id is taken, an earlier try of the same operation did so: that one is returned."""
        try:
            self._store.for_student(student_id).insert(COLLECTION, _written(reminder, self._clock()))
        except DuplicateDocument:
            return self.get(student_id, reminder.id) or reminder
        return reminder

    def get(self, student_id: str, id: str) -> TimedReminder | None:
        document = self._store.for_student(student_id).get(COLLECTION, id)
        return None if document is None else _read(read_fields(document, _FIELDS))

    def waiting(self, student_id: str) -> Sequence[TimedReminder]:
        """Those to come, the next first."""
        found = self._store.for_student(student_id).find(COLLECTION, {"status": str(ReminderStatus.WAITING)})
        return sorted(read_all(_read_whole, found), key=lambda reminder: reminder.remind_at)

    def remove(self, student_id: str, id: str) -> TimedReminder | None:
        """Delete one that waits; None when there is none, or it was sent by now."""
        known = self.get(student_id, id)
        where = {"id": id, "status": str(ReminderStatus.WAITING)}
        return known if known and self._store.for_student(student_id).delete(COLLECTION, where) else None

    def take_look(self, student_id: str, reminder: TimedReminder) -> bool:
        """Take the look that is due for what a reminder moves with, before others do."""
        now = self._clock()
        expected = {"status": str(ReminderStatus.WAITING), "due_at": {"$lte": stamp(now)}}
        changes = {"due_at": stamp(reminder.next_look(now))}
        return self._change(student_id, reminder.id, expected, changes)

    def move(self, student_id: str, reminder: TimedReminder, entry_at: datetime, remind_at: datetime) -> None:
        """Let one come at another time, as what it moves with is at another one; not one that was moved meanwhile."""
        moved = replace(reminder, entry_at=entry_at, remind_at=remind_at)
        expected = {"status": str(ReminderStatus.WAITING), "remind_at": stamp(reminder.remind_at)}
        self._change(student_id, reminder.id, expected, _written(moved, self._clock()))

    def close(self, student_id: str, reminder: TimedReminder, status: ReminderStatus) -> None:
        """Note that nothing is left to do for one."""
        changes = {"status": str(status), "due_at": None}
        self._change(student_id, reminder.id, {"status": str(ReminderStatus.WAITING)}, changes)

    def _change(self, student_id: str, id: str, expected: Where, changes: Document) -> bool:
        changes = {name: value for name, value in changes.items() if name != "id"}
        return self._store.for_student(student_id).compare_and_set(COLLECTION, id, expected, changes) is not None


def _written(reminder: TimedReminder, now: datetime) -> Document:
    return {
        "id": reminder.id,
        "text": reminder.text,
        "remind_at": stamp(reminder.remind_at),
        "due_at": stamp(reminder.next_look(now)) if reminder.status is ReminderStatus.WAITING else None,
        "channel": str(reminder.channel),
        "status": str(reminder.status),
        "created_at": stamp(reminder.created_at),
        "kept_until": stamp(reminder.remind_at + KEPT_FOR),
        "moves_with": reminder.moves_with,
        "entry_at": stamp(reminder.entry_at) if reminder.entry_at else None,
        "lead_s": reminder.lead.total_seconds(),
    }


@record_reader(COLLECTION)
def _read_whole(document: Document) -> TimedReminder:
    return _read(read_fields(document, _FIELDS))


@record_reader(COLLECTION)
def _read(document: Document) -> TimedReminder:
    return TimedReminder(
        id=document["id"],
        text=document["text"],
        remind_at=moment(document["remind_at"]),
        channel=Channel(document["channel"]),
        status=ReminderStatus(document["status"]),
        created_at=moment(document["created_at"]),
        moves_with=document.get("moves_with", ""),
        entry_at=moment(document["entry_at"]) if document.get("entry_at") else None,
        lead=timedelta(seconds=document.get("lead_s", 0)),
    )
