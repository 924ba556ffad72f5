"""Proposals of a week: what waiting cards would put into the student's days, and what approved ones have put there."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from services.week.tool_results import parse_time
from services.week.week import EntryKind, Week, WeekEntry

USUAL_LENGTH = timedelta(hours=1)
WAITING, MADE = ("pending", "executing"), "done"
"""Values of `services.approvals.approval.ApprovalStatus`."""


class Card(Protocol):
    """Part of `services.approvals.approval.Approval` that tells what it would do, or has done."""

    @property
    def id(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def executed_arguments(self) -> Mapping[str, Any]: ...


def with_proposals(week: Week, cards: Iterable[Card], zone: ZoneInfo) -> Week:
    """The week with what cards that wait propose as entries of their own, and what approved cards made as planned."""
    known = list(cards)
    waiting = [entry for card in known if card.status in WAITING for entry in _entries(card, week, zone)]
    made = {
        (entry.title, entry.start): card.id
        for card in known
        if card.status == MADE
        for entry in _entries(card, week, zone)
    }
    entries = (
        replace(entry, card=made.get((entry.title, entry.start), "")) if entry.can_change else entry
        for entry in week.entries
    )
    proposed = [entry for entry in waiting if any(entry.touches(day) for day in week.days)]
    return replace(week, entries=tuple(sorted([*entries, *proposed], key=lambda entry: entry.order)))


def _entries(card: Card, week: Week, zone: ZoneInfo) -> Iterator[WeekEntry]:
    """Entries that a card's arguments name by their times, as the calendar's tools call them. A call of another shape
    has none.
    """
    given = card.executed_arguments
    changed = next((entry for entry in week.entries if entry.id == given.get("event_id")), None)
    title = given.get("title") or (changed.title if changed else "")
    starts = given.get("starts") or [given.get("start")]
    if not isinstance(title, str) or not title or not isinstance(starts, list | tuple):
        return
    for number, written in enumerate(starts):
        if (times := _times(written, given, changed, zone)) is not None:
            start, end, is_whole_day = times
            yield WeekEntry(
                kind=EntryKind.EVENT,
                id=f"{card.id}/{number}",
                title=title,
                start=start,
                end=end,
                is_whole_day=is_whole_day,
                is_busy=False,
                card=card.id,
                is_proposed=True,
            )


def _times(
    written: object, given: Mapping[str, Any], changed: WeekEntry | None, zone: ZoneInfo
) -> tuple[datetime, datetime, bool] | None:
    """Start, end and whether it lasts whole days; None for what names no time."""
    written = written or (changed.start.isoformat() if changed and given.get("end") else None)
    try:
        start = parse_time(str(written), zone)
        end = parse_time(str(given["end"]), zone) if given.get("end") else None
        minutes = int(given.get("duration_minutes") or 0)
    except (ValueError, TypeError, OverflowError):
        return None
    is_whole_day = len(str(written)) <= len("2026-11-27")
    if is_whole_day:
        return start, (end or start) + timedelta(days=1), True
    length = changed.end - changed.start if changed and changed.end else USUAL_LENGTH
    return start, end or start + (timedelta(minutes=minutes) if minutes else length), False
