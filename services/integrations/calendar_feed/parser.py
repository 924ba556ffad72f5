"""Parser of iCalendar files (RFC 5545) with the icalendar library, tolerant of bad entries."""

import calendar
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from math import prod
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar

from services.i18n import gettext
from services.integrations.calendar_feed.components import (
    as_event,
    one_master_each,
    text_of,
    unfolded,
    with_plain_days,
)
from services.integrations.calendar_feed.deadlines import FeedDeadlines
from services.safety.text import one_line

MOST_ENTRIES = 5_000
MOST_RULES = 3
"""Of one entry; RFC 5545 (3.8.5.3) advises against a second one, and each may be looked for over a century."""
_EDGE = re.compile(rb"^(?:(BEGIN)|END):V(?:EVENT|TODO)[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.IGNORECASE)
_UNREADABLE = (ValueError, KeyError, IndexError)
_TIMES_OF_A_SERIES = {"DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"}
"""Properties without which nobody can say when it takes place."""
TOO_OFTEN = ("SECONDLY", "MINUTELY", "HOURLY")
"""Nobody's calendar repeats by the minute."""
TIMES_A_DAY = 24
FIRST_YEAR = 1900
_A_LEAP_YEAR = 2024


class NotACalendar(ValueError):
    """Error for bytes that are no calendar; the text says what is missing."""


@dataclass(frozen=True, kw_only=True)
class ParsedFeed:
    """Parsed feed. name: as the feed calls itself. zone: of its times without a zone, None for the reader's own.

    series: a repeating event with its exceptions, or a single one; to-dos are entries without a length.
    deadlines: what the platforms say of them. shared_uids: of several entries that are no series. unread: how many
    entries were bad.
    """

    name: str
    zone: ZoneInfo | None
    series: tuple[tuple[icalendar.Event, ...], ...] = field(repr=False)
    deadlines: FeedDeadlines = field(repr=False, default_factory=lambda: FeedDeadlines(()))
    shared_uids: frozenset[str] = field(repr=False, default=frozenset())
    unread: int = 0
    zone_name: str = ""


def read_feed(body: bytes, *, default_name: str, charset: str | None = None) -> ParsedFeed:
    """Parse a file; raises `NotACalendar`. One entry that cannot be read does not spoil the others.

    charset: what its server says of its letters, for a file that is not the UTF-8 of the format.
    """
    body = with_plain_days(unfolded(text_of(unfolded(body), charset).encode()))
    if b"BEGIN:VCALENDAR" not in body[:4096].upper():
        raise NotACalendar(gettext("it does not begin with BEGIN:VCALENDAR"))
    if b"END:VCALENDAR" not in body[-4096:].upper():
        raise NotACalendar(gettext("it breaks off before its end"))
    calendars, lost = _calendars(body)
    walked = [entry for calendar in calendars for entry in _entries(calendar)]
    events = [event for entry in walked if (event := as_event(entry)) is not None]
    good = [event for event in events if _is_good(event)][:MOST_ENTRIES]
    names = [str(calendar.get("X-WR-CALNAME", "")) for calendar in calendars]
    zones = [str(calendar.get("X-WR-TIMEZONE", "")) for calendar in calendars]
    by_uid = _by_uid(good)
    return ParsedFeed(
        name=one_line(next(filter(None, names), default_name), 80),
        zone=next((zone for name in zones if (zone := _zone(name))), None),
        zone_name=next((name for name in zones if _zone(name)), ""),
        series=tuple(group for groups in by_uid.values() for group in groups),
        deadlines=FeedDeadlines(good),
        shared_uids=frozenset(uid for uid, groups in by_uid.items() if len(groups) > 1),
        unread=lost + len(events) - len(good),
    )


def _entries(calendar: icalendar.Calendar) -> list[icalendar.cal.Component]:
    return [*calendar.walk("VEVENT"), *calendar.walk("VTODO")]


def _calendars(body: bytes) -> tuple[list[icalendar.Calendar], int]:
    """Parse the calendars of a file, and count the entries that had to be cut out to read the rest."""
    with suppress(*_UNREADABLE):
        return _parse_whole(body), 0
    # Once over the file, as one that is all bad entries would take minutes otherwise.
    head, entries, tail, torn = _cut_entries(body)
    good = [entry for entry in entries[:MOST_ENTRIES] if _can_be_read(entry)]
    bad = torn + len(entries) - len(good)
    with suppress(*_UNREADABLE):
        return _parse_whole(b"".join([head, *good, tail])), bad
    # What is around the entries cannot be read either.
    return _parse(b"".join([b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", *good, b"END:VCALENDAR\r\n"])), bad + 1


def _cut_entries(body: bytes) -> tuple[bytes, list[bytes], bytes, int]:
    """Cut the file into its head, the entries, what is around them, and the number of entries that never end.

    In one pass from mark to mark: looking for an end from every beginning takes minutes when there is none.
    """
    around, entries, at, torn = [], [], 0, 0
    begun: int | None = None
    for edge in _EDGE.finditer(body):
        if edge[1]:
            if begun is None:
                around.append(body[at : edge.start()])
            else:
                torn += 1
            begun = edge.start()
        elif begun is not None:
            entries.append(body[begun : edge.end()])
            at, begun = edge.end(), None
    around.append(body[at if begun is None else body.upper().rindex(b"END:VCALENDAR") :])
    return around[0], entries, b"".join(around[1:]), torn + (begun is not None)


def _parse_whole(body: bytes) -> list[icalendar.Calendar]:
    """Parse all of it; raises where an entry that closes its calendar, or never ends, would hide what follows."""
    begun = sum(bool(edge[1]) for edge in _EDGE.finditer(body))
    if begun > MOST_ENTRIES:
        # The library takes its time for each, and most of them would not be shown.
        raise ValueError("there is too much in it")
    calendars = _parse(body)
    if sum(len(_entries(calendar)) for calendar in calendars) < begun:
        raise ValueError("something in it ends too early or never")
    return calendars


def _parse(body: bytes) -> list[icalendar.Calendar]:
    found = icalendar.Calendar.from_ical(body, multiple=True)
    calendars = [item for item in found if isinstance(item, icalendar.Calendar)]
    if not calendars:
        raise ValueError("something in it never ends")
    return calendars


def _can_be_read(block: bytes) -> bool:
    try:
        icalendar.Event.from_ical(block)
    except _UNREADABLE:
        return False
    return True


def _is_good(entry: icalendar.Event) -> bool:
    """Check that an entry has a start, and repeats in a way that can be expanded in time."""
    broken = {name for name, _ in entry.errors}
    if "DTSTART" not in entry or broken & _TIMES_OF_A_SERIES:
        return False
    rules, begins = entry.get("RRULE", []), getattr(entry["DTSTART"], "dt", None)
    given = rules if isinstance(rules, list) else [rules]
    if len(given) > MOST_RULES or _dates(entry) > MOST_ENTRIES:
        return False
    return not given or (isinstance(begins, date) and all(can_be_expanded(rule, begins) for rule in given))


def _dates(entry: icalendar.Event) -> int:
    """Count the single dates that it names, beside its rules."""
    given = entry.get("RDATE", [])
    return sum(len(getattr(line, "dts", ())) for line in (given if isinstance(given, list) else [given]))


def _by_uid(entries: Iterable[icalendar.Event]) -> dict[str, list[tuple[icalendar.Event, ...]]]:
    groups: dict[str, list[icalendar.Event]] = {}
    for number, entry in enumerate(entries):
        groups.setdefault(str(entry.get("UID", "")) or f"no uid {number}", []).append(entry)
    return {uid: list(one_master_each(group)) for uid, group in groups.items()}


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None


def can_be_expanded(rule: Any, begins: datetime | date) -> bool:
    """Check whether a rule (an `icalendar.vRecur`) can be expanded in time: each is searched from its first day on.

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
    """Check whether one of these months has one of these days; days below 0 are counted from its end."""
    given = set(months)
    longest = [calendar.monthrange(_A_LEAP_YEAR, month)[1] for month in range(1, 13) if not given or month in given]
    wanted = set(days)
    return bool(longest) and (not wanted or any(1 <= abs(day) <= max(longest) for day in wanted))


def _numbers(rule: Any, name: str) -> list[int]:
    given = rule.get(name, [])
    return [int(str(item)) for item in (given if isinstance(given, list) else [given])]
