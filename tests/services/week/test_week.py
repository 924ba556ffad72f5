"""When something is late, and where there is still room to work on it."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from services.week.free_time import Gap
from services.week.week import EntryKind, Week, WeekEntry

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=ZoneInfo("America/Chicago"))


def due(hours: float, **more: Any) -> WeekEntry:
    return WeekEntry(kind=EntryKind.DUE, id="1", title="Quiz", start=NOW + timedelta(hours=hours), **more)


def room(entry: WeekEntry) -> list[tuple[int, int]]:
    """The gaps for it as hours from now, of a week with room from 1 to 3 and from 5 to 6."""
    gaps = tuple(Gap(start=NOW + timedelta(hours=a), end=NOW + timedelta(hours=b)) for a, b in ((1, 3), (5, 6)))
    week = Week(first=date(2026, 11, 23), as_of=NOW, free=gaps)
    hours = [(gap.start - NOW, gap.end - NOW) for gap in week.room_for(entry)]
    return [(start // timedelta(hours=1), end // timedelta(hours=1)) for start, end in hours]


def test_a_moment_is_past_at_once_and_a_whole_day_when_it_is_over() -> None:
    midnight = NOW.replace(hour=0)

    assert due(-0.1).is_past(NOW)
    assert not due(0.1).is_past(NOW)
    assert not WeekEntry(kind=EntryKind.DUE, id="1", title="", start=midnight, is_whole_day=True).is_past(NOW)
    assert WeekEntry(kind=EntryKind.DUE, id="1", title="", start=midnight, is_whole_day=True).is_past(
        NOW + timedelta(days=1)
    )


def test_in_the_hour_that_comes_twice_the_second_is_the_later_one() -> None:
    clocks = ZoneInfo("America/Chicago")
    first, second = (datetime(2026, 11, 1, 1, minute, tzinfo=clocks, fold=fold) for minute, fold in ((45, 0), (15, 1)))
    work, other = (replace(due(0), id=name, title=name, start=at) for name, at in (("a", second), ("b", first)))

    assert other.is_past(second)
    assert not work.is_past(first)
    assert sorted([work, other], key=lambda each: each.order) == [other, work]


def test_time_to_work_on_something_ends_when_it_is_due() -> None:
    assert room(due(5.75)) == [(1, 3), (5, 5)]
    assert room(due(2)) == [(1, 2)]
    assert room(due(1.25)) == []
    assert room(due(-3, is_whole_day=True)) == [(1, 3), (5, 6)]


def test_what_is_late_can_be_worked_on_at_any_time() -> None:
    assert room(due(-3)) == [(1, 3), (5, 6)]
