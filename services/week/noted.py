"""`WeekNotes`: what a student's days held when their week was last read, for a page that must not ask any service."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.clock import Clock, moment, stamp
from services.connections.connection import Connection
from services.storage.documents import Document
from services.storage.store import Store
from services.students import Student
from services.week.week import Entry, Gap, Kind, Week, monday_of

COLLECTION = "week_notes"
_ID = "latest"
FRESH = timedelta(hours=20)
"""From one evening to the next morning, and never to the evening after."""
MOST = 40
LONGEST_TITLE = 200


@dataclass(frozen=True, kw_only=True)
class Noted:
    """Open work and free time as of when they were read; both empty when nothing fresh is known."""

    entries: tuple[Entry, ...] = field(default=(), repr=False)
    free: tuple[Gap, ...] = ()


class WeekNotes:
    """One document for each student. The sample course is left out: it is always at hand."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def keep(self, student: Student, week: Week, connections: Mapping[str, Connection]) -> None:
        """Note the week of today; another week tells nothing about today."""
        if week.first != monday_of(week.as_of.date()):
            return
        open_ones = {(one.kind, one.id): one for one in (*week.overdue, *week.entries) if _is_worth_noting(one)}
        document = {
            "id": _ID,
            "accounts": _accounts(connections),
            "entries": [_written(one) for one in list(open_ones.values())[:MOST]],
            "free": [{"start": stamp(gap.start), "end": stamp(gap.end)} for gap in week.free],
            "expires_at": stamp(week.as_of + FRESH),
        }
        self._store.of(student.id).put(COLLECTION, document)

    def latest(self, student: Student, connections: Mapping[str, Connection]) -> Noted:
        """What was noted last, unless it is too old or the student has connected something else since: one read."""
        document = self._store.of(student.id).get(COLLECTION, _ID)
        if document is None or document["accounts"] != _accounts(connections):
            return Noted()
        if moment(document["expires_at"]) <= self._clock():
            return Noted()
        zone = ZoneInfo(student.timezone)
        return Noted(
            entries=tuple(_read(document, zone)),
            free=tuple(Gap(start=_at(one["start"], zone), end=_at(one["end"], zone)) for one in document["free"]),
        )


def _is_worth_noting(one: Entry) -> bool:
    return one.kind is not Kind.EVENT and not (one.is_done or one.is_sample or one.is_taught)


def _accounts(connections: Mapping[str, Connection]) -> list[str]:
    """Whose data it is: what is connected, and since when."""
    return sorted(f"{id} {stamp(one.connected_at)}" for id, one in connections.items())


def _written(one: Entry) -> Document:
    return {
        "id": one.id,
        "kind": str(one.kind),
        "title": one.title[:LONGEST_TITLE],
        "course": one.course[:LONGEST_TITLE],
        "start": stamp(one.start),
        "is_exam": one.is_exam,
    }


def _read(document: Document, zone: ZoneInfo) -> Iterator[Entry]:
    for one in document["entries"]:
        yield Entry(
            kind=Kind(one["kind"]),
            id=one["id"],
            title=one["title"],
            course=one["course"],
            start=_at(one["start"], zone),
            is_exam=one["is_exam"],
        )


def _at(written: str, zone: ZoneInfo) -> datetime:
    return moment(written).astimezone(zone)
