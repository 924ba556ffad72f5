"""`Week`: entries with times in the student's zone, free time, and problems while loading, as plain data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

from services.week.free_time import Gap, gaps_until

DAYS = 7


class EntryKind(StrEnum):
    DUE = "due"
    EVENT = "event"
    TASK = "task"


@dataclass(frozen=True, kw_only=True)
class WeekEntry:
    """Entry of the week.

    start: when it begins; of what is due the moment it is due. end: None for what only has a moment.
    is_whole_day: the time of day means nothing. minutes: about how long the work takes, 0 where nobody can say.
    is_sample: made up, of the sample course. to_grade: how much waits for a grade in a course that the student
    teaches; None in one that they take. can_change: an event of their own, which a card may move. card: id of
    the card that proposes it or, once approved, has put it where it is. is_proposed: that card waits, and it is nowhere
    else yet.
    """

    kind: EntryKind
    id: str
    title: str = field(repr=False)
    start: datetime
    end: datetime | None = None
    is_whole_day: bool = False
    course: str = ""
    where: str = field(default="", repr=False)
    points: float | None = None
    minutes: int = 0
    is_done: bool = False
    is_busy: bool = True
    is_exam: bool = False
    is_sample: bool = False
    can_change: bool = False
    card: str = ""
    is_proposed: bool = False
    to_grade: int | None = None
    status: str = ""
    service: str = ""
    url: str = field(default="", repr=False)

    @property
    def key(self) -> str:
        """What it is known by again at the next reading."""
        return f"{self.kind} {self.id}"

    @property
    def is_taught(self) -> bool:
        """Due for others: nothing that the student must hand in."""
        return self.to_grade is not None

    @property
    def is_planned(self) -> bool:
        """An approved card put it where it is."""
        return bool(self.card) and not self.is_proposed

    @property
    def can_be_worked_on(self) -> bool:
        """Open work of the student's own."""
        return self.kind is not EntryKind.EVENT and not (self.is_done or self.is_taught or self.is_sample)

    @property
    def order(self) -> tuple[date, bool, datetime, str]:
        """Within a day what lasts all of it comes first."""
        return self.start.date(), not self.is_whole_day, self.start.astimezone(UTC), self.title

    def is_past(self, now: datetime) -> bool:
        """Whether its moment, or its whole day, has gone by. now: in the student's zone."""
        if self.is_whole_day:
            return self.start.date() < now.date()
        # In one zone Python compares what clocks show, and in autumn they show an hour twice.
        return self.start.astimezone(UTC) < now.astimezone(UTC)

    @property
    def ends(self) -> datetime:
        """Until when one can work on what is due: the moment it is due, or the end of that day."""
        return self.start + timedelta(days=1) if self.is_whole_day else self.start

    def touches(self, on: date) -> bool:
        """Whether it belongs on this day; what ends at midnight does not reach into the next one."""
        last = self.end - timedelta(microseconds=1) if self.end and self.end > self.start else self.start
        return self.start.date() <= on <= last.date()


@dataclass(frozen=True, kw_only=True)
class WeekProblem:
    """Problem with what is shown. is_partial: something could not be read.
    is_missing: nothing of it is shown.
    """

    sentence: str
    is_missing: bool = False
    is_partial: bool = False


