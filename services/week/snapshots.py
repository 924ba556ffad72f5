"""Week snapshots: a student's days as they were last read, for pages that must not wait for any service."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.connections.connection import Connection
from services.identity.students import Student
from services.runtime.clock import Clock, moment, stamp
from services.safety.text import one_line
from services.storage.documents import Document
from services.storage.records import read_or_none, record_reader
from services.storage.store import Store
from services.week.changes import Change
from services.week.course_tones import course_tones
from services.week.day_sources import DayPart, SourceReading
from services.week.free_time import Gap
from services.week.loader import without_duplicates
from services.week.snapshot_rows import (
    LONGEST_ID,
    change_row,
    entry_row,
    gap_row,
    read_change,
    read_entry,
    read_gap,
)
from services.week.week import EntryKind, Week, WeekEntry

COLLECTION = "week_notes"
_ID = "latest"
FRESH = timedelta(hours=20)
"""From one evening to the next morning, and never to the evening after."""
REFRESH_AFTER = timedelta(minutes=5)
"""A page that shows an older snapshot has it read again."""
MOST = 300
AHEAD = timedelta(days=14)
"""Further off than that nothing is worth a suggestion; a chat may read a whole term."""
TRIES = 4
"""Several calls of one turn write at the same time."""
_LATE, _EVENTS = f"{DayPart.LATE}:", f"{DayPart.EVENTS}:"
_ROWS = ("entries", "free", "changes")
_KEPT = ("sources", "versions", "read_at", "is_partial", "awaited")


@dataclass(frozen=True, kw_only=True)
class SourceState:
    """What is known of one tool that was asked. read_at: when it last answered; None when it has not.

    trouble: why it did not answer now, "" when it did. notes: what it could not read. is_sample: made up.
    """

    source: str
    read_at: datetime | None = None
    trouble: str = ""
    notes: tuple[str, ...] = ()
    is_sample: bool = False

    @property
    def part(self) -> str:
        return self.source.partition(":")[0]


@dataclass(frozen=True, kw_only=True)
class WeekSnapshot:
    """Days as of when they were read; empty when no fresh snapshot exists. All times are in the student's zone.

    entries: open work. events: of the calendars. late: ids of work that was told to be overdue, or by a chat that may
    have been told so. feed_due: ids of work of which a calendar feed tells alone, so that nobody knows whether it is
    done. read_at: when all of it was read at once; None when it never was, or something was changed since. is_current:
    it need not be read again. is_partial: some sources have not answered yet, and nothing was known before; awaited:
    the parts that lack an answer then.
    """

    entries: tuple[WeekEntry, ...] = field(default=(), repr=False)
    events: tuple[WeekEntry, ...] = field(default=(), repr=False)
    late: frozenset[str] = field(default=frozenset(), repr=False)
    feed_due: frozenset[str] = field(default=frozenset(), repr=False)
    free: tuple[Gap, ...] = ()
    changes: tuple[Change, ...] = field(default=(), repr=False)
    sources: tuple[SourceState, ...] = ()
    read_at: datetime | None = None
    is_current: bool = False
    is_partial: bool = False
    awaited: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was read yet."""
        return not (self.sources or self.entries)

    def entry(self, key: str) -> WeekEntry | None:
        """The work or event of this key; None when it is done, gone or too far off."""
        return next((entry for entry in (*self.entries, *self.events) if entry.key == key), None)


