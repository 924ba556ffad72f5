"""Study blocks: sittings of half an hour to ninety minutes in free time, each before its assignment is due."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from services.integrations.canvas.assignments import Assignment

LONGEST_BLOCK = 90
SHORTEST_BLOCK = 30
"""Minutes: less is not worth beginning, so a shorter piece of work gets as much."""
BREAK = 15
_MOST_A_DAY = 120
_LEAST_PACE = 60
_NOON = time(12)


@dataclass(kw_only=True)
class FreeSlot:
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

    @property
    def end(self) -> datetime | None:
        return self.start + timedelta(minutes=self.minutes) if self.start else None


class _Schedule:
    """Schedule in the making. left: minutes of each item, by its place in `items`, that have no room yet."""

    def __init__(self, items: Sequence[Assignment], slots: Iterable[FreeSlot], zone: ZoneInfo, pause: int) -> None:
        self.items, self.blocks = items, list[StudyBlock]()
        self.left = {place: max(item.minutes, SHORTEST_BLOCK) for place, item in enumerate(items)}
        ordered = sorted(slots, key=lambda slot: (slot.day, slot.start is not None, slot.start))
        self._rooms = [replace(slot) for slot in ordered]
        due_days = [last_day(item, zone) for item in items]
        self._last_days = [date.max if item.is_missing else on for item, on in zip(items, due_days, strict=True)]
        self._order = sorted(self.left, key=lambda at: (items[at].is_missing, due_days[at], items[at].title))
        self._pause = pause
        self._used: Counter[tuple[int, date]] = Counter()
        self._studied: Counter[date] = Counter()

    def even_pace(self) -> int:
        """Minutes a day that suffice for all that is due by each day, so that work is spread and nothing is late."""
        days = sorted({room.day for room in self._rooms})
        paces = [_LEAST_PACE]
        for last in {*self._last_days, *days[-1:]}:
            due = sum(minutes for place, minutes in self.left.items() if self._last_days[place] <= last)
            by_then = sum(day <= last for day in days)
            paces += [-(-due // by_then)] if by_then else []
        return max(paces)

    def fill(self, a_day: int | None, an_item: int, *, may_leave_rest: bool = False) -> None:
        """Put blocks into the free slots, which shrink.

        a_day, an_item: minutes of study on a day, in all and for one item. may_leave_rest: what is too short for a
        block may be left over.
        """
        for room in self._rooms:
            while best := self._next(room, a_day, an_item, may_leave_rest):
                place, minutes = best
                self.blocks.append(StudyBlock(day=room.day, minutes=minutes, item=self.items[place], start=room.start))
                self.left[place] -= minutes
                self._used[place, room.day] += minutes
                self._studied[room.day] += minutes
                room.minutes -= minutes + (self._pause if room.start else 0)
                room.start = room.start + timedelta(minutes=minutes + self._pause) if room.start else None

    def _next(self, room: FreeSlot, a_day: int | None, an_item: int, may_leave_rest: bool) -> tuple[int, int] | None:
        """Find the next assignment that fits into the slot, and the minutes of its block."""
        free = room.minutes if a_day is None else min(room.minutes, a_day - self._studied[room.day])
        for place in self._order:
            item, last = self.items[place], self._last_days[place]
            if room.day > last:
                continue
            most = free if last <= room.day else min(free, an_item - self._used[place, room.day])
            if room.start and item.due_at and not item.is_missing:
                most = min(most, int((item.due_at - room.start).total_seconds() // 60))
            minutes = _block_length(self.left[place], most, may_leave_rest)
            if minutes >= SHORTEST_BLOCK:
                return place, minutes
        return None


def spread_over_slots(
    items: Sequence[Assignment],
    slots: Sequence[FreeSlot],
    zone: ZoneInfo,
    *,
    a_day: int | None = None,
    pause: int = BREAK,
) -> tuple[list[StudyBlock], dict[int, int]]:
    """Schedule the assignments, earliest due first, evenly over the days, with breaks between the blocks.

    a_day: minutes of study on a day in all; None for as long as the slots are. pause: minutes of a break. Returns the
    blocks by day, and the minutes of each item (by its place in `items`) that found no room. Where an even pace leaves
    out what would fit otherwise, the days are filled one after another.
    """
    schedules = []
    for is_even in (True, False):
        schedule = _Schedule(items, slots, zone, pause)
        if is_even:
            pace = schedule.even_pace()
            schedule.fill(pace if a_day is None else min(pace, a_day), LONGEST_BLOCK)
        schedule.fill(a_day, _MOST_A_DAY)
        schedule.fill(a_day, _MOST_A_DAY, may_leave_rest=True)
        schedules.append(schedule)
    best = min(schedules, key=lambda schedule: sum(schedule.left.values()))
    return _joined(best.blocks, pause), {place: minutes for place, minutes in best.left.items() if minutes}


def _block_length(left: int, most: int, may_leave_rest: bool) -> int:
    """Minutes of the next block, so that what is left afterwards is nothing or enough for another one."""
    minutes = max(0, min(LONGEST_BLOCK, left, most))
    is_scrap = 0 < left - minutes < SHORTEST_BLOCK
    return max(0, left - SHORTEST_BLOCK) if is_scrap and not may_leave_rest else minutes


def _joined(blocks: Iterable[StudyBlock], pause: int) -> list[StudyBlock]:
    """Sort blocks, and join neighbours of one assignment.

    With times of day only those that make one block of a sensible length, or of any where no break is wanted.
    """
    joined: list[StudyBlock] = []
    for block in sorted(blocks, key=lambda block: (block.day, block.start is not None, block.start)):
        before = next((b for b in reversed(joined) if b.day == block.day and b.item is block.item), None)
        if before is None or not _are_neighbours(before, block, joined[-1], pause):
            joined.append(block)
            continue
        joined[joined.index(before)] = replace(before, minutes=before.minutes + block.minutes)
    return joined


def _are_neighbours(before: StudyBlock, block: StudyBlock, last: StudyBlock, pause: int) -> bool:
    if before.end is None or block.start is None:
        return before.start is block.start
    is_next = before is last and block.start - before.end == timedelta(minutes=pause)
    return is_next and (not pause or before.minutes + block.minutes <= LONGEST_BLOCK)


def last_day(item: Assignment, zone: ZoneInfo) -> date:
    """Last day to work on it: the day before when it is due before noon."""
    if item.due_at is None:
        return date.max
    due = item.due_at.astimezone(zone)
    return due.date() if due.timetz().replace(tzinfo=None) >= _NOON else due.date() - timedelta(days=1)
