"""Clock: what time it is for the student, as the request's own text tells it."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sandbox.model.rules.dates.vocabulary import MONTH, MONTHS, index_of
from sandbox.model.rules.language.text import fold

CUE = re.compile(
    r"\b(?:now|current (?:date|time|date and time)|today(?:'s date)?(?: is)?|date|time|ahora|hoy(?: es)?|fecha)\b",
    re.IGNORECASE,
)
ZONE = re.compile(r"\b(?:[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_]+)?|UTC)\b")
OFFSET = re.compile(r"(?:(?:UTC|GMT)\s*+|(?<!\s)\s++)?(?P<sign>[+\-−])(?P<h>\d{2}):?(?P<m>\d{2})\b")
ISO = re.compile(r"\b(?P<y>20\d\d)-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)")
WRITTEN = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+|de\s+)?(?P<month1>{MONTH})|"
    rf"(?P<month2>{MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)"
    r"\b,?\s+(?:de\s+|del\s+)?(?P<y>20\d\d)\b"
)
TOLD_WEEKS = re.compile(r"This week: \w{3} ([\d-]{10}) to .* Next week: \w{3} ([\d-]{10}) to ")
CLOCK = re.compile(
    r"(?<![\d+\-−:])(?P<h>\d{1,2}):(?P<m>\d\d)(?::\d\d(?:\.\d+)?)?\s*(?P<half>[ap]\.?m\.?)?", re.IGNORECASE
)


def read_now(texts: Iterable[str], default: datetime) -> datetime:
    """The aware time in the student's zone, from the first text that gives a date; else `default` (aware)."""
    zone: tzinfo | None = None
    for text in texts:
        for line in _lines(text):
            found = _read_line(line)
            if found is not None:
                return found
            zone = zone or _zone(line)
    return default.astimezone(zone) if zone else default


def read_weeks(texts: Iterable[str]) -> tuple[date, date] | None:
    """First days of "this week" and "next week", from the first text that tells them."""
    told = (map(date.fromisoformat, found.groups()) for text in texts if (found := TOLD_WEEKS.search(text)))
    return next(((first, following) for first, following in told), None)


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"\n|</?\w+>", text) if CUE.search(line)]


def _read_line(line: str) -> datetime | None:
    cue = CUE.search(line)
    rest = line[cue.start() :] if cue else line
    found = _date(rest)
    if found is None:
        return None
    (year, month, day), end = found
    clock = CLOCK.search(rest, end) or CLOCK.search(rest)
    hour, minute = _hour(clock) if clock else (12, 0)
    try:
        return datetime(year, month, day, hour, minute, tzinfo=_zone(rest) or UTC)
    except ValueError:
        return None


def _date(text: str) -> tuple[tuple[int, int, int], int] | None:
    if match := ISO.search(text):
        return (int(match["y"]), int(match["m"]), int(match["d"])), match.end()
    if match := WRITTEN.search(fold(text)):
        month = index_of(MONTHS, match["month1"] or match["month2"]) + 1
        return (int(match["y"]), month, int(match["d1"] or match["d2"])), match.end()
    return None


def _hour(clock: re.Match[str]) -> tuple[int, int]:
    hour, half = int(clock["h"]), (clock["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    return hour, int(clock["m"])


def _zone(text: str) -> tzinfo | None:
    for match in ZONE.finditer(text):
        try:
            return ZoneInfo(match.group())
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    if offset := OFFSET.search(text):
        shift = timedelta(hours=int(offset["h"]), minutes=int(offset["m"]))
        return timezone(-shift if offset["sign"] in "-−" else shift)
    return None
