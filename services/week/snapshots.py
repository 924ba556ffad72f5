"""Week snapshots: the week as it was last read, for pages that must not call any service."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.connections.connection import Connection
from services.errors import StorageError
from services.identity.students import Student
from services.runtime.clock import Clock, moment, stamp
from services.safety.text import one_line
from services.storage.documents import Document
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool
from services.week.free_time import Gap
from services.week.tool_results import has_week_entries, parse_time, week_entries
from services.week.week import EntryKind, Week, WeekEntry, monday_of

log = logging.getLogger(__name__)

COLLECTION = "week_notes"
_ID = "latest"
FRESH = timedelta(hours=20)
"""From one evening to the next morning, and never to the evening after."""
MOST = 40
LONGEST_TITLE = 200
LONGEST_ID = 500
AHEAD = timedelta(days=14)
"""Further off than that nothing is worth a suggestion; a chat may read a whole term."""
TRIES = 4
"""Several calls of one turn write at the same time."""


@dataclass(frozen=True, kw_only=True)
class WeekSnapshot:
    """Open work and free time as of when they were read; both empty when no fresh snapshot exists."""

    entries: tuple[WeekEntry, ...] = field(default=(), repr=False)
    free: tuple[Gap, ...] = ()


class WeekSnapshots:
    """Repository of snapshots, one for each student. The sample course is left out: it is always at hand."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def save_week(self, student: Student, week: Week, connections: Mapping[str, Connection]) -> None:
        """Save the week of today; another week says nothing about today."""
        if week.first != monday_of(week.as_of.date()):
            return
        until = stamp(week.as_of + FRESH)
        free = [{"start": stamp(gap.start), "end": stamp(gap.end), "until": until} for gap in week.free]
        self._put(student, connections, _written([*week.overdue, *week.entries], until), free)

    def merge_entries(
        self, student: Student, entries: Sequence[WeekEntry], connections: Mapping[str, Connection]
    ) -> None:
        """Add entries that were read just now; they replace what was known of the same, and the rest stays."""
        now = self._clock()
        near = [entry for entry in entries if now - AHEAD <= entry.start <= now + AHEAD and _is_own_work(entry)]
        new, read = _written(near, stamp(now + FRESH)), {_key(entry) for entry in near}
        for _ in range(TRIES if near else 0):
            document = self._document(student)
            known = self._known(document, connections)
            unchanged = [entry for entry in known.get("entries", ()) if (entry["kind"], entry["id"]) not in read]
            if self._put(student, connections, [*new, *unchanged], known.get("free", ()), over=document):
                return

    def latest(self, student: Student, connections: Mapping[str, Connection]) -> WeekSnapshot:
        """The last snapshot, unless it is too old or the student has connected something else since: one read."""
        known, zone = self._known(self._document(student), connections), ZoneInfo(student.timezone)
        return WeekSnapshot(
            entries=tuple(_read(entry, zone) for entry in known.get("entries", ())),
            free=tuple(
                Gap(start=parse_time(gap["start"], zone), end=parse_time(gap["end"], zone))
                for gap in known.get("free", ())
            ),
        )

    def _document(self, student: Student) -> Document | None:
        return self._store.for_student(student.id).get(COLLECTION, _ID)

    def _known(
        self, document: Document | None, connections: Mapping[str, Connection]
    ) -> Mapping[str, Sequence[Document]]:
        """The part of a snapshot that is still valid."""
        if document is None or document["accounts"] != _accounts(connections):
            return {}
        now, ends = self._clock(), document["expires_at"]
        return {
            name: [row for row in document[name] if moment(row.get("until", ends)) > now]
            for name in ("entries", "free")
        }

    def _put(
        self,
        student: Student,
        connections: Mapping[str, Connection],
        entries: Sequence[Document],
        free: Sequence[Document],
        *,
        over: Document | None = None,
    ) -> bool:
        """Whether it was written; not when another call has changed what was read."""
        documents = self._store.for_student(student.id)
        fields = {
            "accounts": _accounts(connections),
            "entries": list(entries[:MOST]),
            "free": list(free),
            "expires_at": stamp(self._clock() + FRESH),
        }
        if over is not None:
            return documents.compare_and_set(COLLECTION, _ID, {"expires_at": over["expires_at"]}, fields) is not None
        documents.put(COLLECTION, {"id": _ID, **fields})
        return True


def _is_own_work(week_entry: WeekEntry) -> bool:
    return week_entry.kind is not EntryKind.EVENT and not (week_entry.is_sample or week_entry.is_taught)


def _key(week_entry: WeekEntry) -> tuple[str, str]:
    return str(week_entry.kind), one_line(week_entry.id, LONGEST_ID)


def _accounts(connections: Mapping[str, Connection]) -> list[str]:
    """Connected accounts and since when: a snapshot of other accounts is not used."""
    return sorted(f"{id} {stamp(connection.connected_at)}" for id, connection in connections.items())


def _written(entries: Iterable[WeekEntry], until: str) -> list[Document]:
    """Open work, each once, with titles and ids cut to what any store takes. until: when it expires."""
    open_ones = {_key(entry): entry for entry in entries if _is_own_work(entry) and not entry.is_done}
    return [
        {
            "id": id,
            "kind": kind,
            "title": one_line(entry.title, LONGEST_TITLE),
            "course": one_line(entry.course, LONGEST_TITLE),
            # A whole day is that day wherever the student reads it.
            "start": f"{entry.start.date()}" if entry.is_whole_day else stamp(entry.start),
            "is_whole_day": entry.is_whole_day,
            "is_exam": entry.is_exam,
            "until": until,
        }
        for (kind, id), entry in open_ones.items()
    ]


def _read(document: Document, zone: ZoneInfo) -> WeekEntry:
    return WeekEntry(
        kind=EntryKind(document["kind"]),
        id=document["id"],
        title=document["title"],
        course=document["course"],
        start=parse_time(document["start"], zone),
        is_whole_day=document.get("is_whole_day", False),
        is_exam=document["is_exam"],
    )


class WeekObservingToolsProvider(WrappingToolsProvider):
    """Wrapper that saves what a chat reads of the student's days, so that the next chat can suggest by it.

    It calls nothing itself. The week's page saves its own snapshot, with free time.
    """

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        result = self._wrapped.execute(name, arguments, context)
        tool = self.tool(name)
        if tool and _is_observed(tool) and result.success and context.conversation_id:
            _keep(tool, result, context)
        return result


def _is_observed(tool: Tool) -> bool:
    return tool.effect is Effect.READ and has_week_entries(tool)


def _keep(tool: Tool, result: ToolResult, context: ToolExecutionContext) -> None:
    notes = WeekSnapshots(context.container.store, context.container.clock)
    try:
        notes.merge_entries(context.student, list(week_entries(tool, result, context.timezone)), context.connections)
    except StorageError:
        # The student asked for the answer, not for the suggestions of their next chat.
        log.warning("week_not_noted tool=%s", tool.name)
