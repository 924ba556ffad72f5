"""`Feed`: what stands in an iCalendar file (RFC 5545), read by the icalendar library, bad entries set aside."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import icalendar

from services.integrations.calendar_feed.rules import can_be_expanded
from services.integrations.wording import one_line

MOST_ENTRIES = 5_000
_BLOCK = re.compile(rb"(BEGIN:VEVENT\r?\n.*?END:VEVENT\r?\n?)", re.DOTALL | re.IGNORECASE)


class NoCalendar(ValueError):
    """The bytes are no calendar; the text says what is missing."""


@dataclass(frozen=True, kw_only=True)
class Feed:
    """name: as the feed calls itself. zone: of its times without a zone, None for the reader's own.

    series: entries by UID: a repeating event with its exceptions, or a single one. unread: how many entries were bad.
    """

    name: str
    zone: ZoneInfo | None
    series: tuple[tuple[icalendar.Event, ...], ...] = field(repr=False)
    unread: int = 0
    zone_name: str = ""


def read_feed(body: bytes, *, default_name: str) -> Feed:
    """Read a file; raises `NoCalendar`. One entry that cannot be read does not spoil the others."""
    if b"BEGIN:VCALENDAR" not in body[:4096].upper():
        raise NoCalendar("it does not begin with BEGIN:VCALENDAR")
    if b"END:VCALENDAR" not in body[-4096:].upper():
        raise NoCalendar("it breaks off before its end")
    calendars, lost = _calendars(body)
    found = [entry for calendar in calendars for entry in calendar.walk("VEVENT")]
    good = [entry for entry in found if isinstance(entry, icalendar.Event) and _is_good(entry)]
    names = [str(calendar.get("X-WR-CALNAME", "")) for calendar in calendars]
    zones = [str(calendar.get("X-WR-TIMEZONE", "")) for calendar in calendars]
    return Feed(
        name=one_line(next(filter(None, names), default_name), 80),
        zone=next((zone for name in zones if (zone := _zone(name))), None),
        zone_name=next((name for name in zones if _zone(name)), ""),
        series=tuple(_by_uid(good[:MOST_ENTRIES])),
        unread=lost + len(found) - min(len(good), MOST_ENTRIES),
    )


def _calendars(body: bytes) -> tuple[list[icalendar.Calendar], int]:
    """The calendars of a file, and how many entries had to be cut out of it to read the rest."""
    try:
        return _parse(body), 0
    except (ValueError, KeyError, IndexError):
        # Once over the file, as one that is all bad entries would take minutes otherwise.
        body, bad = _without_bad_entries(body)
    try:
        return _parse(body), bad
    except (ValueError, KeyError, IndexError):
        return _parse(_only_blocks(body)), bad + 1


def _without_bad_entries(body: bytes) -> tuple[bytes, int]:
    """A file without the entries that cannot be read, and how many those are; only so many are looked at."""
    blocks = _BLOCK.split(body)
    entries = blocks[1::2]
    good = [entry if _can_be_read(entry) else b"" for entry in entries[:MOST_ENTRIES]]
    kept = b"".join(part for pair in zip(blocks[::2], [*good, *[b""] * len(entries)], strict=False) for part in pair)
    return kept, len(entries) - sum(map(bool, good))


def _parse(body: bytes) -> list[icalendar.Calendar]:
    found = icalendar.Calendar.from_ical(body, multiple=True)
    return [one for one in found if isinstance(one, icalendar.Calendar)]


def _can_be_read(block: bytes) -> bool:
    try:
        icalendar.Event.from_ical(block)
    except (ValueError, KeyError, IndexError):
        return False
    return True


def _only_blocks(body: bytes) -> bytes:
    """The entries alone, when what is around them cannot be read."""
    return b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + b"".join(_BLOCK.findall(body)) + b"END:VCALENDAR\r\n"


def _is_good(entry: icalendar.Event) -> bool:
    """Whether it says when it is, and repeats in a way that can be expanded."""
    broken = {name for name, _ in entry.errors}
    if "DTSTART" not in entry or broken & {"DTSTART", "DTEND", "RRULE", "RECURRENCE-ID"}:
        return False
    rules, begins = entry.get("RRULE", []), getattr(entry["DTSTART"], "dt", None)
    given = rules if isinstance(rules, list) else [rules]
    return not given or (isinstance(begins, date) and all(can_be_expanded(rule, begins) for rule in given))


def _by_uid(entries: Iterable[icalendar.Event]) -> Iterator[tuple[icalendar.Event, ...]]:
    groups: dict[str, list[icalendar.Event]] = {}
    for number, entry in enumerate(entries):
        groups.setdefault(str(entry.get("UID", "")) or f"no uid {number}", []).append(entry)
    return (tuple(group) for group in groups.values())


def _zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError):
        return None
