"""`Today`: what a student must know now, as plain data made from a snapshot of their days, without a model or a
service.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from services.week.changes import Change
from services.week.free_time import SHORTEST_SITTING, Gap, gaps_until
from services.week.week import EntryKind, WeekEntry

SOON = timedelta(hours=48)
NEXT_CLASS_WITHIN = timedelta(days=4)
"""From a Thursday evening to the Monday after."""
FREE_WITHIN = timedelta(hours=36)
"""Free time further off than that is no next free hour."""


class PendingCard(Protocol):
    """Part of `services.approvals.approval.Approval` that tells what waits for the student's decision.

    conversation_id: the chat that it stands in; empty when a program or a page asked for it.
    """

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def conversation_id(self) -> str: ...
    @property
    def asked_by(self) -> str: ...
    @property
    def is_question(self) -> bool: ...
    @property
    def created_at(self) -> datetime: ...
    @property
    def expires_at(self) -> datetime: ...


@dataclass(frozen=True, kw_only=True)
class StudySlot:
    """Suggestion for the next free time: what to work on in it."""

    entry: WeekEntry
    gap: Gap


@dataclass(frozen=True, kw_only=True)
class TodayProblem:
    """Something that could not be read. as_of: when what is shown of it was read; None where nothing of it is
    shown.
    """

    sentence: str
    as_of: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Today:
    """Plain data of the page Today and of a digest. All times are in the student's zone.

    now: the moment that it is made for. as_of: when its oldest part was read; None when nothing has been read yet.
    next_class: what is in the calendar next and takes time, or runs at this moment. due_soon: open work of the next 48
    hours, the first first. overdue: the latest first. changes: newest first. waiting: cards to decide on, newest
    first. has_calendar, has_courses: whether there is a source of events, and of due dates.
    """

    now: datetime
    as_of: datetime | None = None
    next_class: WeekEntry | None = None
    due_soon: tuple[WeekEntry, ...] = ()
    overdue: tuple[WeekEntry, ...] = ()
    changes: tuple[Change, ...] = ()
    waiting: tuple[PendingCard, ...] = field(default=(), repr=False)
    suggestion: StudySlot | None = None
    problems: tuple[TodayProblem, ...] = ()
    has_calendar: bool = False
    has_courses: bool = False

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.next_class or self.due_soon or self.overdue or self.changes or self.waiting)


def next_class(entries: Iterable[WeekEntry], now: datetime) -> WeekEntry | None:
    """The event that takes the student's time next, or the one that runs now; none that lasts all day."""
    running_or_ahead = [
        entry
        for entry in entries
        if entry.kind is EntryKind.EVENT
        and not entry.is_whole_day
        and entry.is_busy
        and _utc(entry.end or entry.start) > _utc(now)
        and _utc(entry.start) <= _utc(now) + NEXT_CLASS_WITHIN
    ]
    return min(running_or_ahead, key=lambda entry: (_utc(entry.start), entry.title), default=None)


def due_soon(entries: Iterable[WeekEntry], now: datetime) -> tuple[WeekEntry, ...]:
    """Open work that is due within `SOON`, the first first; what lasts all day is due at the end of it."""
    found = [entry for entry in _own_open(entries) if not entry.is_past(now) and _utc(entry.start) <= _utc(now) + SOON]
    return tuple(sorted(found, key=lambda entry: (_utc(entry.ends), entry.title)))


def overdue(entries: Iterable[WeekEntry], now: datetime) -> tuple[WeekEntry, ...]:
    """Open work of before now, the latest first: it may still be caught up with."""
    found = [entry for entry in _own_open(entries) if entry.is_past(now)]
    return tuple(sorted(found, key=lambda entry: (_utc(entry.start), entry.title), reverse=True))


def study_slot(entries: Iterable[WeekEntry], free: Sequence[Gap], now: datetime) -> StudySlot | None:
    """The next free time that is long enough, with the first due work that it is still in time for."""
    ahead = sorted(
        (entry for entry in _own_open(entries) if not entry.is_past(now)),
        key=lambda entry: (_utc(entry.ends), entry.title),
    )
    for gap in sorted(free, key=lambda gap: _utc(gap.start)):
        left = Gap(start=max(gap.start, now, key=_utc), end=gap.end)
        if left.minutes < SHORTEST_SITTING or _utc(left.start) > _utc(now) + FREE_WITHIN:
            continue
        for entry in ahead:
            if gaps_until([left], entry.ends):
                return StudySlot(entry=entry, gap=left)
    return None


def _own_open(entries: Iterable[WeekEntry]) -> list[WeekEntry]:
    return [entry for entry in entries if entry.kind is not EntryKind.EVENT and not (entry.is_done or entry.is_taught)]


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