class WeekSnapshots:
    """Repository of snapshots, one for each student."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def save_readings(
        self, student: Student, readings: Sequence[SourceReading], connections: Mapping[str, Connection]
    ) -> None:
        """Save what every source told just now; of one that failed the rows that are known stay until they expire."""
        known = self._known(self._document(student), connections)
        self._put(student, connections, self._fields(readings, connections, known))
        courses = {entry.course for reading in readings for entry in reading.entries if entry.course}
        course_tones(self._store, student.id, courses)

    def save_first_readings(
        self,
        student: Student,
        readings: Sequence[SourceReading],
        connections: Mapping[str, Connection],
        *,
        awaited: Iterable[DayPart] = (),
    ) -> bool:
        """Save what some sources told while others have not answered; whether it was, as it is not in place of a whole
        snapshot. awaited: the parts that lack an answer.
        """
        known = self._known(self._document(student), connections)
        if known.get("sources") and not known.get("is_partial"):
            return False
        fields = self._fields(readings, connections, known)
        self._put(student, connections, {**fields, "read_at": "", "is_partial": True, "awaited": sorted(awaited)})
        return True

    def _fields(
        self, readings: Sequence[SourceReading], connections: Mapping[str, Connection], known: Document
    ) -> Document:
        now = self._clock()
        until = stamp(now + FRESH)
        failed = {reading.source for reading in readings if reading.trouble}
        kept = {name: [row for row in known.get(name, ()) if row.get("source") in failed] for name in _ROWS}
        entries = [
            entry_row(entry, until, reading.source)
            for reading in readings
            for entry in reading.entries
            if entry.kind is EntryKind.EVENT or not (entry.is_done or entry.is_taught)
        ]
        return {
            "entries": _unique([*entries, *kept["entries"]]),
            "free": [gap_row(gap, until, read.source) for read in readings for gap in read.free] + kept["free"],
            "changes": [change_row(c, until, read.source) for read in readings for c in read.changes] + kept["changes"],
            "sources": [_source_row(reading, known.get("sources", ()), now) for reading in readings],
            "versions": _versions(connections),
            "read_at": stamp(now),
        }

    def save_week(self, student: Student, week: Week, connections: Mapping[str, Connection]) -> None:
        """Save the week of today, in place of what is known of its days; another week says nothing about today."""
        if not week.first <= week.as_of.date() <= week.last:
            return
        until = stamp(week.as_of + FRESH)
        document = self._document(student)
        known = self._known(document, connections)
        zone = ZoneInfo(student.timezone)
        later = [row for row in known.get("entries", ()) if not _is_replaced(read_entry(row, zone), week)]
        own = [entry_row(entry, until) for entry in (*week.overdue, *week.entries) if _is_open_work(entry)]
        free = [gap_row(gap, until) for gap in week.free]
        self._put(student, connections, {**known, "entries": _unique([*own, *later]), "free": free})

    def merge_entries(
        self, student: Student, entries: Sequence[WeekEntry], connections: Mapping[str, Connection]
    ) -> None:
        """Add entries that were read just now; they replace what was known of the same, and the rest stays."""
        now = self._clock()
        near = [entry for entry in entries if now - AHEAD <= entry.start <= now + AHEAD and _is_own_work(entry)]
        read = {_key(entry) for entry in near}
        until = stamp(now + FRESH)
        for _ in range(TRIES if near else 0):
            document = self._document(student)
            known = self._known(document, connections)
            rows = known.get("entries", ())
            sources = {(row["kind"], row["id"]): str(row.get("source", "")) for row in rows}
            new = [entry_row(entry, until, sources.get(_key(entry), "")) for entry in near if not entry.is_done]
            unchanged = [row for row in rows if (row["kind"], row["id"]) not in read]
            fields = {**known, "entries": _unique([*new, *unchanged])}
            if self._put(student, connections, fields, over=document):
                return

    def mark_outdated(self, student: Student) -> None:
        """Let the next page that shows the snapshot have it read again."""
        self._store.for_student(student.id).compare_and_set(COLLECTION, _ID, {}, {"read_at": ""})

    def latest(self, student: Student, connections: Mapping[str, Connection]) -> WeekSnapshot:
        """The last snapshot, unless it is too old or the student has connected something else since: one read."""
        document = self._document(student)
        known, zone = self._known(document, connections), ZoneInfo(student.timezone)
        read = document.read if document is not None else {}
        rows = [(str(row.get("source", "")), read[id(row)]) for row in known.get("entries", ())]
        work = [(source, entry) for source, entry in rows if entry.kind is not EntryKind.EVENT]
        of_feeds = [entry for source, entry in work if source.startswith(_EVENTS)]
        told = [entry for source, entry in work if not source.startswith(_EVENTS)]
        of_feeds = without_duplicates(of_feeds, told)
        read_at = moment(known["read_at"]).astimezone(zone) if known.get("read_at") else None
        return WeekSnapshot(
            entries=(*told, *of_feeds),
            events=tuple(entry for _, entry in rows if entry.kind is EntryKind.EVENT),
            late=frozenset(entry.id for source, entry in work if not source or source.startswith(_LATE)),
            feed_due=frozenset(entry.id for entry in of_feeds),
            free=tuple(read[id(row)] for row in known.get("free", ())),
            changes=tuple(read[id(row)] for row in known.get("changes", ())),
            sources=tuple(read[id(row)] for row in known.get("sources", ())),
            read_at=read_at,
            is_current=read_at is not None
            and self._clock() - read_at < REFRESH_AFTER
            and known.get("versions") == _versions(connections),
            is_partial=bool(known.get("is_partial")),
            awaited=frozenset(known.get("awaited", ())),
        )

    def _document(self, student: Student) -> "_StoredSnapshot | None":
        """The stored snapshot; one that cannot be read counts as none, and is read and written anew."""
        zone = ZoneInfo(student.timezone)
        read = record_reader(COLLECTION)(lambda document: _read(document, zone))
        return read_or_none(read, self._store.for_student(student.id).get(COLLECTION, _ID))

    def _known(self, stored: "_StoredSnapshot | None", connections: Mapping[str, Connection]) -> Document:
        """The part of a snapshot that is still valid."""
        if stored is None or stored.document["accounts"] != account_stamps(connections):
            return {}
        document = stored.document
        now, ends = self._clock(), document["expires_at"]
        fields = {name: document[name] for name in _KEPT if name in document}
        rows = {name: [row for row in document.get(name, ()) if moment(row.get("until", ends)) > now] for name in _ROWS}
        return fields | rows

    def _put(
        self,
        student: Student,
        connections: Mapping[str, Connection],
        known: Document,
        *,
        over: "_StoredSnapshot | None" = None,
    ) -> bool:
        """Whether it was written; not when another call has changed what was read."""
        documents = self._store.for_student(student.id)
        empty: Document = {"entries": [], "free": [], "changes": [], "sources": [], "versions": [], "read_at": ""}
        empty |= {"is_partial": False, "awaited": []}
        fields = empty | known | {"accounts": account_stamps(connections), "expires_at": stamp(self._clock() + FRESH)}
        fields["entries"] = fields["entries"][:MOST]
        if over is not None:
            return (
                documents.compare_and_set(COLLECTION, _ID, {"expires_at": over.document["expires_at"]}, fields)
                is not None
            )
        documents.put(COLLECTION, {"id": _ID, **fields})
        return True


@dataclass(frozen=True, kw_only=True)
class _StoredSnapshot:
    """Snapshot as stored, all of which can be read. read: what each of its rows says, by the row's identity."""

    document: Document = field(repr=False)
    read: Mapping[int, Any] = field(repr=False)


