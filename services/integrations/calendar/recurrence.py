"""Recurrence rules: how an event repeats, read from arguments, written as RRULE (RFC 5545) and in words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr
from pydantic import Field

from services.errors import BadArguments, ToolUnavailable
from services.i18n import formats, gettext, ngettext
from services.integrations.calendar.times import date_of, parse_day
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.localized import join_list
from services.tools.context import ToolExecutionContext

Frequency = Literal["daily", "weekly", "monthly", "yearly"]
Weekday = Literal["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
WEEKDAYS: tuple[Weekday, ...] = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_A_MONDAY = date(2026, 11, 23)
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
MOST_TIMES = 366
_SHORTEST_MONTH, _LOOKED_AT, _FIRST_DATES = 28, 13, 3
MOST_EXPANDED = 20_000
"""Occurrences of a series that are counted: every day for 54 years."""
LONGEST = timedelta(days=366 * 2)

Repeats = Annotated[Frequency | None, Field(description="Left out, it happens once.")]
RepeatEvery = Annotated[int, Field(ge=1, le=52, description="2 with weekly: every other week.")]
RepeatDays = Annotated[
    tuple[Weekday, ...], Field(max_length=7, description='With weekly: the days, like ["MO", "WE"].')
]
RepeatUntil = Annotated[
    str | None,
    Field(
        max_length=40,
        description='The last day it may happen on, like 2026-12-18, or "end of term".',
    ),
]
RepeatCount = Annotated[
    int | None, Field(ge=2, le=MOST_TIMES, description="How many times in all, instead of repeat_until.")
]
_COURSES_TOOL = "canvas_list_courses"
_TERM_END_WORDS = re.compile(
    r"(the )?(end of (the |this )?)?(term|semester|quarter|course|classes)('s end| end| ends)?", re.I
)


@dataclass(frozen=True, kw_only=True)
class RecurrenceRule:
    """Recurrence rule. frequency: DAILY, WEEKLY, MONTHLY or YEARLY.

    until: the last day, included; or count: how many times.
    """

    frequency: str
    every: int = 1
    days: tuple[str, ...] = ()
    until: date | None = None
    count: int | None = None

    def __str__(self) -> str:
        words = _every_text(self.frequency, self.every)
        if self.days:
            names = [_weekday_name(weekday) for weekday in WEEKDAYS if weekday in self.days]
            words = gettext("{rule} on {days}", rule=words, days=join_list(names))
        if self.count:
            return ngettext("{rule}, {n} time", "{rule}, {n} times", self.count, rule=words)
        if self.until:
            return gettext("{rule} until {day}", rule=words, day=formats.day(self.until))
        return gettext("{rule}, without an end", rule=words)

    def rrule(self, start: datetime | date, zone: ZoneInfo) -> str:
        """Write as an RRULE value for a series with this start: "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261218T055959Z"."""
        parts = [f"FREQ={self.frequency}"]
        parts += [f"INTERVAL={self.every}"] if self.every > 1 else []
        parts += [f"BYDAY={','.join(weekday for weekday in WEEKDAYS if weekday in self.days)}"] if self.days else []
        parts += [f"COUNT={self.count}"] if self.count else []
        if self.until:
            parts.append(f"UNTIL={until_value(self.until, is_timed=isinstance(start, datetime), zone=zone)}")
        return ";".join(parts)

    def starts(self, start: datetime | date, zone: ZoneInfo, *, most: int) -> Iterator[datetime | date]:
        """Yield the first starts, at the same local time whatever the clocks do; a time that is skipped moves on."""
        wall = start.astimezone(zone).replace(tzinfo=None) if isinstance(start, datetime) else _midnight(start)
        value = RecurrenceRule(frequency=self.frequency, every=self.every, days=self.days, count=self.count).rrule(
            wall, zone
        )
        for made, at in enumerate(rrulestr(value, dtstart=wall).xafter(wall, inc=True)):
            if made >= most or (self.until and at.date() > self.until):
                return
            moment = at.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
            yield moment if isinstance(start, datetime) else at.date()


def read_rule(
    start: datetime | date | None,
    zone: ZoneInfo,
    *,
    repeats: str | None,
    every: int = 1,
    days: Sequence[str] = (),
    until: str | None = None,
    count: int | None = None,
) -> RecurrenceRule | None:
    """Read the rule from a tool's arguments; raises `BadArguments` that says all that does not fit.

    start: None where it could not be read; then what depends on it is not checked.
    """
    if repeats is None:
        if days or until or count or every != 1:
            raise BadArguments(gettext("Say how it repeats: give repeats."), field="repeats")
        return None
    errors = ArgumentErrorCollector()
    first = date_of(start) if start else None
    errors.read(_check_days, repeats, days, first)
    last = errors.read(_last_day, first, until, count, zone)
    errors.raise_found()
    return RecurrenceRule(frequency=repeats.upper(), every=every, days=tuple(days), until=last, count=count)


def _check_days(repeats: str, days: Sequence[str], first: date | None) -> None:
    if days and repeats != "weekly":
        raise BadArguments(gettext("repeat_days goes with repeats weekly only."), field="repeat_days")
    if days and first and WEEKDAYS[first.weekday()] not in days:
        raise BadArguments(
            gettext("start is a {weekday}, which is not among repeat_days.", weekday=formats.weekday(first)),
            field="repeat_days",
        )


def rule_in_words(lines: Sequence[str], zone: ZoneInfo, start: datetime | date | None = None) -> str:
    """Describe recurrence lines in words; "by a rule of its own" for what has no plain words.

    zone, start: of the event; with them the words tell how often, and until which day, it really takes place.
    """
    days = occurrence_days(lines, zone, start) if start else None
    return _plain_words(lines, zone, days, start) or _own_rule(days)


def times_in_words(lines: Sequence[str], zone: ZoneInfo, start: datetime | date | None) -> str:
    """Describe how often and until when a series takes place; empty for one without an end."""
    days = occurrence_days(lines, zone, start) if start else None
    if not days:
        return ""
    return ngettext("{n} time, on {day}", "{n} times, the last on {day}", len(days), day=formats.day(days[-1]))


def _own_rule(days: Sequence[date] | None) -> str:
    words = gettext("by a rule of its own")
    return gettext("{rule} until {day}", rule=words, day=formats.day(days[-1])) if days else words


def _plain_words(
    lines: Sequence[str], zone: ZoneInfo, taking_place: Sequence[date] | None, start: datetime | date | None
) -> str:
    found = [line.removeprefix("RRULE:") for line in lines if line.startswith("RRULE:")]
    parts = dict(part.split("=", 1) for part in found[0].split(";") if "=" in part) if len(found) == 1 else {}
    days = tuple(parts["BYDAY"].split(",")) if "BYDAY" in parts else ()
    known = {"FREQ", "INTERVAL", "BYDAY", "COUNT", "UNTIL", "WKST"}
    if not parts or parts["FREQ"] not in _FREQUENCIES or parts.keys() - known or not set(days) <= set(WEEKDAYS):
        return ""
    count = int(parts["COUNT"]) if "COUNT" in parts else None
    until = _wall_time(parts["UNTIL"], zone).date() if "UNTIL" in parts else None
    if taking_place:
        count, until = count and len(taking_place), until and taking_place[-1]
    every = int(parts.get("INTERVAL", 1))
    rule = RecurrenceRule(frequency=parts["FREQ"], every=every, days=days, count=count, until=until)
    return f"{rule}{_skipped_dates(rule, start, zone)}" if start else str(rule)


def _skipped_dates(rule: RecurrenceRule, start: datetime | date, zone: ZoneInfo) -> str:
    """Words on a rule that leaves out months or years without its day, with the first dates; empty for any other."""
    step = {"MONTHLY": rule.every, "YEARLY": 12 * rule.every}.get(rule.frequency)
    if step is None or rule.days or date_of(start).day <= _SHORTEST_MONTH:
        return ""
    days = [date_of(at) for at in rule.starts(start, zone, most=_LOOKED_AT)]
    months = [day.year * 12 + day.month for day in days]
    if all(later - earlier == step for earlier, later in pairwise(months)):
        return ""
    return gettext("; only where there is such a day: {days}, …", days=", ".join(map(formats.day, days[:_FIRST_DATES])))


def has_end(lines: Iterable[str]) -> bool:
    """Check whether a series with these recurrence lines ends some day."""
    return all("UNTIL=" in line or "COUNT=" in line for line in lines if line.startswith("RRULE"))


def occurrence_days(lines: Sequence[str], zone: ZoneInfo, start: datetime | date) -> list[date] | None:
    """List the days on which a series takes place, in its own zone; None for one without an end, or out of reach.

    lines: RRULE, RDATE and EXDATE (RFC 5545, 3.8.5). start: of the first occurrence.
    """
    if not has_end(lines):
        return None
    is_timed = isinstance(start, datetime)
    wall = start.astimezone(zone).replace(tzinfo=None) if isinstance(start, datetime) else _midnight(start)
    try:
        local = "\n".join(_local_line(line, zone, is_timed=is_timed) for line in lines)
        found = list(islice(rrulestr(local, dtstart=wall, forceset=True), MOST_EXPANDED + 1))
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError):
        return None  # What dateutil raises for lines that contradict themselves.
    return [at.date() for at in found] if len(found) <= MOST_EXPANDED else None


def _local_line(line: str, zone: ZoneInfo, *, is_timed: bool) -> str:
    """Write a recurrence line with every moment as local time in the event's zone, in which its rule is expanded."""
    name, _, value = line.partition(":")
    if not name.startswith(("EXDATE", "RDATE")):
        day_end = time(23, 59, 59) if is_timed else time.min
        until = re.sub(r"(?<=UNTIL=)[0-9TZ]+", lambda found: _written(_wall_time(found[0], zone, day_end)), value)
        return f"{name}:{until}"
    named = name.partition("TZID=")[2].partition(";")[0]
    walls = [_wall_time(text, zone, source=ZoneInfo(named) if named else zone) for text in value.split(",")]
    return f"{name.partition(';')[0]}:{','.join(map(_written, walls))}"


