"""Rows of a snapshot: entries, free time and changes as documents that any store takes, and back."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.runtime.clock import stamp
from services.safety.text import one_line
from services.storage.documents import Document
from services.week.changes import Change, ChangeKind
from services.week.free_time import Gap
from services.week.tool_results import parse_time
from services.week.week import EntryKind, WeekEntry

LONGEST_TITLE = 200
LONGEST_ID = 500
LONGEST_URL = 1000
_LINES = ("title", "course", "where", "service", "status")
_PLAIN = ("is_exam", "is_busy", "is_sample", "points", "minutes")


def entry_row(entry: WeekEntry, until: str, source: str = "") -> Document:
    """until: when the row expires. source: what told it, "" for a chat."""
    row: Document = {name: one_line(getattr(entry, name), LONGEST_TITLE) for name in _LINES}
    row |= {name: getattr(entry, name) for name in _PLAIN}
    return row | {
        "id": one_line(entry.id, LONGEST_ID),
        "kind": str(entry.kind),
        "start": _written_time(entry.start, is_whole_day=entry.is_whole_day),
        "end": stamp(entry.end) if entry.end else None,
        "is_whole_day": entry.is_whole_day,
        "url": _url(entry.url),
        "until": until,
        "source": source,
    }


def read_entry(row: Document, zone: ZoneInfo) -> WeekEntry:
    return WeekEntry(
        kind=EntryKind(row["kind"]),
        id=row["id"],
        start=parse_time(row["start"], zone),
        end=parse_time(row["end"], zone) if row.get("end") else None,
        is_whole_day=row.get("is_whole_day", False),
        url=row.get("url", ""),
        **_present(row, *_LINES, *_PLAIN),
    )


def gap_row(gap: Gap, until: str, source: str = "") -> Document:
    return {"start": stamp(gap.start), "end": stamp(gap.end), "until": until, "source": source}


def read_gap(row: Document, zone: ZoneInfo) -> Gap:
    return Gap(start=parse_time(row["start"], zone), end=parse_time(row["end"], zone))


def change_row(change: Change, until: str, source: str = "") -> Document:
    return {
        "kind": str(change.kind),
        "id": one_line(change.id, LONGEST_ID),
        "title": one_line(change.title, LONGEST_TITLE),
        "course": one_line(change.course, LONGEST_TITLE),
        "at": stamp(change.at),
        "due_at": _written_time(change.due_at, is_whole_day=change.is_whole_day),
        "earlier_due_at": _written_time(change.earlier_due_at, is_whole_day=change.is_whole_day),
        "is_whole_day": change.is_whole_day,
        "url": _url(change.url),
        "score": change.score,
        "points": change.points,
        "count": change.count,
        "is_sample": change.is_sample,
        "until": until,
        "source": source,
    }


def read_change(row: Document, zone: ZoneInfo) -> Change:
    return Change(
        kind=ChangeKind(row["kind"]),
        id=row["id"],
        title=row["title"],
        course=row["course"],
        at=parse_time(row["at"], zone),
        due_at=parse_time(row["due_at"], zone) if row["due_at"] else None,
        earlier_due_at=parse_time(row["earlier_due_at"], zone) if row["earlier_due_at"] else None,
        is_whole_day=row["is_whole_day"],
        url=row["url"],
        score=row["score"],
        points=row["points"],
        count=row["count"],
        is_sample=row["is_sample"],
    )


def _written_time(at: datetime | None, *, is_whole_day: bool) -> str | None:
    """A whole day is that day wherever the student reads it."""
    if at is None:
        return None
    return f"{at.date()}" if is_whole_day else stamp(at)


def _url(url: str) -> str:
    return url if len(url) <= LONGEST_URL else ""


def _present(row: Document, *names: str) -> dict[str, Any]:
    """Fields of a row, without those that an older version did not write."""
    return {name: row[name] for name in names if name in row}
