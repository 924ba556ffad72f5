"""Weeks that are hard to draw."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta

from services.week.free_time import Gap
from services.week.week import Week
from tests.services.week.entries import SUNDAY, at, due, event, week_of

COURSES = tuple(
    f"{code} {number}: {name}"
    for code, number, name in (
        ("BIOL", 201, "Cell Biology"),
        ("CS", 101, "Programming"),
        ("HIST", 142, "The Modern World"),
        ("MATH", 221, "Calculus II"),
        ("WRIT", 110, "College Writing"),
        ("ART", 1, "Drawing"),
    )
)
HOSTILE = "<img src=x onerror='window.hurt=1'><script>window.hurt=1</script>"


def day(number: int) -> str:
    return (SUNDAY + timedelta(days=number)).isoformat()


def crowded() -> Week:
    """60 events, 25 due dates, whole days in a row, a proposal, a title that would like to be code."""
    events = [
        event(
            f"{COURSES[n % 6][:8]} session {n}",
            f"{day(n % 7)}T{8 + n // 7:02}:{n % 4 * 10:02}",
            f"{day(n % 7)}T{9 + n // 7:02}:{n % 4 * 10:02}",
        )
        for n in range(57)
    ]
    works = [
        due(f"Problem set {n}", f"{day(n % 5 + 1)}T23:59", course=COURSES[n % 6], is_done=n % 4 == 0) for n in range(25)
    ]
    others = [
        event("Break", day(2), day(6), is_whole_day=True),
        event(HOSTILE, f"{day(6)}T18:00", f"{day(6)}T20:00", can_change=True),
        event("Study: Problem set 1", f"{day(5)}T20:00", f"{day(5)}T21:30", is_proposed=True, is_busy=False, card="c"),
    ]
    return week_of(*events, *works, *others)


def long_day() -> Week:
    """14 hours in a row, a night that crosses midnight, work due at midnight, and one's own event."""
    return week_of(
        event("Field trip", f"{day(4)}T07:00", f"{day(4)}T21:00", where="River"),
        event("Night shift", f"{day(5)}T22:00", f"{day(6)}T06:00"),
        event("Dentist", f"{day(4)}T16:00", f"{day(4)}T16:45", can_change=True),
        event("Own day", day(5), day(6), is_whole_day=True, can_change=True),
        due("Essay", f"{day(5)}T00:00", course=COURSES[0]),
        free=(Gap(start=at(f"{day(5)}T09:00"), end=at(f"{day(5)}T12:00")),),
    )


def clocks_change() -> Week:
    """The week of 1 November 2026, when clocks go back at 2:00 on Sunday."""
    late = event("Late show", "2026-10-31T23:00", "2026-11-01T01:30")
    twice = replace(event("Twice", "2026-11-01T01:30", "2026-11-01T01:45"), end=at("2026-11-01T01:15").replace(fold=1))
    return week_of(late, twice, due("Essay", "2026-11-01T23:59"), first=date(2026, 11, 1), as_of=at("2026-11-01T12:00"))


def clocks_skip() -> Week:
    """The week of 8 March 2026, when clocks go from 2:00 to 3:00 on Sunday."""
    return week_of(
        event("Late show", "2026-03-07T23:00", "2026-03-08T01:30"),
        event("Night shift", "2026-03-08T01:30", "2026-03-08T04:30"),
        due("Essay", "2026-03-08T23:59"),
        first=date(2026, 3, 8),
        as_of=at("2026-03-08T12:00"),
        free=(Gap(start=at("2026-03-08T13:00"), end=at("2026-03-08T17:00")),),
    )


def empty() -> Week:
    return week_of(can_write=False)


def feed_alone() -> Week:
    """Nothing of it can be changed."""
    return week_of(
        due("Essay [ENGL 110]", f"{day(5)}T23:59"),
        event("Lecture", f"{day(4)}T10:00", f"{day(4)}T11:00"),
        can_write=False,
    )


WEEKS: Mapping[str, Callable[[], Week]] = {
    week.__name__: week for week in (crowded, long_day, clocks_change, clocks_skip, empty, feed_alone)
}