def _wall_time(value: str, zone: ZoneInfo, at: time = time.min, *, source: ZoneInfo | None = None) -> datetime:
    """Local time in `zone` of a date ("20261202", then at `at`) or a moment ("…Z" in UTC, else in `source`)."""
    if "T" not in value:
        return datetime.combine(datetime.strptime(value, "%Y%m%d").date(), at)  # noqa: DTZ007 - a day has no zone
    own = UTC if value.endswith("Z") else source or zone
    moment = datetime.strptime(value.removesuffix("Z"), "%Y%m%dT%H%M%S").replace(tzinfo=own)
    return moment.astimezone(zone).replace(tzinfo=None)


def _written(wall: datetime) -> str:
    return f"{wall:%Y%m%dT%H%M%S}"


def until_value(last: date, *, is_timed: bool, zone: ZoneInfo) -> str:
    """Write UNTIL for a last day: a date for whole-day series, else the end of that day in UTC (RFC 5545, 3.3.10)."""
    if not is_timed:
        return f"{last:%Y%m%d}"
    return f"{datetime.combine(last, time(23, 59, 59), zone).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _last_day(first: date | None, until: str | None, count: int | None, zone: ZoneInfo) -> date | None:
    if until and count:
        raise BadArguments(gettext("Give repeat_until or repeat_count, not both."), field="repeat_count")
    if not until and not count:
        raise BadArguments(gettext("Say when it ends: give repeat_until or repeat_count."), field="repeat_until")
    if not until:
        return None
    last = parse_day(until, zone, "repeat_until")
    if first is None:
        return last
    if last <= first:
        raise BadArguments(gettext("repeat_until is not after start."), field="repeat_until")
    if last - first > LONGEST:
        raise BadArguments(
            gettext("repeat_until is more than two years away; choose an earlier day."), field="repeat_until"
        )
    return last


