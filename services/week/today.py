"""`Today`: what a student must know now, as plain data made from a snapshot of
their days, without a model or a service.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Protocol

from services.study.overview import StudyDay
from services.tools.result import PreviewRow
from services.week.changes import Change
from services.week.day_sources import CHANGES_BACK, DayPart
from services.week.free_time import SHORTEST_SESSION, Gap, gaps_until
from services.week.horizon import horizon
from services.week.snapshots import WeekSnapshot
from services.week.week import EntryKind, WeekEntry

SOON = timedelta(hours=48)
FIRST_CHANGES_BACK = timedelta(days=3)
"""What is new to a student who has not been here before."""
NEXT_CLASS_WITHIN = timedelta(days=4)
"""From a Thursday evening to the Monday after."""
OLD_AFTER = timedelta(minutes=30)
QUARTER = timedelta(minutes=15)
USUAL_SESSION = 60
"""Minutes, where nobody can say how long the work takes."""
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
    def rows(self) -> Sequence[PreviewRow]: ...
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
    """Suggestion for the next free time: what to work on in it, and from when to when."""

    entry: WeekEntry
    gap: Gap


@dataclass(frozen=True, kw_only=True)
class TodayProblem:
    """Something that could not be read. as_of: when what is shown of it was
    read; None where nothing of it is shown.
    """

    sentence: str
    as_of: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Today:
    """Plain data of the page Today and of a digest. All times are in the student's zone.

    now: the moment that it is made for. as_of: when all of it was read; None when it has not been read as a whole.
    is_partial: some services have not answered yet. awaited: what they tell of, for which the page keeps room.
    is_current: nothing needs to be read again. next_class: what is in the calendar next and takes time, or runs at
    this moment. due_soon: open work of the next 48 hours, the first first; due_later: what is due first after that.
    due_ahead: from Friday noon on, open work after that until `ahead_until`, the last day of the next seven; None in
    the rest of the week. overdue: the latest first. is_due_unread: a service that tells what is due could not be read,
    so that none is not known to be none. changes: since `since`, newest first. waiting: cards to decide on, newest
    first. study: what is to be practised today. has_calendar, has_courses: whether there is a source of events, and of
    the student's own due dates. has_sample: whether made-up work is shown.
    """

    now: datetime
    since: datetime
    as_of: datetime | None = None
    is_current: bool = False
    is_partial: bool = False
    awaited: frozenset[str] = frozenset()
    next_class: WeekEntry | None = None
    due_soon: tuple[WeekEntry, ...] = ()
    due_later: WeekEntry | None = None
    due_ahead: tuple[WeekEntry, ...] = ()
    ahead_until: date | None = None
    overdue: tuple[WeekEntry, ...] = ()
    is_due_unread: bool = False
    changes: tuple[Change, ...] = ()
    waiting: tuple[PendingCard, ...] = field(default=(), repr=False)
    suggestion: StudySlot | None = None
    study: StudyDay = field(default=StudyDay(), repr=False)
    problems: tuple[TodayProblem, ...] = ()
    has_calendar: bool = False
    has_courses: bool = False
    has_sample: bool = False

    @property
    def of_chats(self) -> list[PendingCard]:
        """Cards that stand in a chat; those of pages and programs are drawn whole."""
        return [card for card in self.waiting if card.conversation_id]

    @property
    def is_unread(self) -> bool:
        """Whether nothing is known of the day yet."""
        return self.as_of is None and self._has_no_day and not self.problems

    @property
    def is_old(self) -> bool:
        """Whether so long has gone by since it was read that its date is told."""
        return self.as_of is not None and self.now - self.as_of > OLD_AFTER

    @property
    def awaits_next_class(self) -> bool:
        """Whether a class may still come before what is known."""
        return self.next_class is None and DayPart.EVENTS in self.awaited

    @property
    def awaits_due(self) -> bool:
        """Whether nothing that is due is known, and some of it may still come."""
        known = self.has_courses or self.has_sample or self.due_soon
        return not known and not self.awaited.isdisjoint((DayPart.LATE, DayPart.DUE))

    @property
    def tells_its_age(self) -> bool:
        """Whether the page says that it is being read."""
        return self.is_unread or self.is_old

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to tell."""
        return self.study.is_empty and self._has_no_day

    @property
    def _has_no_day(self) -> bool:
        due = self.due_soon or self.due_ahead or self.overdue
        return not (self.next_class or due or self.changes or self.waiting)


