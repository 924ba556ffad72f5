from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from services.integrations.calendar.agenda import DayRange
from services.integrations.calendar.free_slots import BREAK, day_windows, free_stretches, rank_times

CHICAGO = ZoneInfo("America/Chicago")
MONDAY = DayRange(first=date(2026, 11, 23), last=date(2026, 11, 23))
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)

moments = st.datetimes(datetime(2026, 11, 20), datetime(2026, 11, 27), timezones=st.just(UTC))
stretches = st.builds(lambda start, minutes: (start, start + timedelta(minutes=minutes)), moments, st.integers(0, 3000))


TEN_DAYS = DayRange(first=date(2026, 11, 19), last=date(2026, 11, 28))


@given(
    st.lists(stretches, max_size=12),
    st.lists(stretches, min_size=1, max_size=6),
    st.integers(15, 180),
    st.integers(1, 10),
    st.booleans(),
)
def test_suggestions_are_free_and_one_a_day_unless_more_are_asked_for_than_there_are_days(
    busy: list[tuple[datetime, datetime]],
    within: list[tuple[datetime, datetime]],
    minutes: int,
    most: int,
    may_share_days: bool,
) -> None:
    free = free_stretches(busy, within, minutes=minutes)

    found = rank_times(
        free,
        busy,
        minutes=minutes,
        prefer="any",
        days=TEN_DAYS,
        zone=CHICAGO,
        most=most,
        may_share_days=may_share_days,
    )

    days = [suggestion.start.astimezone(CHICAGO).date() for suggestion in found]
    assert len(found) <= most
    assert all(any(opens <= s.start and s.end <= closes for opens, closes in free) for s in found)
    assert [s.points for s in found] == sorted((s.points for s in found), reverse=True)
    if not may_share_days:
        assert len(days) == len(set(days))
    in_time = sorted(found, key=lambda suggestion: suggestion.start)
    for (earlier, on), (later, after) in pairwise((s, s.start.astimezone(CHICAGO).date()) for s in in_time):
        assert on != after or later.start - earlier.end >= BREAK


@given(st.lists(stretches, max_size=12), st.lists(stretches, max_size=4), st.integers(1, 300))
def test_free_time_overlaps_nothing_busy_and_stays_within_the_day(
    busy: list[tuple[datetime, datetime]], within: list[tuple[datetime, datetime]], minutes: int
) -> None:
    free = free_stretches(busy, within, minutes=minutes)

    for start, end in free:
        assert end - start >= timedelta(minutes=minutes)
        assert any(opens <= start and end <= closes for opens, closes in within)
        assert all(end <= begins or ends <= start for begins, ends in busy if begins < ends)


@given(st.lists(stretches, max_size=12), stretches)
def test_every_free_minute_is_found(busy: list[tuple[datetime, datetime]], window: tuple[datetime, datetime]) -> None:
    free = free_stretches(busy, [window], minutes=0)

    opens, closes = window
    inside = [(max(start, opens), min(end, closes)) for start, end in [*busy, *free]]
    reached = opens
    for start, end in sorted(inside):
        if start <= end:
            assert start <= reached or start >= closes
            reached = max(reached, end)
    assert reached >= closes


def test_an_event_in_the_middle_of_the_day_leaves_two_gaps() -> None:
    lecture = (datetime(2026, 11, 23, 9, tzinfo=CHICAGO), datetime(2026, 11, 23, 10, tzinfo=CHICAGO))

    free = free_stretches([lecture], day_windows(MONDAY, time(8), time(12), CHICAGO, now=LONG_AGO), minutes=60)

    hours = [(start.astimezone(CHICAGO).hour, end.astimezone(CHICAGO).hour) for start, end in free]
    assert hours == [(8, 9), (10, 12)]


def test_free_time_never_begins_before_the_next_quarter_of_an_hour() -> None:
    now = datetime(2026, 11, 23, 10, 43, 17, tzinfo=CHICAGO)

    ((start, _),) = day_windows(MONDAY, time(8), time(22), CHICAGO, now=now)

    assert start.astimezone(CHICAGO) == datetime(2026, 11, 23, 10, 45, tzinfo=CHICAGO)


def test_a_day_that_is_over_has_no_free_time() -> None:
    now = datetime(2026, 11, 23, 22, 30, tzinfo=CHICAGO)

    assert list(day_windows(MONDAY, time(8), time(22), CHICAGO, now=now)) == []


def test_the_day_on_which_clocks_go_back_has_an_hour_more() -> None:
    day = DayRange(first=date(2026, 11, 1), last=date(2026, 11, 1))

    ((start, end),) = day_windows(day, time(0), time(6), CHICAGO, now=LONG_AGO)

    assert end - start == timedelta(hours=7)
