"""A gap counts only where it is long enough for its purpose, in minutes that really pass."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from services.week.free_time import LONG_GAP, SHORTEST_GAP, SHORTEST_SESSION, Gap, gaps_ahead, gaps_until

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 25, 12, 0, tzinfo=CHICAGO)


def gap(start: int, minutes: int) -> Gap:
    """A gap so many minutes from now."""
    return Gap(start=NOW + timedelta(minutes=start), end=NOW + timedelta(minutes=start + minutes))


def test_in_the_hour_that_comes_twice_a_gap_has_the_minutes_that_pass() -> None:
    start, end = (datetime(2026, 11, 1, 1, minute, tzinfo=CHICAGO, fold=fold) for minute, fold in ((45, 0), (15, 1)))

    assert Gap(start=start, end=end).minutes == 30


def test_of_a_gap_that_has_begun_only_the_rest_counts() -> None:
    begun, short = gap(-30, SHORTEST_GAP + 30), gap(-30, SHORTEST_GAP)

    assert gaps_ahead([begun, short], NOW) == (gap(0, SHORTEST_GAP),)


def test_a_gap_before_a_deadline_is_long_enough_for_a_sitting() -> None:
    deadline = NOW + timedelta(minutes=SHORTEST_SESSION)

    assert gaps_until([gap(0, 90), gap(1, 90)], deadline) == [gap(0, SHORTEST_SESSION)]


def test_an_afternoon_is_free_from_a_long_gap_on() -> None:
    assert gap(0, LONG_GAP).is_free_afternoon(NOW)
    assert not gap(0, LONG_GAP - 1).is_free_afternoon(NOW)
    assert not gap(6 * 60, LONG_GAP).is_free_afternoon(NOW)
