"""Moved due dates: what was due when, as it was last seen, so that a move can be told with the earlier date."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.identity.students import Student
from services.runtime.clock import Clock, moment, stamp
from services.storage.documents import Document
from services.storage.records import read_all, record_reader
from services.storage.store import Store
from services.week.changes import Change, ChangeKind
from services.week.snapshot_rows import entry_row
from services.week.tool_results import parse_time
from services.week.week import EntryKind, WeekEntry

COLLECTION = "week_notes"
_ID = "due_dates"
KEPT = timedelta(days=60)
TOLD_FOR = timedelta(days=14)
"""How long a move is news."""
SAME_MOVE = timedelta(days=2)
"""A date that moves twice within so long moved once, from where it stood at first."""
MOST = 500
_UTC = ZoneInfo("UTC")
_KEPT_FIELDS = ("id", "title", "course", "start", "is_whole_day", "url", "until", "account")


class MovedDates:
    """Repository of the due dates of each student's own work, by entry."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def note(self, student: Student, entries: Iterable[WeekEntry], accounts: Sequence[str]) -> None:
        """Note when these are due now. accounts: what is connected, as `account_stamps` writes it; dates of an account
        that is no longer among them are forgotten.
        """
        now, known = self._clock(), {row["id"]: row for row in self._rows(student, accounts)}
        for entry in entries:
            if entry.kind is EntryKind.DUE and not (entry.is_sample or entry.is_taught):
                row = entry_row(entry, stamp(now + KEPT))
                row["account"] = _account_of(row, accounts)
                known[row["id"]] = _with_move(known.get(row["id"]), row, stamp(now), stamp(now - SAME_MOVE))
        rows = [row for row in known.values() if moment(row["until"]) > now]
        rows.sort(key=lambda row: str(row["until"]), reverse=True)
        self._store.for_student(student.id).put(
            COLLECTION, {"id": _ID, "dates": rows[:MOST], "expires_at": stamp(now + KEPT)}
        )

    def moves(self, student: Student, accounts: Sequence[str]) -> tuple[Change, ...]:
        """Moves of the last two weeks, of dates that were not back where they had been."""
        zone, since = ZoneInfo(student.timezone), stamp(self._clock() - TOLD_FOR)
        return tuple(_change(row, zone) for row in self._rows(student, accounts) if row["moved_at"] >= since)

    def _rows(self, student: Student, accounts: Sequence[str]) -> list[Document]:
        document = self._store.for_student(student.id).get(COLLECTION, _ID)
        rows = document.get("dates") if document is not None else None
        dates = read_all(_checked, rows if isinstance(rows, list) else ())
        return [row for row in dates if row["account"] == _account_of(row, accounts)]


@record_reader(COLLECTION)
def _checked(row: Document) -> Document:
    """The row, all of which can be read."""
    moment(row["until"])
    _change({**row, **{name: row[name] or row["start"] for name in ("moved_at", "earlier")}}, _UTC)
    if not isinstance(row["id"], str):
        raise TypeError("A date has the id of its entry.")
    return row


def _with_move(before: Document | None, row: Document, now: str, recent: str) -> Document:
    """The row of now, with the move that it made or had made before: `earlier` and `moved_at`, "" for none."""
    kept = {name: row[name] for name in _KEPT_FIELDS}
    if before is None or before["is_whole_day"] != row["is_whole_day"]:
        return kept | {"earlier": "", "moved_at": ""}
    if before["start"] == row["start"]:
        return kept | {"earlier": before["earlier"], "moved_at": before["moved_at"]}
    earlier = before["earlier"] if before["moved_at"] > recent else before["start"]
    return kept | (
        {"earlier": "", "moved_at": ""} if earlier == row["start"] else {"earlier": earlier, "moved_at": now}
    )


def _account_of(row: Document, accounts: Sequence[str]) -> str:
    """The account that an entry is of, by the integration in its id; "" where its id names none."""
    prefix = f"{row['id'].partition('/')[0]} "
    return next((account for account in accounts if account.startswith(prefix)), "")


def _change(row: Document, zone: ZoneInfo) -> Change:
    shown: dict[str, Any] = {name: row[name] for name in ("id", "title", "course", "url", "is_whole_day")}
    return Change(
        kind=ChangeKind.MOVED,
        at=parse_time(row["moved_at"], zone),
        due_at=parse_time(row["start"], zone),
        earlier_due_at=parse_time(row["earlier"], zone),
        **shown,
    )
