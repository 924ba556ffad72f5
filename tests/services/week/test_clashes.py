"""Clashes are pairs of events that take time at the same time, as the calendar's own tool counts them."""

from services.week.week import clashing_titles, find_clashes
from tests.services.week.entries import due, event

LAB = event("Lab", "2026-11-26T15:00", "2026-11-26T17:00")
TUTOR = event("Tutor", "2026-11-26T16:00", "2026-11-26T16:30")
LATE = event("Late", "2026-11-26T16:15", "2026-11-26T18:00")


def test_each_pair_that_overlaps_is_named_once_in_order() -> None:
    clashes = find_clashes([LATE, TUTOR, LAB])

    assert [(first.title, second.title) for first, second in clashes] == [
        ("Lab", "Tutor"),
        ("Lab", "Late"),
        ("Tutor", "Late"),
    ]
    assert clashing_titles(clashes)["Lab"] == ("Tutor", "Late")


def test_what_takes_no_time_clashes_with_nothing() -> None:
    beside = (
        event("After", "2026-11-26T17:00", "2026-11-26T18:00"),
        event("Offer", "2026-11-26T15:00", "2026-11-26T17:00", is_busy=False),
        event("Holiday", "2026-11-26", "2026-11-27", is_whole_day=True),
        event("Moment", "2026-11-26T15:30", "2026-11-26T15:30"),
        due("Essay", "2026-11-26T16:00"),
    )

    assert find_clashes([LAB, *beside]) == ()