def make_today(
    snapshot: WeekSnapshot,
    now: datetime,
    *,
    locale: str,
    since: datetime | None = None,
    waiting: Sequence[PendingCard] = (),
    study: StudyDay | None = None,
) -> Today:
    """Today as of a snapshot. now: in the student's zone. locale: theirs. since: their last visit; None when this is
    their first. study: what is to be practised today.
    """
    after = max(since, now - CHANGES_BACK) if since else now - FIRST_CHANGES_BACK
    courses = [source for source in snapshot.sources if source.part in (DayPart.DUE, DayPart.LATE)]
    has_courses = bool(snapshot.feed_due) or any(not source.is_sample for source in courses)
    entries = [entry for entry in snapshot.entries if not (has_courses and entry.is_sample)]
    changes = [
        change for change in snapshot.changes if after < change.at <= now and not (has_courses and change.is_sample)
    ]
    days, late = horizon(now, locale), overdue(entries, snapshot, now)
    ahead_until = days.this_week.last if days.is_ahead else None
    return Today(
        now=now,
        since=after,
        as_of=snapshot.read_at,
        is_current=snapshot.is_current,
        is_partial=snapshot.is_partial,
        awaited=snapshot.awaited,
        next_class=next_class(snapshot.events, now),
        due_soon=due_soon(entries, now),
        due_later=due_later(entries, now),
        due_ahead=due_ahead(entries, now, ahead_until) if ahead_until else (),
        ahead_until=ahead_until,
        overdue=late,
        is_due_unread=any(source.trouble and not source.is_sample for source in courses),
        changes=tuple(sorted(changes, key=lambda change: _utc(change.at), reverse=True)),
        waiting=tuple(waiting),
        study=study or StudyDay(),
        suggestion=study_slot(entries, snapshot.free, now, late),
        problems=tuple(_problems(snapshot)),
        has_calendar=any(source.part == DayPart.EVENTS for source in snapshot.sources),
        has_courses=has_courses,
        has_sample=any(entry.is_sample for entry in entries),
    )


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


def due_later(entries: Iterable[WeekEntry], now: datetime) -> WeekEntry | None:
    """The first open work that is due after `SOON`."""
    found = [entry for entry in _own_open(entries) if _utc(entry.start) > _utc(now) + SOON]
    return min(found, key=lambda entry: (_utc(entry.ends), entry.title), default=None)


def due_ahead(entries: Iterable[WeekEntry], now: datetime, until: date) -> tuple[WeekEntry, ...]:
    """Open work that is due after `SOON` and no later than on this day, the first first."""
    after = _utc(now) + SOON
    found = [entry for entry in _own_open(entries) if _utc(entry.start) > after and entry.start.date() <= until]
    return tuple(sorted(found, key=lambda entry: (_utc(entry.ends), entry.title)))


def overdue(entries: Iterable[WeekEntry], snapshot: WeekSnapshot, now: datetime) -> tuple[WeekEntry, ...]:
    """Open work of before now, the latest first: it may still be caught up with.

    What had gone by when it was read, and was not told to be overdue, is none: an exam on paper waits for its grade.
    """
    found = [
        entry
        for entry in _own_open(entries)
        if entry.is_past(now)
        and entry.id not in snapshot.feed_due
        and (
            entry.kind is EntryKind.TASK
            or entry.id in snapshot.late
            or (snapshot.read_at is not None and not entry.is_exam and not entry.is_past(snapshot.read_at))
        )
    ]
    return tuple(sorted(found, key=lambda entry: (_utc(entry.start), entry.title), reverse=True))


def study_slot(
    entries: Iterable[WeekEntry], free: Sequence[Gap], now: datetime, late: Sequence[WeekEntry] = ()
) -> StudySlot | None:
    """The next free time that is long enough, with the first work it is in time for, or the latest overdue one."""
    open_ahead = (entry for entry in _own_open(entries) if not entry.is_past(now))
    ahead = sorted(open_ahead, key=lambda entry: (_utc(entry.ends), entry.title))
    for gap in sorted(free, key=lambda gap: _utc(gap.start)):
        left = Gap(start=_next_quarter(max(gap.start, now, key=_utc)), end=gap.end)
        if left.minutes < SHORTEST_SESSION or _utc(left.start) > _utc(now) + FREE_WITHIN:
            continue
        for entry in ahead:
            for room in gaps_until([left], entry.ends):
                return _slot(entry, room)
        if late and not ahead:
            return _slot(late[0], left)
    return None


def _slot(entry: WeekEntry, room: Gap) -> StudySlot:
    length = timedelta(minutes=max(entry.minutes or USUAL_SESSION, SHORTEST_SESSION))
    return StudySlot(entry=entry, gap=Gap(start=room.start, end=min(room.end, room.start + length, key=_utc)))


def _next_quarter(at: datetime) -> datetime:
    """The next quarter of an hour: nobody begins at 10:07."""
    hour = at.replace(minute=0, second=0, microsecond=0)
    return hour + -((hour - at) // QUARTER) * QUARTER


def _problems(snapshot: WeekSnapshot) -> Iterator[TodayProblem]:
    """Each sentence once, with the oldest date that it has."""
    found: dict[str, datetime | None] = {}
    for source in snapshot.sources:
        for sentence in (source.trouble, *source.notes):
            if sentence and (sentence not in found or _is_older(source.read_at, found[sentence])):
                found[sentence] = source.read_at
    return (TodayProblem(sentence=sentence, as_of=as_of) for sentence, as_of in found.items())


def _is_older(read_at: datetime | None, than: datetime | None) -> bool:
    return than is not None and (read_at is None or read_at < than)


def _own_open(entries: Iterable[WeekEntry]) -> list[WeekEntry]:
    return [entry for entry in entries if entry.kind is not EntryKind.EVENT and not (entry.is_done or entry.is_taught)]


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
