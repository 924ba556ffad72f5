"""Study blocks: sittings of at most ninety minutes, each before its assignment is due, in the time that is free."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.integrations.canvas.assignments import Assignment

LONGEST_BLOCK = 90
SHORTEST_BLOCK = 30
_BREAK = 15
_MOST_A_DAY = 120
_NOON = time(12)


@dataclass(kw_only=True)
class StudySlot:
    """Free time on a day; `start` is known where a calendar told it."""

    day: date
    minutes: int
    start: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class StudyBlock:
    """Minutes for one assignment on a day."""

    day: date
    minutes: int
    item: Assignment
    start: datetime | None = None


class _Spread:
    """Schedule in the making. left: minutes of each item, by its place in `items`, that have no room yet."""

    def __init__(self, items: Sequence[Assignment], zone: ZoneInfo, a_day: int | None) -> None:
        self.items, self.sittings = items, list[StudyBlock]()
        self.left = {place: item.minutes for place, item in enumerate(items)}
        self._last_days = [last_day(item, zone) for item in items]
        self._order = sorted(self.left, key=lambda at: (items[at].is_missing, self._last_days[at], items[at].title))
        self._a_day = a_day
        self._used: Counter[tuple[int, date]] = Counter()
        self._studied: Counter[date] = Counter()

    def fill(self, room: StudySlot, *, may_leave_rest: bool) -> None:
        """Put sittings into a slot, which shrinks; may_leave_rest: what is too short for a sitting may be left over."""
        while best := self._next(room, may_leave_rest):
            index, minutes = best
            _append_block(
                self.sittings, StudyBlock(day=room.day, minutes=minutes, item=self.items[index], start=room.start)
            )
            self.left[index] -= minutes
            self._used[index, room.day] += minutes
            self._studied[room.day] += minutes
            room.minutes -= minutes + (_BREAK if room.start else 0)
            room.start = room.start + timedelta(minutes=minutes + _BREAK) if room.start else None

    def _next(self, room: StudySlot, may_leave_rest: bool) -> tuple[int, int] | None:
        """Find the next assignment that fits into the slot, and the minutes of its sitting."""
        free = room.minutes if self._a_day is None else min(room.minutes, self._a_day - self._studied[room.day])
        for index in self._order:
            item, last = self.items[index], self._last_days[index]
            if not item.is_missing and room.day > last:
                continue
            most = free if last <= room.day else min(free, _MOST_A_DAY - self._used[index, room.day])
            if room.start and item.due_at and not item.is_missing:
                most = min(most, int((item.due_at - room.start).total_seconds() // 60))
            minutes = _sitting(self.left[index], most, may_leave_rest)
            if minutes and minutes >= min(SHORTEST_BLOCK, item.minutes):
                return index, minutes
        return None


def spread_over_slots(
    items: Sequence[Assignment], slots: Sequence[StudySlot], zone: ZoneInfo, *, a_day: int | None = None
) -> tuple[list[StudyBlock], dict[int, int]]:
    """Schedule the assignments, earliest due first, in sittings of a sensible length, with breaks between them.

    a_day: minutes of study on a day in all; None for as long as the slots are. Returns the blocks by day, and the
    minutes of each item (by its place in `items`) that found no room.
    """
    spread = _Spread(items, zone, a_day)
    ordered = sorted(slots, key=lambda slot: (slot.day, slot.start is not None, slot.start))
    rooms = [StudySlot(day=slot.day, minutes=slot.minutes, start=slot.start) for slot in ordered]
    for may_leave_rest in (False, True):
        for room in rooms:
            spread.fill(room, may_leave_rest=may_leave_rest)
    sittings = sorted(spread.sittings, key=lambda block: (block.day, block.start is not None, block.start))
    return sittings, {place: minutes for place, minutes in spread.left.items() if minutes}


def _sitting(left: int, most: int, may_leave_rest: bool) -> int:
    """Minutes of the next sitting, so that what is left afterwards is nothing or enough for another one."""
    minutes = max(0, min(LONGEST_BLOCK, left, most))
    is_scrap = 0 < left - minutes < SHORTEST_BLOCK
    return max(0, left - SHORTEST_BLOCK) if is_scrap and not may_leave_rest else minutes


def _append_block(sittings: list[StudyBlock], new: StudyBlock) -> None:
    """Append a block; without times of day, blocks of the same assignment and day are joined."""
    for at, block in enumerate(sittings):
        if new.start is None and block.start is None and block.day == new.day and block.item is new.item:
            sittings[at] = StudyBlock(day=new.day, minutes=block.minutes + new.minutes, item=new.item)
            return
    sittings.append(new)


def last_day(item: Assignment, zone: ZoneInfo) -> date:
    """Last day to work on it: the day before when it is due before noon."""
    if item.due_at is None:
        return date.max
    due = item.due_at.astimezone(zone)
    return due.date() if due.timetz().replace(tzinfo=None) >= _NOON else due.date() - timedelta(days=1)
