"""Entries of a week for tests, with times in Chicago."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.week.week import EntryKind, Week, WeekEntry

CHICAGO = ZoneInfo("America/Chicago")
NOON = datetime(2026, 11, 25, 12, tzinfo=CHICAGO)
"""A Wednesday."""
SUNDAY = NOON.date() - timedelta(days=3)


def at(written: str, zone: ZoneInfo = CHICAGO) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=zone)


def event(title: str, start: str, end: str, **more: Any) -> WeekEntry:
    zone = more.pop("zone", CHICAGO)
    return WeekEntry(kind=EntryKind.EVENT, id=title, title=title, start=at(start, zone), end=at(end, zone), **more)


def due(title: str, when: str, **more: Any) -> WeekEntry:
    return WeekEntry(kind=EntryKind.DUE, id=title, title=title, start=at(when), **more)


def week_of(*entries: WeekEntry, **more: Any) -> Week:
    return Week(**{"first": SUNDAY, "as_of": NOON, "entries": entries, "has_calendar": True, "can_write": True, **more})
