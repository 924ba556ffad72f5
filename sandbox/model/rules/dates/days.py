"""Rules that read days and ranges of days: "next Tuesday", "27 Nov", "this week", "la semana que viene"."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from sandbox.model.rules.dates.vocabulary import MONTH, MONTHS, NUMBER, WEEKDAY, WEEKDAYS, index_of, number

Fields = dict[str, Any]
Reader = Callable[[re.Match[str], datetime], Fields | None]
SOON_DAYS = 7


def _day(value: date) -> Fields:
    return {"kind": "day", "first": value, "last": value}


def _range(first: date, last: date, *, is_vague: bool = False) -> Fields:
    return {"kind": "range", "first": first, "last": last, "is_vague": is_vague}


def _iso(match: re.Match[str], now: datetime) -> Fields | None:
    return _dated(int(match["y"]), int(match["m"]), int(match["d"]))


def _iso_time(match: re.Match[str], now: datetime) -> Fields | None:
    try:
        day = datetime(
            int(match["y"]),
            int(match["m"]),
            int(match["d"]),
            int(match["hour"]),
            int(match["minute"]),
            tzinfo=now.tzinfo,
        )
    except ValueError:
        return None
    return {"kind": "moment", "moment": day}


def _dated(year: int, month: int, day: int) -> Fields | None:
    try:
        return _day(date(year, month, day))
    except ValueError:
        return None


def _month_day(match: re.Match[str], now: datetime) -> Fields | None:
    month = index_of(MONTHS, match["month"]) + 1
    return _near(month, int(match["d"]), int(match["y"]) if match["y"] else None, now)


def _slashed(match: re.Match[str], now: datetime) -> Fields | None:
    month, day = int(match["m"]), int(match["d"])
    if month > 12:
        month, day = day, month
    year = match["y"]
    return _near(month, day, int(year) + (2000 if len(year) == 2 else 0) if year else None, now)


def _near(month: int, day: int, year: int | None, now: datetime) -> Fields | None:
    # Without a year, the date nearest to now that lies at most three months back.
    if year is not None:
        return _dated(year, month, day)
    for candidate in (now.year - 1, now.year, now.year + 1):
        fields = _dated(candidate, month, day)
        if fields is not None and fields["first"] >= now.date() - timedelta(days=90):
            return fields
    return None


def _of_month(match: re.Match[str], now: datetime) -> Fields | None:
    day, month_start = int(match["d"]), now.date().replace(day=1)
    for _ in range(3):
        fields = _dated(month_start.year, month_start.month, day)
        if fields is not None and fields["first"] >= now.date():
            return fields
        month_start = (month_start + timedelta(days=32)).replace(day=1)
    return None


def _relative(match: re.Match[str], now: datetime) -> Fields:
    word = match.group().strip()
    if re.search(r"after|pasado|overmorrow", word):
        return _day(now.date() + timedelta(days=2))
    if re.match(r"to?d|tonight|2day|tonite|hoy|esta noche|esta tarde|this (?:morning|aft|even|night)", word):
        return _day(now.date())
    back = re.match(r"yest|ayer|last night|anoche", word)
    return _day(now.date() + timedelta(days=-1 if back else 1))


def _weekday(match: re.Match[str], now: datetime) -> Fields:
    today, wanted = now.date(), index_of(WEEKDAYS, match["day"])
    ahead = (wanted - today.weekday()) % 7
    said = (match["which"] or "") + " " + (match["behind"] or "")
    if re.search(r"last|pasado", said):
        return _day(today - timedelta(days=(today.weekday() - wanted) % 7 or 7))
    if re.search(r"\bnext|proxim|que viene|week", said) and "coming" not in said:
        monday = today - timedelta(days=today.weekday())
        return _day(monday + timedelta(days=7 + wanted))
    return {**_day(today + timedelta(days=ahead)), "is_weekly": True}


def _week(match: re.Match[str], now: datetime) -> Fields:
    today, said = now.date(), match.group()
    sunday = today + timedelta(days=6 - today.weekday())
    if re.search(r"next|proxim|viene|following|coming|entra", said):
        after = 14 if re.search(r"week after|despues de la", said) else 7
        return _range(sunday + timedelta(days=after - 6), sunday + timedelta(days=after))
    if re.search(r"last|pasada|previous", said):
        return _range(sunday - timedelta(days=13), sunday - timedelta(days=7))
    if re.search(r"rest|end of|resto|lo que queda", said):
        return _range(today, sunday)
    # The whole week, as calendars show it, from Monday to Sunday, whichever day it is.
    return _range(sunday - timedelta(days=6), sunday)


def _weekend(match: re.Match[str], now: datetime) -> Fields:
    today = now.date()
    saturday = today + timedelta(days=5 - today.weekday())
    if re.search(r"next|proxim|viene", match.group()):
        saturday += timedelta(days=7)
    if re.search(r"last|pasado", match.group()):
        saturday -= timedelta(days=7)
    return _range(
        max(saturday, today) if saturday <= today <= saturday + timedelta(days=1) else saturday,
        saturday + timedelta(days=1),
    )


def _month(match: re.Match[str], now: datetime) -> Fields:
    first = now.date().replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    if re.search(r"next|proxim|viene", match.group()):
        return _range(following, (following + timedelta(days=32)).replace(day=1) - timedelta(days=1))
    if re.search(r"last|pasado", match.group()):
        return _range((first - timedelta(days=1)).replace(day=1), first - timedelta(days=1))
    return _range(now.date(), following - timedelta(days=1))


def _count(match: re.Match[str], now: datetime) -> Fields | None:
    amount = int(number(match["n"])) if match["n"] else 1
    step = 7 if re.match(r"week|semana", match["unit"]) else 30 if re.match(r"month|mes", match["unit"]) else 1
    if not 0 < amount * step <= 400:
        return None
    if re.search(r"last|past|ultim|pasad", match["which"]):
        return _range(now.date() - timedelta(days=amount * step), now.date())
    return _range(now.date(), now.date() + timedelta(days=amount * step))


def _in_days(match: re.Match[str], now: datetime) -> Fields | None:
    step = 7 if re.match(r"week|semana", match["unit"]) else 1
    amount = int(number(match["n"])) * step
    return _day(now.date() + timedelta(days=amount)) if 0 < amount <= 400 else None


def _soon(match: re.Match[str], now: datetime) -> Fields:
    return _range(now.date(), now.date() + timedelta(days=SOON_DAYS), is_vague=True)


def _part_today(match: re.Match[str], now: datetime) -> Fields:
    hours = {"morning": (8, 12), "manana": (8, 12), "afternoon": (12, 17), "evening": (17, 21), "tarde": (12, 20)}
    first, last = hours[match["part"] or match["part2"]]
    return {**_day(now.date()), "at": first * 60, "until": last * 60, "is_vague": True}


def _tonight(match: re.Match[str], now: datetime) -> Fields:
    if re.match(r"toni|esta noche", match.group()):
        return {**_day(now.date()), "at": 18 * 60, "until": 23 * 60, "is_vague": True}
    return _day(now.date())


COUNTED_DAYS = (
    r"\b(?P<which>next|coming|following|last|past|proximos|proximas|ultimos|ultimas|siguientes)\s+"
    rf"(?P<n>{NUMBER})\s+(?P<unit>days?|weeks?|months?|dias?|semanas?|meses|mes)\b"
)
WEEK = (
    r"\bthe week after next\b"
    r"|\b(?:next|this|the|last|previous|following|coming|current)\s+(?:school\s+)?week\b(?!\s*end)"
    r"|\b(?:rest|end) of the week\b|\b(?:this|next) wk\b|\b(?:la\s+semana\s+que\s+entra"
    r"|(?:el\s+)?resto\s+de\s+la\s+semana|lo\s+que\s+queda\s+de\s+semana)\b"
    r"|(?<=how's )my week\b|(?<=how is )my week\b|(?<=hows )my week\b|\bmy week (?=look)"
    r"|(?<=pinta )mi semana\b|(?<=viene )mi semana\b|(?<=esta )mi semana\b"
    r"|\besta semana\b|\bla semana que viene\b"
    r"|\b(?:la\s+)?proxima semana\b|\b(?:la\s+)?semana pasada\b|\bla semana\b"
)
WEEKEND = (
    r"\b(?:(?:next|this|the|last|coming)\s+)?weekend\b"
    r"|\b(?:(?:este|el|proximo)\s+)*(?:fin de semana|finde)(?:\s+(?:que viene|proximo|pasado))?\b"
)
WHOLE_MONTH = (
    r"\b(?:next|this|last)\s+month\b|\beste mes\b|\b(?:el\s+)?proximo mes\b|\bel mes que viene\b|\bel mes pasado\b"
)
NAMED_DAY = (
    rf"\b(?:(?P<which>this coming|this|next|last|coming|proximo|pasado)\s+)?(?P<day>{WEEKDAY})\b"
    r"(?:\s+(?P<behind>que viene|proximo|pasado|next week|de la semana que viene|de la proxima semana))?"
)
DAY_AND_MONTH = (
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+|de\s+)?(?P<month>{MONTH})\b\.?"
    r"(?:,?\s+(?:de\s+|del\s+)?(?P<y>20\d\d))?"
)
MONTH_AND_DAY = (
    rf"\b(?P<month>{MONTH})\.?\s+(?:the\s+)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:\d)(?:,?\s+(?P<y>20\d\d))?"
)
THE_NTH = (
    r"\bthe\s+(?P<d>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:$|[.,?!;:@\d]|(?:at|from|by|before|and|to|for|in|of)\b))"
)
ISO_MOMENT = r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})[t ](?P<hour>[0-2]\d):(?P<minute>[0-5]\d)(?::\d\d)?"
SOON = (
    r"\bsoon\b|\bpronto\b|\bin the near future\b|\bthe next few days\b|\bcoming days\b|\bproximos dias\b|\bestos dias\b"
)
# Before the rules for hours, because "11/27" or "2026-11-27" must not be read as an hour.
EXACT: tuple[tuple[str, Reader], ...] = (
    (ISO_MOMENT, _iso_time),
    (r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})(?=\b|t\d)", _iso),
    (DAY_AND_MONTH, _month_day),
    (MONTH_AND_DAY, _month_day),
    (r"\b(?P<m>\d{1,2})/(?P<d>\d{1,2})(?:/(?P<y>20\d\d|\d\d))?\b(?!\s*(?:an\s+)?hour)", _slashed),
    (THE_NTH, _of_month),
    (r"\bthis (?P<part>morning|afternoon|evening)\b|\besta (?P<part2>manana|tarde)\b", _part_today),
    (r"\b(?:el\s+)?dia\s+(?P<d>\d{1,2})\b", _of_month),
)
FROM_HERE = (
    r"\b(?:de aqui|desde (?:hoy|ahora|aqui)|from (?:now|here|today)|between (?:now|today)|entre (?:hoy|ahora))\b"
    r"(?=\s+(?:to|til+|until|and|a|al|hasta|y)\b)"
)
RULES: tuple[tuple[str, Reader], ...] = (
    (FROM_HERE, lambda match, now: _day(now.date())),
    (COUNTED_DAYS, _count),
    (rf"\b(?:in|within|en|dentro de)\s+(?P<n>{NUMBER})\s+(?P<unit>days?|weeks?|dias?|semanas?)\b", _in_days),
    (WEEK, _week),
    (WEEKEND, _weekend),
    (WHOLE_MONTH, _month),
    (r"\b(?:the\s+)?day after (?:tomorrow|tmrw)\b|\bpasado manana\b", _relative),
    (r"\b(?:today|todays|2day|tonight|tonite|hoy|esta noche)\b", _tonight),
    (r"\b(?:yesterday|last night|ayer|anoche)\b", _relative),
    (r"\b(?:tomm?orr?ows?|tomorow|tommorow|tmrw|tmr|tmw|2moro|2morrow)\b", _relative),
    (r"(?<!de la )(?<!por la )(?<!en la )(?<!esta )\bmanana\b", _relative),
    (NAMED_DAY, _weekday),
    (SOON, _soon),
)
