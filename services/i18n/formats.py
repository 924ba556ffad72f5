"""Days, times and numbers as the current locale writes them, for a person; what the model reads is in `english`."""

import re
from datetime import date, datetime, time
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_decimal, format_percent, get_decimal_symbol, get_group_symbol

from services.i18n.locale import get_locale

_LAST_DIGIT = re.compile(r"0(?=[^0]*$)")


def day(on: date) -> str:
    """Write a day: "Fri 27 Nov 2026", "vie 27 nov 2026"."""
    return pattern(on, "EEE d MMM y")


def short_day(on: date) -> str:
    """Write a day of this year: "Fri 27 Nov"."""
    return pattern(on, "EEE d MMM")


def weekday(on: date) -> str:
    """Write the day of the week: "Friday"."""
    return pattern(on, "EEEE")


def pattern(on: date, wanted: str) -> str:
    """Write a day, that of an aware time in its own zone too, by a CLDR pattern ("d MMM y") no function above has."""
    return _formatted_day(on.date() if isinstance(on, datetime) else on, wanted, get_locale())


def clock(at: datetime | time) -> str:
    """Write the time of day, of an aware time in its own zone: "11:59 PM", "23:59" where nobody says PM."""
    return _formatted_time(at.hour, at.minute, get_locale())


def zone_name(at: datetime) -> str:
    """Write the short name of an aware time's zone: "CST", or "UTC-03" where a zone has only a number."""
    name = at.tzname() or ""
    return f"UTC{name}" if name[:1] in "+-" else name


def moment(at: datetime, zone: ZoneInfo) -> str:
    """Write an aware time in a zone: "Fri 27 Nov 2026, 11:59 PM CST"."""
    local = at.astimezone(zone)
    return f"{day(local)}, {clock(local)} {zone_name(local)}"


def short_moment(at: datetime) -> str:
    """Write an aware time of this year in its own zone: "Fri 27 Nov, 11:59 PM"."""
    return f"{short_day(at)}, {clock(at)}"


def due(at: datetime, *, is_whole_day: bool, day: str = "") -> str:
    """Write when something is due: as `short_moment`, without an hour where a whole day is meant.

    day: words for that day, such as "today".
    """
    named = day or short_day(at)
    return named if is_whole_day else f"{named}, {clock(at)}"


def span(start: datetime, end: datetime, zone: ZoneInfo) -> str:
    """Write a stretch of time in a zone: "Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST", with two days where it has two."""
    first, last = start.astimezone(zone), end.astimezone(zone)
    if first.date() == last.date() and zone_name(first) == zone_name(last):
        return f"{day(first)}, {clock(first)} – {clock(last)} {zone_name(last)}"
    return f"{moment(first, zone)} – {moment(last, zone)}"


def number(value: float, digits: int | None = None) -> str:
    """Write a number: "1,234.5", "1.234,5"; `digits` after the point, or as many as it has up to three."""
    wanted = None if digits is None else f"#,##0.{'0' * digits}".rstrip(".")
    return format_decimal(value, wanted, locale=_cldr(get_locale()))


def percent(share: float, digits: int = 0) -> str:
    """Write a share of one: "94%", "94 %"."""
    cldr = _cldr(get_locale())
    # The locale's own pattern, which says what stands between the number and its sign.
    wanted = _LAST_DIGIT.sub(f"0.{'0' * digits}" if digits else "0", cldr.percent_formats[None].pattern)
    return format_percent(share, wanted, locale=cldr)


def separators() -> tuple[str, str]:
    """The decimal and the thousands separator of a number: (".", ","), (",", ".")."""
    cldr = _cldr(get_locale())
    return get_decimal_symbol(cldr), get_group_symbol(cldr)


@cache
def _cldr(tag: str) -> Locale:
    return Locale.parse(tag, sep="-")


# A page writes a hundred of these, and Babel takes 0.05 ms for each.
@lru_cache(maxsize=4096)
def _formatted_day(on: date, wanted: str, tag: str) -> str:
    return format_date(on, wanted, locale=_cldr(tag))


@lru_cache(maxsize=4096)
def _formatted_time(hour: int, minute: int, tag: str) -> str:
    cldr = _cldr(tag)
    return format_time(time(hour, minute), "h:mm a" if _has_am_pm(cldr) else "H:mm", locale=cldr)


@cache
def _has_am_pm(cldr: Locale) -> bool:
    return "a" in cldr.time_formats["short"].pattern
