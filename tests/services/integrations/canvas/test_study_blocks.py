"""When to do what: before it is due, in time that is free, in sittings worth beginning, spread over the days."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.canvas.assignment_kinds import AssignmentKind
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.study_blocks import (
    LONGEST_BLOCK,
    SHORTEST_BLOCK,
    FreeSlot,
    StudyBlock,
    last_day,
    spread_over_slots,
)

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 23, 15, 0, tzinfo=UTC)
TODAY = date(2026, 11, 23)


@dataclass(frozen=True, kw_only=True)
class TimedWork(Assignment):
    """Assignment of any length."""

    length: int

    @property
    def minutes(self) -> int:
        return self.length


def work(id: int, days: float, length: int, *, is_missing: bool = False) -> TimedWork:
    return TimedWork(
        id=id,
        course_id=1,
        course="Bio",
        title=f"W{id}",
        url="https://c",
        points=20.0,
        kind=AssignmentKind.HOMEWORK,
        due_at=NOW + timedelta(days=days),
        is_missing=is_missing,
        length=length,
    )


def in_hours(*hours: int, minutes: int, day: int = 1) -> list[FreeSlot]:
    """Free time of a day that begins at these hours, in UTC."""
    starts = [datetime(2026, 11, 23, hour, tzinfo=UTC) + timedelta(days=day) for hour in hours]
    return [FreeSlot(day=start.date(), minutes=minutes, start=start) for start in starts]


def lengths(blocks: list[StudyBlock]) -> list[tuple[int, int, int]]:
    """Days from today, id and minutes of each block."""
    return [((block.day - TODAY).days, int(block.item.id), block.minutes) for block in blocks]


def test_long_work_is_spread_over_the_days_before_it_is_due() -> None:
    slots = [FreeSlot(day=TODAY + timedelta(days=on), minutes=180) for on in range(6)]

    blocks, left = spread_over_slots([work(1, 5.5, 360)], slots, CHICAGO, a_day=180)

    assert left == {}
    assert lengths(blocks) == [(on, 1, 60) for on in range(6)]


def test_days_are_filled_where_an_even_pace_would_leave_something_out() -> None:
    slots = [FreeSlot(day=TODAY + timedelta(days=on), minutes=minutes) for on, minutes in enumerate((180, 0, 0, 0))]

    blocks, left = spread_over_slots([work(1, 3.5, 100), work(2, 3.5, 60)], slots, CHICAGO)

    assert (sum(block.minutes for block in blocks), left) == (160, {})


def test_short_work_gets_a_sitting_that_is_worth_beginning() -> None:
    blocks, left = spread_over_slots([work(1, 3, 10)], in_hours(16, minutes=120), CHICAGO)

    assert (lengths(blocks), left) == ([(1, 1, SHORTEST_BLOCK)], {})


def test_neighbours_of_one_assignment_are_one_sitting() -> None:
    slots = [*in_hours(16, minutes=300), *in_hours(16, minutes=20, day=2)]

    blocks, _ = spread_over_slots([work(1, 2.4, 80)], slots, CHICAGO, a_day=300)

    assert lengths(blocks) == [(1, 1, 80)]


def test_without_breaks_sittings_follow_each_other_and_those_of_one_assignment_are_joined() -> None:
    items = [work(1, 1.5, 120), work(2, 1.5, 60)]

    blocks, left = spread_over_slots(items, in_hours(14, minutes=180), CHICAGO, pause=0)

    assert (sum(block.minutes for block in blocks), left) == (180, {})
    assert all(later.start == earlier.end and later.item is not earlier.item for earlier, later in pairwise(blocks))


def test_sittings_stay_short_with_breaks_between_them() -> None:
    blocks, _ = spread_over_slots([work(1, 4, 240), work(2, 5, 90)], in_hours(16, minutes=240), CHICAGO)

    assert max(block.minutes for block in blocks) <= LONGEST_BLOCK
    assert {_pause(earlier, later) for earlier, later in pairwise(blocks)} == {timedelta(minutes=15)}


# A day, a minute of it, and a length that ends on that day, as the free time of a day does; several on one day.
gaps = st.tuples(st.integers(0, 6), st.integers(0, 1380), st.integers(5, 600)).map(
    lambda gap: (gap[0], gap[1], min(gap[2], 1420 - gap[1]))
)


@given(
    wanted=st.lists(st.tuples(st.floats(0.1, 9), st.integers(5, 500), st.booleans()), max_size=8),
    free=st.lists(gaps, min_size=1, max_size=12),
    a_day=st.none() | st.integers(30, 400),
    pause=st.sampled_from([0, 5, 15, 40]),
)
def test_a_plan_with_times_of_day_keeps_its_laws(
    wanted: list[tuple[float, int, bool]], free: list[tuple[int, int, int]], a_day: int | None, pause: int
) -> None:
    items = [work(id, days, minutes, is_missing=late) for id, (days, minutes, late) in enumerate(wanted)]
    midnight = datetime(2026, 11, 23, 6, tzinfo=UTC)
    slots = [
        FreeSlot(day=TODAY + timedelta(days=on), minutes=minutes, start=midnight + timedelta(days=on, minutes=at))
        for on, at, minutes in _apart(free)
    ]

    blocks, left = spread_over_slots(items, slots, CHICAGO, a_day=a_day, pause=pause)

    assert all(_pause(earlier, later) >= timedelta(minutes=pause) for earlier, later in pairwise(blocks))
    for block in blocks:
        assert SHORTEST_BLOCK <= block.minutes <= (LONGEST_BLOCK if pause else 1420)
        assert block.item.is_missing or block.end <= block.item.due_at  # type: ignore[operator]
        assert any(_holds(slot, block) for slot in slots)
    _keeps_amounts(items, blocks, left, {slot.day: a_day or 1440 for slot in slots})


@given(
    wanted=st.lists(st.tuples(st.floats(0.1, 12), st.integers(5, 500), st.booleans()), max_size=8),
    minutes=st.lists(st.integers(0, 400), min_size=1, max_size=9),
)
def test_a_plan_without_times_of_day_keeps_its_laws(wanted: list[tuple[float, int, bool]], minutes: list[int]) -> None:
    items = [work(id, days, length, is_missing=late) for id, (days, length, late) in enumerate(wanted)]
    slots = [FreeSlot(day=TODAY + timedelta(days=at), minutes=many) for at, many in enumerate(minutes)]

    blocks, left = spread_over_slots(items, slots, CHICAGO)

    assert len({(block.day, block.item.id) for block in blocks}) == len(blocks)
    assert all(block.minutes >= SHORTEST_BLOCK for block in blocks)
    _keeps_amounts(items, blocks, left, {slot.day: slot.minutes for slot in slots})


@pytest.mark.parametrize(("due", "day"), [("2026-11-24T15:00", 23), ("2026-11-25T05:59", 24)])
def test_what_is_due_in_the_morning_is_done_the_day_before(due: str, day: int) -> None:
    item = TimedWork(**{**vars(work(1, 1, 60)), "due_at": datetime.fromisoformat(due).replace(tzinfo=UTC)})

    assert last_day(item, CHICAGO).day == day


def _keeps_amounts(items: list[Any], blocks: list[StudyBlock], left: dict[int, int], room: dict[date, int]) -> None:
    """No more a day than there is room, nothing after its last day, and all work is planned or left over."""
    for day, minutes in room.items():
        assert sum(block.minutes for block in blocks if block.day == day) <= minutes
    for place, item in enumerate(items):
        own = [block for block in blocks if block.item is item]
        assert sum(block.minutes for block in own) + left.get(place, 0) == max(item.minutes, SHORTEST_BLOCK)
        assert all(item.is_missing or block.day <= last_day(item, CHICAGO) for block in own)
        for day in room:
            minutes = sum(block.minutes for block in own if block.day == day)
            assert minutes <= 120 or (day == last_day(item, CHICAGO) and not item.is_missing)


def _apart(free: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Those of the gaps that begin an hour after the one before has ended, as something lies between them."""
    kept: list[tuple[int, int, int]] = []
    for on, at, minutes in sorted(free):
        if not kept or (on, at) > (kept[-1][0], kept[-1][1] + kept[-1][2] + 60):
            kept.append((on, at, minutes))
    return kept


def _holds(slot: FreeSlot, block: StudyBlock) -> bool:
    assert slot.start
    assert block.start
    assert block.end
    return slot.start <= block.start and block.end <= slot.start + timedelta(minutes=slot.minutes)


def _pause(earlier: StudyBlock, later: StudyBlock) -> timedelta:
    assert earlier.end
    assert later.start
    return later.start - earlier.end
