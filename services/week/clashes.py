"""Clashes of a week: events that take the student's time at the same time."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from services.week.week import EntryKind, WeekEntry

Clash = tuple[WeekEntry, WeekEntry]


def find_clashes(entries: Iterable[WeekEntry]) -> tuple[Clash, ...]:
    """Pairs of events that overlap, in order of their start; as `calendar_find_conflicts` counts them: events marked as
    free, due dates and whole-day events do not.
    """
    busy = sorted((entry for entry in entries if _takes_time(entry)), key=lambda entry: entry.order)
    return tuple(
        (entry, other)
        for index, entry in enumerate(busy)
        for other in busy[index + 1 :]
        if _utc(other.start) < _utc(entry.end or entry.start)
    )


def clashing_titles(clashes: Iterable[Clash]) -> Mapping[str, tuple[str, ...]]:
    """Titles that each clashing event overlaps with, by its id."""
    found: dict[str, tuple[str, ...]] = {}
    for entry, other in clashes:
        found[entry.id] = (*found.get(entry.id, ()), other.title)
        found[other.id] = (*found.get(other.id, ()), entry.title)
    return found


def _takes_time(entry: WeekEntry) -> bool:
    has_length = entry.end is not None and _utc(entry.end) > _utc(entry.start)
    return entry.kind is EntryKind.EVENT and entry.is_busy and not entry.is_whole_day and has_length


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
