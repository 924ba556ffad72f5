"""`TurnRecords`: repository of turns and their status, changed only by compare-and-set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from services.assistants.assistant import DEFAULT_ASSISTANT
from services.llm.messages import StoredMessage
from services.runtime.clock import Clock, stamp
from services.storage.documents import Document
from services.storage.records import read_or_none, read_record, record_reader
from services.storage.store import DocumentViews, Store, StudentDocuments


class TurnStatus(StrEnum):
    """Status of a turn."""

    RUNNING = "running"
    WAITING = "waiting"
    """For the student's decision on one or more approvals."""
    DONE = "done"
    STOPPED = "stopped"
    """By the student; what was said is kept."""
    INTERRUPTED = "interrupted"
    """By a crash or by the model's side; offers Continue."""
    FAILED = "failed"
    """Before anything was said; offers Retry."""

    @property
    def is_over(self) -> bool:
        return self not in (TurnStatus.RUNNING, TurnStatus.WAITING)


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Notice of ours to the student: a cause and a next step."""

    sentence: str
    next_step: str = ""
    action: Literal["retry", "continue"] | None = None


@dataclass(frozen=True, kw_only=True)
class TurnRecord:
    """Record of a turn. first_seq: number of its first message. said: whether text or calls of it are stored.

    assistant, effort: those of the conversation when the turn began; no effort: the assistant's own.
    run: id of one try at it; Retry, Continue and an approval begin a new run, and an older one may change nothing any
    more. snapshot: items of the running turn, about a second old. unsaved, unsaved_seq: text of its unfinished step as
    of then, and the number that this step's message will have. messages: from its question on, as stored, where this
    process has answered it just now; else none.
    """

    id: str
    conversation_id: str
    status: TurnStatus
    run: str
    first_seq: int
    started_at: str
    assistant: str = DEFAULT_ASSISTANT
    effort: str | None = None
    said: bool = False
    notice: Notice | None = None
    unsaved: str = field(default="", repr=False)
    unsaved_seq: int = 0
    snapshot: list[dict[str, Any]] | None = field(default=None, repr=False)
    messages: Sequence[StoredMessage] = field(default=(), repr=False, compare=False)


class TurnRecords:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def new(
        self,
        turn_id: str,
        *,
        conversation_id: str,
        run: str,
        first_seq: int,
        assistant: str = DEFAULT_ASSISTANT,
        effort: str | None = None,
    ) -> TurnRecord:
        """Build the record of a turn that begins now; `insert` stores it."""
        return TurnRecord(
            id=turn_id,
            conversation_id=conversation_id,
            status=TurnStatus.RUNNING,
            run=run,
            first_seq=first_seq,
            started_at=stamp(self._clock()),
            assistant=assistant,
            effort=effort,
            unsaved_seq=first_seq + 1,
        )

    def insert(self, student_id: str, record: TurnRecord, *, within: DocumentViews | None = None) -> None:
        """Store a record. within: a batch of writes."""
        (within or self._store).for_student(student_id).insert("turns", _document(record))

    def get(self, student_id: str, turn_id: str) -> TurnRecord | None:
        found = self._store.for_student(student_id).get("turns", turn_id)
        return None if found is None else turn_record(found)

    def last(self, student_id: str, conversation_id: str) -> TurnRecord | None:
        where = {"conversation_id": conversation_id}
        found = self._store.for_student(student_id).find("turns", where, order=[("started_at", -1)], limit=1)
        return read_or_none(turn_record, found[0]) if found else None

    def is_live(self, student_id: str, turn: TurnRecord) -> bool:
        return is_live(self._store.for_student(student_id), turn)

    def advance(
        self, student_id: str, turn_id: str, run: str, *, within: DocumentViews | None = None, **changes: Any
    ) -> bool:
        """Change a turn in this run of it; False when it has ended or was taken over, so that its worker must stop.

        within: a batch of writes, which then fails instead.
        """
        mine = {"status": TurnStatus.RUNNING.value, "run": run}
        views = within or self._store
        return views.for_student(student_id).compare_and_set("turns", turn_id, mine, changes) is not None

    def resume(self, student_id: str, turn_id: str, source: TurnStatus, run: str) -> TurnRecord | None:
        """Begin a new run of a turn that has stopped, for exactly one caller; None for all others."""
        changes = {"status": TurnStatus.RUNNING.value, "run": run, "notice": None}
        return self._swapped(student_id, turn_id, {"status": source.value}, changes)

    def end(
        self,
        student_id: str,
        turn_id: str,
        status: TurnStatus,
        notice: Notice | None = None,
        *,
        run: str | None = None,
        source: TurnStatus = TurnStatus.RUNNING,
        within: DocumentViews | None = None,
    ) -> TurnRecord | None:
        """End a turn (or let it wait), for exactly one caller; None when it was not in `source`, or in another run.

        within: a batch of writes, which then fails instead; nothing is returned.
        """
        expected = {"status": source.value, **({"run": run} if run else {})}
        changes = {
            "status": status.value,
            "notice": _written(notice),
            "snapshot": None,
            "unsaved": "",
            "ended_at": stamp(self._clock()),
        }
        return self._swapped(student_id, turn_id, expected, changes, within)

    def _swapped(
        self,
        student_id: str,
        turn_id: str,
        expected: Mapping[str, Any],
        changes: Mapping[str, Any],
        within: DocumentViews | None = None,
    ) -> TurnRecord | None:
        views = within or self._store
        swapped = views.for_student(student_id).compare_and_set("turns", turn_id, expected, changes)
        return None if swapped is None else turn_record(swapped)


def is_live(mine: StudentDocuments, turn: TurnRecord) -> bool:
    """Whether a turn runs or is about to: an approved write is running, or all approvals are decided."""
    if turn.status is not TurnStatus.WAITING:
        return turn.status is TurnStatus.RUNNING
    undecided = {"conversation_id": turn.conversation_id, "status": {"$in": ["pending", "executing"]}}
    statuses = {approval["status"] for approval in mine.find("approvals", undecided)}
    return "executing" in statuses or not statuses


def _document(record: TurnRecord) -> Document:
    return {
        "id": record.id,
        "conversation_id": record.conversation_id,
        "status": record.status.value,
        "run": record.run,
        "first_seq": record.first_seq,
        "started_at": record.started_at,
        "assistant": record.assistant,
        "effort": record.effort,
        "said": record.said,
        "unsaved_seq": record.unsaved_seq,
    }


@record_reader("turns")
def turn_record(document: Document) -> TurnRecord:
    return TurnRecord(
        id=document["id"],
        conversation_id=document["conversation_id"],
        status=TurnStatus(document["status"]),
        run=document["run"],
        first_seq=document["first_seq"],
        started_at=document["started_at"],
        assistant=document.get("assistant", DEFAULT_ASSISTANT),
        effort=document.get("effort"),
        said=document["said"],
        notice=_notice(document.get("notice")),
        unsaved=document.get("unsaved") or "",
        unsaved_seq=document.get("unsaved_seq", 0),
        snapshot=document.get("snapshot"),
    )


def _written(notice: Notice | None) -> dict[str, Any] | None:
    if notice is None:
        return None
    return {"sentence": notice.sentence, "next_step": notice.next_step, "action": notice.action}


def _notice(written: Mapping[str, Any] | None) -> Notice | None:
    return None if written is None else read_record(Notice, written)
