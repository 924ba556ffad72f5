"""Rules that read days and ranges of days: "next Tuesday", "27 Nov", "this week", "la semana que viene"."""

import re
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sandbox.model.rules.dates.vocabulary import MONTH, MONTHS, NUMBER, WEEKDAY, WEEKDAYS, index_of, number
from sandbox.model.rules.language.patterns import pattern

Fields = dict[str, Any]
Reader = Callable[[re.Match[str], datetime], Fields | None]
SOON_DAYS = 7
WEEKS: ContextVar[tuple[date, date] | None] = ContextVar("weeks", default=None)
STEPS = {"w": 7, "s": 7, "m": 30, "d": 1}
"""Days of a unit by its first letter: weeks and semanas, months and meses, days and días."""


def _range(first: date, last: date, *, is_vague: bool = False) -> Fields:
    return {"kind": "range", "first": first, "last": last, "is_vague": is_vague}


def _from_today(now: datetime, days: int) -> Fields:
    day = now.date() + timedelta(days=days)
    return {"kind": "day", "first": day, "last": day}


def _dated(year: int, month: int, day: int) -> Fields | None:
    try:
        return _from_today(datetime(year, month, day, tzinfo=UTC), 0)
    except ValueError:
        return None


def _iso(match: re.Match[str], now: datetime) -> Fields | None:
    numbers = [int(part) for part in match.groups()]
    if len(numbers) == 3:
        return _dated(*numbers)
    try:
        return {"kind": "moment", "moment": datetime(*numbers, tzinfo=now.tzinfo)}  # type: ignore[misc,arg-type]
    except ValueError:
        return None


def _month_day(match: re.Match[str], now: datetime) -> Fields | None:
    # Without a year, the date nearest to now that lies at most three months back.
    named = match.groupdict()
    day, month = int(match["d"]), index_of(MONTHS, match["month"]) + 1 if "month" in named else int(match["m"])
    if month > 12:
        month, day = day, month
    if match["y"]:
        return _dated(int(match["y"]) + (2000 if len(match["y"]) == 2 else 0), month, day)
    dates = [_dated(year, month, day) for year in (now.year - 1, now.year, now.year + 1)]
    return next((day for day in dates if day and day["first"] >= now.date() - timedelta(days=90)), None)


def _of_month(match: re.Match[str], now: datetime) -> Fields | None:
    month = now.date().replace(day=1)
    for _ in range(3):
        found = _dated(month.year, month.month, int(match["d"]))
        if found is not None and found["first"] >= now.date():
            return found
        month = (month + timedelta(days=32)).replace(day=1)
    return None


def _weekday(match: re.Match[str], now: datetime) -> Fields:
    wanted, today = index_of(WEEKDAYS, match["day"]), now.weekday()
    said = f"{match['which'] or ''} {match['behind'] or ''}"
    if re.search(r"last|pasado", said):
        return _from_today(now, -((today - wanted) % 7 or 7))
    if re.search(r"\bnext|proxim|que viene|week", said) and "coming" not in said:
        return _from_today(now, 7 + wanted - today)
    return {**_from_today(now, (wanted - today) % 7), "is_weekly": True}


def _week(match: re.Match[str], now: datetime) -> Fields:
    today, said = now.date(), match.group()
    first, following = WEEKS.get() or (today - timedelta(days=today.weekday()), today + timedelta(7 - today.weekday()))
    if re.search(r"rest|end of|resto|lo que queda", said):
        return _range(today, first + timedelta(days=6))
    weeks = ("week after" in said) - 2 * bool(re.search(r"last|pasada|previous", said))
    is_other = weeks or re.search(r"next|proxim|viene|following|coming|entra", said)
    first = following + timedelta(days=7 * weeks) if is_other else first
    return _range(first, first + timedelta(days=6))


def _weekend(match: re.Match[str], now: datetime) -> Fields:
    today, said = now.date(), match.group()
    weeks = bool(re.search(r"next|proxim|viene", said)) - bool(re.search(r"last|pasado", said))
    saturday = today + timedelta(days=5 - today.weekday() + 7 * weeks)
    sunday = saturday + timedelta(days=1)
    return _range(today if today == sunday else saturday, sunday)


def _month(match: re.Match[str], now: datetime) -> Fields:
    first = now.date().replace(day=1)
    following, day = (first + timedelta(days=32)).replace(day=1), timedelta(days=1)
    if re.search(r"next|proxim|viene", match.group()):
        return _range(following, (following + timedelta(days=32)).replace(day=1) - day)
    if re.search(r"last|pasado", match.group()):
        return _range((first - day).replace(day=1), first - day)
    return _range(now.date(), following - day)


def _count(match: re.Match[str], now: datetime) -> Fields | None:
    days = timedelta(days=int(number(match["n"])) * STEPS[match["unit"][0]])
    if not 0 < days.days <= 400:
        return None
    is_past = re.search(r"last|past|ultim|pasad", match["which"])
    return _range(now.date() - days, now.date()) if is_past else _range(now.date(), now.date() + days)


def _in_days(match: re.Match[str], now: datetime) -> Fields | None:
    days = int(number(match["n"])) * STEPS[match["unit"][0]]
    return _from_today(now, days) if 0 < days <= 400 else None


