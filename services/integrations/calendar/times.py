"""Parsing of dates and times in the student's time zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.errors import BadArguments
from services.i18n import formats, gettext, gettext_noop
from services.safety.text import one_line

FIRST_YEAR, LAST_YEAR = 1990, 2100


def parse_day(text: str, zone: ZoneInfo, field: str) -> date:
    """Parse "2026-11-27", or the day of "2026-11-27T15:00"; raises `BadArguments`.

    A time with an offset falls on the day that it is in `zone`: "2026-12-04T03:00:00Z" on the 3rd in Chicago.
    """
    try:
        written = datetime.fromisoformat(text)
        return _in_reach((written.astimezone(zone) if written.tzinfo else written).date(), field)
    except (ValueError, OverflowError):
        raise _unreadable(
            gettext_noop("{field}: “{text}” is not a date; write it like 2026-11-27."), field, text
        ) from None


def parse_moment(text: str, zone: ZoneInfo, field: str) -> datetime:
    """Parse "2026-11-27T15:00" as a time in `zone`, or with an offset ("…Z", "…-06:00") as it says.

    The answer is aware and in `zone`. Raises `BadArguments` for anything else, for a date without a time, and for a
    time that the clocks skip that day. Of a time that happens twice, the first is meant.
    """
    try:
        written = datetime.fromisoformat(text)
    except ValueError:
        raise _unreadable(
            gettext_noop("{field}: “{text}” is not a time; write it like 2026-11-27T15:00."), field, text
        ) from None
    if len(text) <= len("2026-11-27"):
        raise _unreadable(
            gettext_noop("{field}: “{text}” lacks the time of day; write it like 2026-11-27T15:00."), field, text
        )
    _in_reach(written.date(), field)
    return written.astimezone(zone) if written.tzinfo else at_local(written, zone, field)


def at_local(naive: datetime, zone: ZoneInfo, field: str) -> datetime:
    """Convert a local time to the moment in `zone`; raises `BadArguments` for a time that the clocks skip."""
    local = naive.replace(tzinfo=zone, fold=0)
    if _is_skipped(local, zone):
        raise BadArguments(
            gettext(
                "{field}: there is no {clock} on {day} in {zone}, because the clocks go forward then.",
                field=field,
                clock=formats.clock(local),
                day=formats.day(local),
                zone=zone.key,
            ),
            field=field,
        )
    return local


def parse_clock(text: str, field: str) -> time:
    """Parse a time of day, "08:00"; raises `BadArguments`."""
    try:
        return time.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        raise _unreadable(
            gettext_noop("{field}: “{text}” is not a time of day; write it like 08:00."), field, text
        ) from None


def earliest(on: date, at: time, zone: ZoneInfo) -> datetime:
    """First moment of a local time on a day or, where the clocks skip it, the moment they jump over it."""
    local = datetime.combine(on, at, zone)
    return local.astimezone(UTC).astimezone(zone) if _is_skipped(local, zone) else local


def latest(on: date, at: time, zone: ZoneInfo) -> datetime:
    """Last moment of a local time on a day: of a time that happens twice, the second."""
    return earliest(on, at, zone).replace(fold=1)


def start_of(on: date, zone: ZoneInfo) -> datetime:
    """First moment of a day in a zone."""
    return earliest(on, time.min, zone)


def after(moment: datetime, minutes: int) -> datetime:
    """Moment that many real minutes later, whatever the clocks do in between."""
    return (moment.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(moment.tzinfo)


def date_of(at: datetime | date) -> date:
    """Day of a moment in its own zone; a day is itself."""
    return at.date() if isinstance(at, datetime) else at


def _unreadable(wrong: str, field: str, text: str) -> BadArguments:
    return BadArguments(gettext(wrong, field=field, text=one_line(text, 40)), field=field)


def _is_skipped(local: datetime, zone: ZoneInfo) -> bool:
    return local.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local.replace(tzinfo=None)


def _in_reach(on: date, field: str) -> date:
    if not FIRST_YEAR <= on.year <= LAST_YEAR:
        raise BadArguments(gettext("{field}: the year {year} is out of reach.", field=field, year=on.year), field=field)
    return on
