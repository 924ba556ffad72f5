"""Which repetition rules of a feed are expanded: not those that take minutes, or for ever, to find a few days."""

import calendar
from collections.abc import Iterable
from datetime import date, datetime
from math import prod
from typing import Any

TOO_OFTEN = ("SECONDLY", "MINUTELY", "HOURLY")
"""Nobody's calendar repeats by the minute."""
TIMES_A_DAY = 24
FIRST_YEAR = 1900
_A_LEAP_YEAR = 2024


def can_be_expanded(rule: Any, begins: datetime | date) -> bool:
    """Whether a rule (an `icalendar.vRecur`) finds its days in time: each is looked for from the first one on.

    A rule that never fits is searched for until the year 9999, and an interval of 0 for ever. What RFC 5545 (3.3.10)
    does not allow, and only ever makes that search long, is refused.
    """
    try:
        return _is_quick(rule, begins)
    except ValueError:
        # Something else than a number where one belongs.
        return False


def _is_quick(rule: Any, begins: datetime | date) -> bool:
    frequency = str(next(iter(rule.get("FREQ", [])), "")).upper()
    if frequency in TOO_OFTEN or begins.year < FIRST_YEAR:
        return False
    if any(interval < 1 for interval in _numbers(rule, "INTERVAL")):
        return False
    if prod(max(1, len(set(_numbers(rule, name)))) for name in ("BYHOUR", "BYMINUTE", "BYSECOND")) > TIMES_A_DAY:
        return False
    if frequency in ("DAILY", "WEEKLY") and any(name in rule for name in ("BYSETPOS", "BYYEARDAY", "BYWEEKNO")):
        return False
    return "BYEASTER" not in rule and _is_in_some_month(_numbers(rule, "BYMONTH"), _numbers(rule, "BYMONTHDAY"))


def _is_in_some_month(months: Iterable[int], days: Iterable[int]) -> bool:
    """Whether one of these months has one of these days; days below 0 are counted from its end."""
    given = set(months)
    longest = [calendar.monthrange(_A_LEAP_YEAR, month)[1] for month in range(1, 13) if not given or month in given]
    wanted = set(days)
    return bool(longest) and (not wanted or any(1 <= abs(day) <= max(longest) for day in wanted))


def _numbers(rule: Any, name: str) -> list[int]:
    given = rule.get(name, [])
    return [int(str(one)) for one in (given if isinstance(given, list) else [given])]