@dataclass(frozen=True, kw_only=True)
class Week:
    """Seven days, whichever is the first. overdue: open work from before now, the latest first, whichever week is
    shown. as_of: when it was read.

    has_calendar, has_courses: whether the student has connected something that tells of these. has_sample: whether
    they try the sample course. is_due_unread: a service that tells what is due could not be read, so that none is not
    known to be none.
    """

    first: date
    as_of: datetime
    entries: tuple[WeekEntry, ...] = field(default=(), repr=False)
    overdue: tuple[WeekEntry, ...] = field(default=(), repr=False)
    free: tuple[Gap, ...] = ()
    troubles: tuple[WeekProblem, ...] = ()
    has_calendar: bool = False
    can_write: bool = False
    has_courses: bool = False
    has_sample: bool = False
    is_due_unread: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all that was asked has answered."""
        return not any(trouble.is_missing for trouble in self.troubles)

    @property
    def has_anything(self) -> bool:
        """Whether there is a source of it, or at least something of the student's own."""
        return self.has_calendar or self.has_courses or self.has_sample or bool(self.entries or self.overdue)

    @property
    def last(self) -> date:
        return self.first + timedelta(days=DAYS - 1)

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=number) for number in range(DAYS)]

    @property
    def courses(self) -> list[str]:
        """The courses of what is shown, in the order of the alphabet."""
        return sorted({entry.course for entry in (*self.overdue, *self.entries) if entry.course})

    @property
    def own_due(self) -> list[WeekEntry]:
        """Entries that the student must hand in themselves."""
        return [entry for entry in self.entries if entry.kind is EntryKind.DUE and not entry.is_taught]

    @property
    def services(self) -> set[str]:
        """Services that due work comes from; made-up work does not count."""
        return {
            entry.service
            for entry in (*self.overdue, *self.entries)
            if entry.kind is EntryKind.DUE and not entry.is_sample
        }

    @property
    def taught(self) -> list[WeekEntry]:
        return [entry for entry in self.entries if entry.is_taught]

    def entries_on(self, day: date) -> list[WeekEntry]:
        return sorted((entry for entry in self.entries if entry.touches(day)), key=lambda entry: entry.order)

    def free_on(self, day: date) -> list[Gap]:
        return [gap for gap in self.free if gap.start.date() == day]

    def room_for(self, entry: WeekEntry) -> list[Gap]:
        """Gaps to work on it: before it is due, or any gap once that has gone by."""
        if entry.is_past(self.as_of):
            return list(self.free)
        return gaps_until(self.free, entry.ends)

    def minutes_left(self) -> int:
        """Estimated work that is due in this week and not handed in."""
        return sum(entry.minutes for entry in self.own_due if not entry.is_done)

    def as_counted(self) -> "Week":
        """The week that figures count: made-up work only where there is no other."""
        return self.without_sample() if self.has_courses else self

    def without_sample(self) -> "Week":
        """Only what is the student's own."""
        own = (tuple(entry for entry in entries if not entry.is_sample) for entries in (self.entries, self.overdue))
        return replace(self, entries=next(own), overdue=next(own))

    def only_courses(self, courses: Iterable[str], *, alone: bool = False) -> "Week":
        """The week with only these courses' work. alone: also without entries of no course."""
        if not (wanted := set(courses)):
            return self
        wanted |= set() if alone else {""}
        return replace(self, entries=_of(self.entries, wanted), overdue=_of(self.overdue, wanted))


def _of(entries: Sequence[WeekEntry], courses: set[str]) -> tuple[WeekEntry, ...]:
    return tuple(entry for entry in entries if entry.course in courses)


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


Clash = tuple[WeekEntry, WeekEntry]
"""Events that take the student's time at the same time."""


def find_clashes(entries: Iterable[WeekEntry]) -> tuple[Clash, ...]:
    """Pairs of events that overlap, in order of their start; as `calendar_find_conflicts` counts them: events marked as
    free, due dates and whole-day events do not.
    """
    busy = sorted((entry for entry in entries if _takes_time(entry)), key=lambda entry: entry.order)
    return tuple(
        (entry, other)
        for index, entry in enumerate(busy)
        for other in busy[index + 1 :]
        if other.start.astimezone(UTC) < (entry.end or entry.start).astimezone(UTC)
    )


def clashing_titles(clashes: Iterable[Clash]) -> Mapping[str, tuple[str, ...]]:
    """Titles that each clashing event overlaps with, by its id."""
    found: dict[str, tuple[str, ...]] = {}
    for entry, other in clashes:
        found[entry.id] = (*found.get(entry.id, ()), other.title)
        found[other.id] = (*found.get(other.id, ()), entry.title)
    return found


def _takes_time(entry: WeekEntry) -> bool:
    has_length = entry.end is not None and entry.end.astimezone(UTC) > entry.start.astimezone(UTC)
    return entry.kind is EntryKind.EVENT and entry.is_busy and not entry.is_whole_day and has_length