def _today(match: re.Match[str], now: datetime) -> Fields:
    day, said = _from_today(now, 0), match.group()
    parts = {"morning|esta manana": (8, 12), "afternoon": (12, 17), "evening": (17, 21), "tarde": (12, 20)}
    parts["tonight|tonite|noche"] = (18, 23)
    hours = next((hours for part, hours in parts.items() if re.search(part, said)), None)
    return {**day, "at": hours[0] * 60, "until": hours[1] * 60, "is_vague": True} if hours else day


def _days_off(days: int) -> Reader:
    return lambda match, now: _from_today(now, days)


DAY_AND_MONTH = rf"(?P<d>\d{{1,2}})(st|nd|rd|th)? (of |de )?(?P<month>{MONTH})\b\.?(,? (de |del )?(?P<y>20\d\d))?"
MONTH_AND_DAY = rf"(?P<month>{MONTH})\.? (the )?(?P<d>\d{{1,2}})(st|nd|rd|th)?\b(?!:\d)(,? (?P<y>20\d\d))?"
COUNTED = (
    "(?P<which>next|coming|following|last|past|proximos|proximas|ultimos|ultimas|siguientes) "
    rf"(?P<n>{NUMBER}) (?P<unit>days?|weeks?|months?|dias?|semanas?|meses|mes)"
)
WEEK = r"""
    the week after next | (next|this|the|last|previous|following|coming|current) (school )?week\b(?!\s*end)
    (rest|end) of the week | (this|next) wk | la semana que entra | (el )?resto de la semana | lo que queda de semana
    (?<=how's )my week | (?<=how\sis )my week | (?<=hows )my week | my week (?=look) | (?<=pinta )mi semana
    (?<=viene )mi semana | (?<=esta )mi semana | esta semana | la semana que viene | (la )?proxima semana
    (la )?semana pasada | la semana
"""
WEEKEND = r"""
    ((next|this|the|last|coming) )?weekend
    ((este|el|proximo) )*(fin de semana|finde)( (que viene|proximo|pasado))?
"""
NAMED = (
    rf"((?P<which>this coming|this|next|last|coming|proximo|pasado) )?(?P<day>{WEEKDAY})\b"
    r"( (?P<behind>que viene|proximo|pasado|next week|de la semana que viene|de la proxima semana))?"
)
FROM_HERE = (
    r"(de aqui|desde (hoy|ahora|aqui)|from (now|here|today)|between (now|today)|entre (hoy|ahora))\b"
    r"(?=\s+(to|til+|until|and|a|al|hasta|y)\b)"
)
THE_NTH = r"the (?P<d>\d{1,2})(st|nd|rd|th)\b(?=\s*($|[.,?!;:@\d]|(at|from|by|before|and|to|for|in|of)\b))"
ISO = r"(\d{4})-(\d{1,2})-(\d{1,2})"
Rules = tuple[tuple[re.Pattern[str], Reader], ...]
# Before the rules for hours, because "11/27" or "2026-11-27" must not be read as an hour.
EXACT: Rules = (
    (re.compile(rf"\b{ISO}[t ]([0-2]\d):([0-5]\d)(?::\d\d)?"), _iso),
    (re.compile(rf"\b{ISO}(?=\b|t\d)"), _iso),
    (pattern(DAY_AND_MONTH), _month_day),
    (pattern(MONTH_AND_DAY), _month_day),
    (re.compile(r"\b(?P<m>\d{1,2})/(?P<d>\d{1,2})(?:/(?P<y>20\d\d|\d\d))?\b(?!\s*(?:an\s+)?hour)"), _month_day),
    (pattern(THE_NTH), _of_month),
    (pattern("this (morning|afternoon|evening) | esta (manana|tarde)"), _today),
    (pattern(r"(el )?dia (?P<d>\d{1,2})"), _of_month),
)  # fmt: skip
RULES: Rules = (
    (pattern(FROM_HERE), _days_off(0)),
    (pattern(COUNTED), _count),
    (pattern(rf"(in|within|en|dentro de) (?P<n>{NUMBER}) (?P<unit>days?|weeks?|dias?|semanas?)"), _in_days),
    (pattern(WEEK), _week),
    (pattern(WEEKEND), _weekend),
    (pattern("(next|this|last) month | este mes | (el )?proximo mes | el mes que viene | el mes pasado"), _month),
    (pattern("(the )?day after (tomorrow|tmrw) | pasado manana"), _days_off(2)),
    (pattern("today|todays|2day|tonight|tonite|hoy|esta noche"), _today),
    (pattern("yesterday|last night|ayer|anoche"), _days_off(-1)),
    (pattern("tomm?orr?ows?|tomorow|tommorow|tmrw|tmr|tmw|2moro|2morrow"), _days_off(1)),
    (re.compile(r"(?<!de la )(?<!por la )(?<!en la )(?<!esta )\bmanana\b"), _days_off(1)),
    (pattern(NAMED), _weekday),
    (
        pattern("soon | pronto | in the near future | the next few days | coming days | proximos dias | estos dias"),
        lambda match, now: _range(now.date(), now.date() + timedelta(days=SOON_DAYS), is_vague=True),
    ),
)
