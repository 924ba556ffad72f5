"""Horizon: which days "this week" and "next week" are for a student, by their locale and the time of the week."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from babel import Locale
from babel.core import get_global

DAYS = 7
FRIDAY, NOON = 4, 12


@dataclass(frozen=True, kw_only=True)
class DaySpan:
    """Whole days, both included."""

    first: date
    last: date


@dataclass(frozen=True, kw_only=True)
class Horizon:
    """this_week: the calendar's week; from Friday noon on until its end the next seven days, as what is left of it is
    no longer what one plans by. next_week: the calendar's week after the one of today. is_ahead: whether this week is
    the next seven days, as on a Sunday that begins one, too.
    """

    this_week: DaySpan
    next_week: DaySpan
    is_ahead: bool


def week_start(day: date, locale: str) -> date:
    """First day of the calendar's week that has this day. locale: a BCP 47 tag; Unicode CLDR knows its first day."""
    return day - timedelta(days=(day.weekday() - _first_weekday(locale)) % DAYS)


def horizon(now: datetime, locale: str) -> Horizon:
    """The weeks of this moment. now: in the student's zone."""
    today, start = now.date(), week_start(now.date(), locale)
    friday = start + timedelta(days=(FRIDAY - start.weekday()) % DAYS)
    is_late = today > friday or (today == friday and now.hour >= NOON)
    begins_on_weekend = today == start and today.weekday() > FRIDAY
    return Horizon(
        this_week=_seven_days(today if is_late else start),
        next_week=_seven_days(start + timedelta(days=DAYS)),
        is_ahead=is_late or begins_on_weekend,
    )


def _seven_days(first: date) -> DaySpan:
    return DaySpan(first=first, last=first + timedelta(days=DAYS - 1))


@lru_cache(maxsize=512)
def _first_weekday(locale: str) -> int:
    """Monday is 0. A language without a region counts as that of its likely one (Unicode TR 35, Likely Subtags)."""
    likely = get_global("likely_subtags").get(locale)
    return int((Locale.parse(likely) if likely else Locale.parse(locale, sep="-")).first_week_day)
