"""Session planner: what is to be read, practised and reviewed before an exam, as sessions in free time.

Reading comes first and in the course's order, practice of what was read a day or more later, a mock exam some days
before the end, short reviews in between: spaced retrieval works better than one long day. Nothing on the exam's own
day, nothing in the past, at most `daily_minutes` a day, and no session of less than `SHORTEST` minutes.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from services.study.exam import PlannedSession, SessionKind

SHORTEST, LONGEST = 25, 50
"""Minutes of one session; a mock exam takes `MOCK`."""
PRACTICE, REVIEW, MOCK = 30, 25, 60
BETWEEN = timedelta(minutes=10)
OPENS, CLOSES = 8, 22
"""Hours of the day between which sessions lie."""
PREFERRED = 16
"""Hour that sessions are near to, where a day leaves the choice."""
QUARTER = 15
REVIEW_EVERY = 3
"""Days."""
_READING_SHARE = 0.65
"""Of the days until the exam, the first ones, over which the reading is spread."""


@dataclass(frozen=True, kw_only=True)
class FreeStretch:
    """Stretch of time with nothing in the calendar."""

    start: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True)
class CoveredMaterial:
    """Material that an exam covers. minutes: about how long it takes to read."""

    id: str
    title: str = field(repr=False)
    minutes: int


@dataclass(frozen=True, kw_only=True)
class SessionPlan:
    """Sessions in the order of their times. left_out: what there was no time for, for people; left_minutes: how long
    that would take.
    """

    sessions: tuple[PlannedSession, ...] = ()
    left_out: tuple[str, ...] = field(default=(), repr=False)
    left_minutes: int = 0


@dataclass(frozen=True, kw_only=True)
class _Need:
    """Session that is wanted. day: number of the day that suits it best, from today; not_before: the first possible."""

    kind: SessionKind
    what: str
    minutes: int
    day: int
    not_before: int = 0
    material_ids: tuple[str, ...] = ()
    topic: str = ""


def plan_sessions(
    *,
    now: datetime,
    exam_at: datetime,
    free: Iterable[FreeStretch],
    materials: Sequence[CoveredMaterial],
    weak_topics: Sequence[str] = (),
    zone: ZoneInfo,
    daily_minutes: int = 90,
) -> SessionPlan:
    """Plan the sessions until an exam. weak_topics: names of those to practise besides what is read."""
    last = (exam_at.astimezone(zone) - timedelta(days=1)).date()
    today = now.astimezone(zone).date()
    days = (last - today).days + 1
    calendar = _Calendar(free, now, exam_at, zone, daily_minutes)
    planned: list[PlannedSession] = []
    left: list[_Need] = []
    read_on: dict[str, int] = {}
    reading_from = 0
    for need in _needs(materials, weak_topics, max(days, 1)):
        before = [read_on[id] + 1 for id in need.material_ids if id in read_on]
        earliest = reading_from if need.kind is SessionKind.READ else max([need.not_before, *before])
        placed = calendar.place(need.minutes, _by_nearness(need.day, earliest, days), today)
        if placed is None:
            left.append(need)
            continue
        number, start, minutes = placed
        if need.kind is SessionKind.READ:
            reading_from = number
            read_on |= dict.fromkeys(need.material_ids, number)
        planned.append(
            PlannedSession(
                id=secrets.token_hex(6),
                kind=need.kind,
                what=need.what,
                start=start,
                minutes=minutes,
                material_ids=need.material_ids,
                topic=need.topic,
            )
        )
    told = [need for need in left if need.kind is not SessionKind.REVIEW]
    return SessionPlan(
        sessions=tuple(sorted(planned, key=lambda session: session.start)),
        left_out=tuple(dict.fromkeys(need.what for need in told if need.what)),
        left_minutes=sum(need.minutes for need in told),
    )


def _needs(materials: Sequence[CoveredMaterial], weak_topics: Sequence[str], days: int) -> Iterator[_Need]:
    """The sessions that are wanted, those that matter most first: where time is short the last ones find none."""
    mocks = [max(days - 3, 0)] if days < 15 else [max(days - 9, 0), days - 3]
    yield from (_Need(kind=SessionKind.MOCK, what="", minutes=MOCK, day=day, not_before=days // 3) for day in mocks)
    chunks = list(_chunks(materials))
    reading_days = max(1, int(days * _READING_SHARE))
    reading = []
    for number, (titles, ids, minutes) in enumerate(chunks):
        day = number * reading_days // max(1, len(chunks))
        reading.append(_Need(kind=SessionKind.READ, what=titles, minutes=minutes, day=day, material_ids=ids))
    for number, need in enumerate(reading):
        yield need
        if number % 2 or number == len(reading) - 1:
            pair = reading[number - 1 : number + 1] if number % 2 else [need]
            yield _Need(
                kind=SessionKind.PRACTISE,
                what=" · ".join(dict.fromkeys(read.what for read in pair)),
                minutes=PRACTICE,
                day=need.day + 2,
                not_before=min(1, days - 1),
                material_ids=tuple(id for read in pair for id in read.material_ids),
            )
    for number, topic in enumerate(weak_topics):
        day = reading_days + number * max(1, days - reading_days) // max(1, len(weak_topics))
        yield _Need(kind=SessionKind.PRACTISE, what=topic, minutes=PRACTICE, day=day, topic=topic)
    for day in range(REVIEW_EVERY - 1, days, REVIEW_EVERY):
        yield _Need(kind=SessionKind.REVIEW, what="", minutes=REVIEW, day=day, not_before=day - 1)


def _chunks(materials: Sequence[CoveredMaterial]) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """(titles, ids, minutes) of reading sessions, in the course's order: long ones in parts, short ones at once."""
    together: list[CoveredMaterial] = []
    for material in materials:
        if together and sum(short.minutes for short in together) + material.minutes > LONGEST:
            yield _chunk(together)
            together = []
        parts = -(-material.minutes // LONGEST)
        if parts > 1:
            for part in range(1, parts + 1):
                yield f"{material.title} ({part}/{parts})", (material.id,), max(SHORTEST, -(-material.minutes // parts))
        else:
            together.append(material)
    if together:
        yield _chunk(together)


def _chunk(materials: Sequence[CoveredMaterial]) -> tuple[str, tuple[str, ...], int]:
    minutes = max(SHORTEST, sum(material.minutes for material in materials))
    return " · ".join(material.title for material in materials), tuple(material.id for material in materials), minutes


def _by_nearness(wanted: int, earliest: int, days: int) -> list[int]:
    """Numbers of the days that are possible, the one that suits best first, later ones before earlier ones."""
    return sorted(range(max(0, earliest), days), key=lambda day: (abs(day - wanted), day < wanted))


class _Calendar:
    """Free time until an exam, by day, and what of it is taken."""

    def __init__(
        self, free: Iterable[FreeStretch], now: datetime, exam_at: datetime, zone: ZoneInfo, daily_minutes: int
    ) -> None:
        self._free: dict[date, list[tuple[datetime, datetime]]] = {}
        self._left: dict[date, int] = {}
        self._daily = daily_minutes
        for stretch in sorted(free, key=lambda stretch: stretch.start):
            for start, end in _of_days(stretch, now, exam_at, zone):
                self._free.setdefault(start.date(), []).append((start, end))
                self._left.setdefault(start.date(), daily_minutes)

    def place(self, minutes: int, days: Iterable[int], today: date) -> tuple[int, datetime, int] | None:
        """Take time on the first of these days that has it: number of the day, start, minutes; None where none has."""
        days = list(days)
        for wanted in dict.fromkeys((minutes, max(SHORTEST, minutes * 2 // 3))):
            for number in days:
                if (start := self._take(today + timedelta(days=number), wanted)) is not None:
                    return number, start, wanted
        return None

    def _take(self, day: date, minutes: int) -> datetime | None:
        if self._left.get(day, 0) < minutes and not (minutes > self._daily == self._left.get(day)):
            return None
        length = timedelta(minutes=minutes)
        fitting = [(start, end) for start, end in self._free.get(day, ()) if end - start >= length]
        if not fitting:
            return None
        wanted = fitting[0][0].replace(hour=PREFERRED, minute=0)
        starts = {piece: min(max(wanted, piece[0]), _last_quarter(piece[1] - length, piece[0])) for piece in fitting}
        piece = min(fitting, key=lambda piece: abs(starts[piece] - wanted))
        begin = starts[piece]
        at = self._free[day].index(piece)
        self._free[day][at : at + 1] = [(piece[0], begin - BETWEEN), (begin + length + BETWEEN, piece[1])]
        self._left[day] -= minutes
        return begin


def _of_days(
    stretch: FreeStretch, now: datetime, exam_at: datetime, zone: ZoneInfo
) -> Iterator[tuple[datetime, datetime]]:
    """Parts of a free stretch by day, within the hours of a day, from the next quarter of an hour on, until the day
    before the exam.
    """
    start, end = stretch.start.astimezone(zone), stretch.end.astimezone(zone)
    last = (exam_at.astimezone(zone) - timedelta(days=1)).date()
    day = start.date()
    while day <= min(end.date(), last):
        opens = datetime(day.year, day.month, day.day, OPENS, tzinfo=zone)
        closes = opens.replace(hour=CLOSES)
        first = _next_quarter(max(start, opens, now.astimezone(zone)))
        until = min(end, closes)
        if until - first >= timedelta(minutes=SHORTEST):
            yield first, until
        day += timedelta(days=1)


def _last_quarter(at: datetime, earliest: datetime) -> datetime:
    """The last quarter of an hour until a moment, but not before the earliest."""
    over = timedelta(minutes=at.minute % QUARTER, seconds=at.second, microseconds=at.microsecond)
    return max(earliest, at - over)


def _next_quarter(at: datetime) -> datetime:
    over = timedelta(minutes=at.minute % QUARTER, seconds=at.second, microseconds=at.microsecond)
    return at + (timedelta(minutes=QUARTER) - over) if over else at
