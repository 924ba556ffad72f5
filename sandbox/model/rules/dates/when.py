"""Time of a clause as a whole: a moment, a window, a deadline, a length."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo

from sandbox.model.rules.dates.spans import Span, find_spans

DEADLINE = {"by", "before", "until", "till", "til", "no later than", "hasta", "antes de", "antes del"}
EARLIER = {"before", "antes de", "antes del"}
AFTER = {"after", "since", "desde", "despues de"}
JOINING = {"to", "until", "till", "and", "a", "al", "hasta", "y", "-", "–", "—", "through", "thru"}
LAST_MINUTE = 24 * 60 - 1
OPENING = {"from", "between", "desde", "entre", "de", "del", ""}


@dataclass(frozen=True, kw_only=True)
class When:
    """Aware times in the student's zone; all None when the text says nothing.
    has_time: an hour was named (not only a part of the day). has_day: a day was. is_deadline: only `end` was meant."""

    start: datetime | None = None
    end: datetime | None = None
    has_time: bool = False
    has_day: bool = False
    has_end: bool = False
    is_deadline: bool = False
    is_vague: bool = False
    minutes: int | None = None
    shift: int | None = None

    @property
    def is_said(self) -> bool:
        """Whether a day, an hour or a range was named."""
        return self.start is not None or self.end is not None


def read_when(text: str, now: datetime) -> tuple[When, list[Span]]:
    """Time that the text names, and the spans that say so."""
    spans = find_spans(text, now)
    return combine(spans, now), spans


def combine(spans: Sequence[Span], now: datetime) -> When:
    """Join the pieces of one clause."""
    days = _without_echoes([span for span in spans if span.kind in ("day", "range")])
    times = [span for span in spans if span.kind == "time"]
    parts = [span for span in spans if span.kind == "part"]
    lengths = When(
        minutes=next((span.minutes for span in spans if span.kind == "duration"), None),
        shift=next((span.minutes for span in spans if span.kind == "shift"), None),
    )
    moment = next((span.moment for span in spans if span.kind == "moment"), None)
    if moment is not None:
        return replace(lengths, start=moment.replace(second=0, microsecond=0), has_time=True, has_day=True)
    if times:
        return _at_a_time(lengths, days, times, parts, now)
    if parts:
        return _in_a_part(lengths, days, parts[0], now)
    return _on_days(lengths, days, now) if days else lengths


def _without_echoes(days: list[Span]) -> list[Span]:
    # "Fri 27 Nov" names one day twice; the date is the more exact.
    return [
        span
        for at, span in enumerate(days)
        if at + 1 == len(days)
        or span.kind == "range"
        or days[at + 1].start - span.end > 2
        or days[at + 1].kind == "range"
    ]


def _at_a_time(base: When, days: list[Span], times: list[Span], parts: list[Span], now: datetime) -> When:
    at, until = times[0].at or 0, times[0].until
    if until is None and len(times) > 1 and (times[1].at or 0) > at:
        until = times[1].at
    at = _evening(at, parts)
    day = _day_of(days, now)
    start = _moment(day, at, now.tzinfo)
    if not days and start < now:
        start += timedelta(days=1)
    elif days and days[0].is_weekly and day == now.date():
        start += timedelta(days=7)
    elif days and start < now and days[0].first == now.date() and at < 720 and until is None and not parts:
        start += timedelta(hours=12)
    end = start + timedelta(minutes=until - times[0].at) if until is not None and times[0].at is not None else None
    preposition = times[0].before if not days else days[0].before
    if preposition in DEADLINE:
        return replace(base, start=None, end=start, has_time=True, has_day=bool(days), is_deadline=True)
    return replace(base, start=start, end=end, has_time=True, has_day=bool(days), has_end=end is not None)


def _evening(at: int, parts: list[Span]) -> int:
    # "tomorrow evening at 8" is twenty o'clock, "Friday morning at 7" is seven.
    if parts and parts[0].at is not None and parts[0].until is not None:
        if at < parts[0].at and at + 720 <= parts[0].until:
            return at + 720
        if at >= 720 and parts[0].until <= 720:
            return at - 720
    return at


def _in_a_part(base: When, days: list[Span], part: Span, now: datetime) -> When:
    day, last = _day_of(days, now), days[-1].last if days else None
    start, end = _moment(day, part.at or 0, now.tzinfo), _moment(day, part.until or 0, now.tzinfo)
    if not days and end <= now:
        start, end = start + timedelta(days=1), end + timedelta(days=1)
    if last is not None and last != day:
        end = _moment(last, part.until or 0, now.tzinfo)
    if days and days[0].before in EARLIER | {"by"}:
        return replace(base, end=end, has_day=True, is_deadline=True)
    return replace(base, start=start, end=end, has_day=bool(days), has_end=True)


def _on_days(base: When, days: list[Span], now: datetime) -> When:
    first, last = _range_of(days)
    named = days[0]
    if named.at is not None and named.until is not None:
        start, end = _moment(first, named.at, now.tzinfo), _moment(first, named.until, now.tzinfo)
        return replace(base, start=start, end=end, has_day=True, has_end=True)
    opened, closed = _moment(first, 0, now.tzinfo), _moment(last, LAST_MINUTE, now.tzinfo)
    if len(days) == 1 and named.before in DEADLINE:
        if named.before in EARLIER:
            closed = opened - timedelta(minutes=1)
        return replace(base, end=closed, has_day=True, is_deadline=True)
    if len(days) == 1 and named.before in AFTER:
        is_next = named.before in ("after", "despues de")
        return replace(base, start=closed + timedelta(minutes=1) if is_next else opened, has_day=True)
    return replace(base, start=opened, end=closed, has_day=True, is_vague=named.is_vague)


def _day_of(days: list[Span], now: datetime) -> date:
    if not days or days[0].first is None:
        return now.date()
    return _range_of(days)[0]


def _range_of(days: list[Span]) -> tuple[date, date]:
    weeks = [span for span in days if span.kind == "range"]
    single = [span for span in days if span.kind == "day"]
    if weeks and single and weeks[0].first and weeks[0].last and single[0].first:
        # "Monday of next week": the day inside the range.
        day = single[0].first
        while day < weeks[0].first:
            day += timedelta(days=7)
        if day <= weeks[0].last:
            return day, day
    firsts = [span.first for span in days if span.first]
    lasts = [span.last for span in days if span.last]
    first, last = firsts[0], lasts[0]
    if len(days) > 1 and days[1].before in JOINING and days[0].before in OPENING | {"on", "el"}:
        last = lasts[1]
        while last < first:
            last += timedelta(days=7)
    return first, last


def _moment(day: date, minutes: int, zone: tzinfo | None) -> datetime:
    return datetime.combine(day, time(0), zone) + timedelta(minutes=minutes)