def _midnight(on: date) -> datetime:
    return datetime.combine(on, time.min)


def _every_text(frequency: str, n: int) -> str:
    match frequency:
        case "DAILY":
            return ngettext("every day", "every {n} days", n)
        case "WEEKLY":
            return ngettext("every week", "every {n} weeks", n)
        case "MONTHLY":
            return ngettext("every month", "every {n} months", n)
    return ngettext("every year", "every {n} years", n)


def _weekday_name(weekday: str) -> str:
    return formats.weekday(_A_MONDAY + timedelta(days=tuple[str, ...](WEEKDAYS).index(weekday)))


def is_term_end(until: str | None) -> bool:
    """Check whether a last day is given as the end of the term: "end of term", "the end of the semester"."""
    return until is not None and _TERM_END_WORDS.fullmatch(" ".join(until.split())) is not None


def resolve_last_day(context: ToolExecutionContext, until: str | None) -> str | None:
    """Resolve "end of term" to the term's last day; other last days stay as written.

    The day on which most of the student's active courses end counts. Raises `BadArguments` where Canvas does not tell.
    """
    if not is_term_end(until):
        return until
    try:
        courses = context.call(_COURSES_TOOL)
    except ToolUnavailable:
        courses = None
    told = (courses.data or {}).get("courses", ()) if courses and courses.success else ()
    today = context.now().date()
    ends = Counter(
        course["ends_on"] for course in told if course.get("ends_on") and date.fromisoformat(course["ends_on"]) > today
    )
    if not ends:
        raise BadArguments(
            gettext("Canvas does not tell here when the term ends."),
            field="repeat_until",
            next_step="Ask the student for the last day and give it like 2026-12-18.",
        )
    most = max(ends.values())
    return str(max(day for day, times in ends.items() if times == most))
