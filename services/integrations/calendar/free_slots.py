"""Free time between events: the search of days and hours, the stretches that are free, and the ranking of the best."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import gettext
from services.i18n.english import clock, duration, moment
from services.integrations.calendar.agenda import Agenda, DayRange, read_agenda, read_days
from services.integrations.calendar.times import earliest, latest, parse_clock, start_of
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.tools.context import ToolExecutionContext

Stretch = tuple[datetime, datetime]
DayPart = Literal["any", "morning", "afternoon", "evening"]
HOURS: dict[str, tuple[int, int]] = {"any": (10, 17), "morning": (8, 12), "afternoon": (12, 17), "evening": (17, 22)}
STEP = timedelta(minutes=15)
FULL_MARGIN = timedelta(minutes=30)
FULL_DAY_H = 8.0
BREAK = timedelta(minutes=15)
"""Least time between two suggestions of one day."""


def day_windows(wanted: DayRange, opens: time, closes: time, zone: ZoneInfo, *, now: datetime) -> Iterator[Stretch]:
    """Windows between two times of day on each day, as far as they are not past."""
    for on in wanted.dates():
        start = max(earliest(on, opens, zone).astimezone(UTC), _next_quarter(now))
        end = latest(on, closes, zone).astimezone(UTC)
        if start < end:
            yield start, end


def free_stretches(busy: Iterable[Stretch], within: Iterable[Stretch], *, minutes: int) -> list[Stretch]:
    """Subtract `busy` from `within`; keeps stretches of at least that many minutes."""
    taken = sorted((start.astimezone(UTC), end.astimezone(UTC)) for start, end in busy)
    least = timedelta(minutes=minutes)
    return [piece for window in within for piece in _gaps(taken, *window) if piece[1] - piece[0] >= least]


def _gaps(taken: list[Stretch], opens: datetime, closes: datetime) -> Iterator[Stretch]:
    free_from = opens
    for start, end in taken:
        if start >= closes:
            break
        if start > free_from:
            yield free_from, start
        free_from = max(free_from, end)
    if free_from < closes:
        yield free_from, closes


def _next_quarter(now: datetime) -> datetime:
    """Round up to the next quarter of an hour: nobody starts at 10:43:17."""
    late = timedelta(minutes=now.minute % 15, seconds=now.second, microseconds=now.microsecond)
    return now.astimezone(UTC) - late + (timedelta(minutes=15) if late else timedelta(0))


@dataclass(frozen=True, kw_only=True)
class TimeSuggestion:
    """Suggested time, with its score (0–100 points) and the reason."""

    start: datetime
    end: datetime
    points: int
    reason: str


def rank_times(
    free: Iterable[Stretch],
    busy: Sequence[Stretch],
    *,
    minutes: int,
    prefer: DayPart,
    days: DayRange,
    zone: ZoneInfo,
    most: int,
    may_share_days: bool = False,
) -> list[TimeSuggestion]:
    """Rank times by a plain rule of up to 100 points, told in the tool that uses it; one a day.

    free: stretches of at least `minutes`. busy: what is in the calendar, for how full a day is. may_share_days: a day
    gets more, with a break between them, where there are too few days.
    """
    loads = {on: _busy_hours(busy, on, zone) for on in days.dates()}
    length = timedelta(minutes=minutes)
    every = [
        _scored(start, start + length, stretch, prefer=prefer, days=days, loads=loads, zone=zone)
        for stretch in free
        for start in _starts(stretch, length)
    ]
    every.sort(key=_order)
    taken: list[TimeSuggestion] = []
    for a_day in range(1, most + 1 if may_share_days else 2):
        taken += _best_apart(every, taken, zone=zone, most=most, a_day=a_day)
    return sorted(taken, key=_order)


def _starts(stretch: Stretch, length: timedelta) -> Iterator[datetime]:
    """Start times on each quarter of an hour at which it would fit."""
    at = stretch[0].astimezone(UTC)
    at += (datetime.min.replace(tzinfo=UTC) - at) % STEP
    while at + length <= stretch[1]:
        yield at
        at += STEP


def _scored(
    start: datetime,
    end: datetime,
    stretch: Stretch,
    *,
    prefer: DayPart,
    days: DayRange,
    loads: dict[date, float],
    zone: ZoneInfo,
) -> TimeSuggestion:
    local, last = start.astimezone(zone), end.astimezone(zone)
    first, closes = HOURS[prefer]
    is_liked = first <= local.hour and (last.hour + last.minute / 60) <= closes and last.date() == local.date()
    margin = min(start - stretch[0], stretch[1] - end, FULL_MARGIN) / FULL_MARGIN
    lightness = max(0.0, 1 - loads.get(local.date(), 0.0) / FULL_DAY_H)
    soon = 1 - (local.date() - days.first).days / max(len(days.dates()), 1)
    points = 40 * is_liked + 30 * margin + 20 * lightness + 10 * soon
    return TimeSuggestion(
        start=start, end=end, points=round(points), reason=_reason(prefer, is_liked, margin, loads[local.date()])
    )


def _order(suggestion: TimeSuggestion) -> tuple[int, datetime]:
    return -suggestion.points, suggestion.start


def _best_apart(
    every: Iterable[TimeSuggestion], taken: Sequence[TimeSuggestion], *, zone: ZoneInfo, most: int, a_day: int
) -> list[TimeSuggestion]:
    """Best suggestions beside those that are taken, with a break between them: `most` in all, `a_day` on a day."""
    found: list[TimeSuggestion] = []
    for suggestion in every:
        if len(taken) + len(found) == most:
            break
        on = suggestion.start.astimezone(zone).date()
        same_day = [other for other in (*taken, *found) if other.start.astimezone(zone).date() == on]
        is_apart = all(suggestion.start >= o.end + BREAK or o.start >= suggestion.end + BREAK for o in same_day)
        if len(same_day) < a_day and is_apart:
            found.append(suggestion)
    return found


def _busy_hours(busy: Sequence[Stretch], on: date, zone: ZoneInfo) -> float:
    """Sum the busy hours of a day; what overlaps counts once."""
    taken, until, closes = timedelta(0), _midnight(on, zone), _midnight(on + timedelta(days=1), zone)
    for start, end in sorted((start.astimezone(UTC), end.astimezone(UTC)) for start, end in busy):
        first, last = max(start, until), min(end, closes)
        if first < last:
            taken, until = taken + (last - first), last
    return taken.total_seconds() / 3600


def _midnight(on: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(on, datetime.min.time(), zone).astimezone(UTC)


def _reason(prefer: DayPart, is_liked: bool, margin: float, load_h: float) -> str:
    liked = {"any": "in the middle of the day"}.get(prefer, f"in the {prefer}")
    parts = [
        liked if is_liked else ("outside the middle of the day" if prefer == "any" else f"not in the {prefer}"),
        "time to spare before and after" if margin >= 1 else "close to something else" if margin <= 0 else "",
        "nothing else that day"
        if load_h == 0
        else f"{load_h:.0f} hours of other things that day"
        if load_h >= 1.5
        else "",
    ]
    return ", ".join(part for part in parts if part)


class FreeTimeSearch:
    """Search for free time in days and hours, as far as they are not over.

    wanted: the days that were asked for. over: what of them is over, as a sentence, and why nothing was looked at where
    nothing is left; else empty. agenda: what is in the calendars; None where nothing is left to look at.
    """

    def __init__(
        self,
        context: ToolExecutionContext,
        start: str | None,
        end: str | None,
        day_start: str,
        day_end: str,
        buffer_minutes: int,
        weekdays_only: bool,
    ) -> None:
        now, self._zone = context.now(), context.timezone
        errors = ArgumentErrorCollector()
        days = errors.read(read_days, start, end, None, context.timezone, today=now.date(), default=7)
        hours = errors.read(_hours, day_start, day_end)
        errors.raise_found()
        assert days
        assert hours
        self.wanted, (self.opens, self.closes) = days, hours
        self._buffer, self._weekdays_only = timedelta(minutes=buffer_minutes), weekdays_only
        self._within = self._windows(now)
        self.over = self._over(now)
        left = self.days_left
        self.agenda: Agenda | None = read_agenda(context, left.bounds(self._zone)) if left else None

    @property
    def days_left(self) -> DayRange | None:
        """Days of which something is left."""
        if not self._within:
            return None
        first, last = (window[0].astimezone(self._zone).date() for window in (self._within[0], self._within[-1]))
        return DayRange(first=first, last=last)

    @property
    def conditions(self) -> str:
        buffer = int(self._buffer.total_seconds() // 60)
        kept = f", {duration(buffer)} kept free around events" if buffer else ""
        return f"{kept}{', Monday to Friday' if self._weekdays_only else ''}"

    @property
    def note(self) -> str:
        """Line about what is over, to follow a list; empty where nothing is."""
        return f"\nNote: {self.over}" if self.over else ""

    def free(self, minutes: int) -> list[Stretch]:
        """Free stretches of at least that many minutes."""
        busy = self.agenda.busy() if self.agenda else []
        taken = [(start.astimezone(UTC) - self._buffer, end.astimezone(UTC) + self._buffer) for start, end in busy]
        return free_stretches(taken, self._within, minutes=minutes)

    def _windows(self, now: datetime) -> list[Stretch]:
        windows = day_windows(self.wanted, self.opens, self.closes, self._zone, now=now)
        return [window for window in windows if not (self._weekdays_only and self._is_weekend(window[0]))]

    def _over(self, now: datetime) -> str:
        asked = self._windows(start_of(self.wanted.first, self._zone))
        if not asked:
            return f"{self.wanted} has no day from Monday to Friday, so nothing was looked at; give other days."
        if not self._within:
            hours = f"{self.wanted}, {clock(self.opens)} to {clock(self.closes)},"
            present = moment(now, self._zone)
            return f"{hours} is over: it is {present} now. Nothing was looked at; give days that are still to come."
        begins = self._within[0][0]
        if begins == asked[0][0]:
            return ""
        return f"what was before {moment(begins, self._zone)} is over, so only later times were looked at."

    def _is_weekend(self, at: datetime) -> bool:
        return at.astimezone(self._zone).weekday() >= 5


def _end_of_day(text: str) -> time:
    """Parse when a day ends; 24:00, which clocks do not have, is its last minute."""
    return time(23, 59) if text.strip() == "24:00" else parse_clock(text, "day_end")


def _hours(day_start: str, day_end: str) -> tuple[time, time]:
    errors = ArgumentErrorCollector()
    opens, closes = errors.read(parse_clock, day_start, "day_start"), errors.read(_end_of_day, day_end)
    errors.raise_found()
    assert opens is not None
    assert closes is not None
    if closes <= opens:
        raise BadArguments(
            gettext("day_end must be later than day_start; time past midnight belongs to the next day."),
            field="day_end",
        )
    return opens, closes