def _read(document: Document, zone: ZoneInfo) -> _StoredSnapshot:
    """Read a stored snapshot as a whole, each row once."""
    rows: dict[int, Any] = {}
    readers = {"entries": read_entry, "free": read_gap, "changes": read_change, "sources": _read_source}
    for name, read_row in readers.items():
        for row in document.get(name, ()):
            rows[id(row)] = read_row(row, zone)
            if until := row.get("until"):
                moment(until)
    for name in ("expires_at", "read_at"):
        if at := document[name]:
            moment(at)
    if not isinstance(document["accounts"], list) or not isinstance(document.get("awaited", []), list):
        raise TypeError("A snapshot lists its accounts.")
    return _StoredSnapshot(document=document, read=rows)


def account_stamps(connections: Mapping[str, Connection]) -> list[str]:
    """Connected accounts and since when: a snapshot of other accounts is not used."""
    return sorted(f"{id} {stamp(connection.connected_at)}" for id, connection in connections.items())


def _versions(connections: Mapping[str, Connection]) -> list[str]:
    """Versions of the accounts' data, which grow with what the student has changed there."""
    return sorted(f"{id} {connection.data_version}" for id, connection in connections.items())


def _is_own_work(entry: WeekEntry) -> bool:
    return entry.kind is not EntryKind.EVENT and not (entry.is_sample or entry.is_taught)


def _is_open_work(entry: WeekEntry) -> bool:
    return _is_own_work(entry) and not entry.is_done


def _is_replaced(entry: WeekEntry, week: Week) -> bool:
    """Whether a week that was read just now tells all there is of an entry's day."""
    is_late = entry.is_past(week.as_of)
    return _is_own_work(entry) and (is_late or week.first <= entry.start.date() <= week.last)


def _key(entry: WeekEntry) -> tuple[str, str]:
    return str(entry.kind), one_line(entry.id, LONGEST_ID)


def _unique(rows: Iterable[Document]) -> list[Document]:
    """The first row of each entry."""
    return list({(row["kind"], row["id"]): row for row in reversed(list(rows))}.values())[::-1]


def _source_row(reading: SourceReading, known: Iterable[Document], now: datetime) -> Document:
    before = next((row["read_at"] for row in known if row["source"] == reading.source), "")
    return {
        "source": reading.source,
        "read_at": before if reading.trouble else stamp(now),
        "trouble": reading.trouble,
        "notes": list(reading.notes),
        "is_sample": reading.is_sample,
    }


def _read_source(row: Document, zone: ZoneInfo) -> SourceState:
    return SourceState(
        source=row["source"],
        read_at=moment(row["read_at"]).astimezone(zone) if row["read_at"] else None,
        trouble=row["trouble"],
        notes=tuple(row["notes"]),
        is_sample=row["is_sample"],
    )
