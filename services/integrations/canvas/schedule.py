"""Spreading work over days: each piece before it is due, the earliest first, in sittings of at most ninety minutes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.integrations.canvas.assignments import Assignment

SITTING = 90
_SHORTEST = 30
_MOST_A_DAY = 120
_NOON = time(12)
RULE = (
    "Planned by: the earliest due first and before its due date, at most 2 hours a day for one thing unless it is due "
    "that day, in sittings of at most 1½ hours; what is missing already comes last."
)


@dataclass(kw_only=True)
class Slot:
    """Time that can be used on a day; `start` is known where a calendar told it."""

    day: date
    minutes: int
    start: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """Minutes for one piece of work on a day."""

    day: date
    minutes: int
    item: Assignment
    start: datetime | None = None


def spread(items: Sequence[Assignment], slots: Sequence[Slot], zone: ZoneInfo) -> tuple[list[Sitting], dict[int, int]]:
    """The sittings by day, and the minutes of each item (by its place in `items`) that found no room."""
    left = {place: item.minutes for place, item in enumerate(items)}
    order = sorted(left, key=lambda place: (items[place].is_missing, last_day(items[place], zone), items[place].title))
    sittings: list[Sitting] = []
    used: dict[tuple[int, date], int] = {}
    for slot in sorted(slots, key=lambda slot: (slot.day, slot.start is not None, slot.start)):
        room = Slot(day=slot.day, minutes=slot.minutes, start=slot.start)
        while place := _next(order, left, used, items, room, zone):
            index = place[0]
            minutes = min(SITTING, left[index], room.minutes, place[1])
            _sit(sittings, Sitting(day=room.day, minutes=minutes, item=items[index], start=room.start))
            left[index] -= minutes
            used[index, room.day] = used.get((index, room.day), 0) + minutes
            room.minutes -= minutes
            room.start = room.start + timedelta(minutes=minutes) if room.start else None
    return sittings, {place: minutes for place, minutes in left.items() if minutes}


def _next(
    order: Sequence[int],
    left: dict[int, int],
    used: dict[tuple[int, date], int],
    items: Sequence[Assignment],
    room: Slot,
    zone: ZoneInfo,
) -> tuple[int, int] | None:
    """The next piece of work that fits into the room, with the minutes it may still take that day."""
    for index in order:
        last = last_day(items[index], zone)
        allowed = left[index] if last <= room.day else _MOST_A_DAY - used.get((index, room.day), 0)
        fits = min(_SHORTEST, left[index]) <= room.minutes and allowed >= min(_SHORTEST, left[index])
        if left[index] and fits and (room.day <= last or items[index].is_missing):
            return index, allowed
    return None


def _sit(sittings: list[Sitting], new: Sitting) -> None:
    """Add it; without times of day, more of the same on the same day is one amount."""
    last = sittings[-1] if sittings else None
    if last and new.start is None and last.day == new.day and last.item is new.item:
        sittings[-1] = Sitting(day=new.day, minutes=last.minutes + new.minutes, item=new.item)
    else:
        sittings.append(new)


def last_day(item: Assignment, zone: ZoneInfo) -> date:
    """The last day on which one can still work on it: the day before when it is due before noon."""
    if item.due_at is None:
        return date.max
    due = item.due_at.astimezone(zone)
    return due.date() if due.timetz().replace(tzinfo=None) >= _NOON else due.date() - timedelta(days=1)
