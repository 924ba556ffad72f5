from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.calendar.event_arguments import time_edges
from services.integrations.calendar.times import (
    after,
    at_local,
    earliest,
    latest,
    parse_day,
    parse_moment,
    start_of,
)

ZONES = [ZoneInfo(name) for name in ("America/Chicago", "Europe/Madrid", "Asia/Kolkata")]
zones = st.sampled_from(ZONES)
local_times = st.datetimes(datetime(2020, 1, 1), datetime(2035, 12, 31), timezones=st.none())
CHICAGO, MADRID, KOLKATA = ZONES


@given(local_times, zones)
@example(datetime(2026, 3, 8, 2, 30), CHICAGO)
@example(datetime(2026, 3, 29, 2, 0), MADRID)
@example(datetime(2026, 11, 1, 1, 30), CHICAGO)
def test_a_local_time_is_shown_by_the_clocks_at_that_moment_or_refused(naive: datetime, zone: ZoneInfo) -> None:
    try:
        moment = at_local(naive, zone, "start")
    except BadArguments:
        assert all((naive + timedelta(hours=h)).replace(tzinfo=zone).utcoffset() for h in (-3, 3))
        before, behind = ((naive + timedelta(hours=h)).replace(tzinfo=zone).utcoffset() for h in (-3, 3))
        assert before != behind
        return

    assert moment.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == naive


@given(local_times, zones)
@example(datetime(2028, 11, 5, 6, 0), CHICAGO)
def test_a_written_time_with_an_offset_is_that_moment_in_the_students_zone(naive: datetime, zone: ZoneInfo) -> None:
    moment = naive.replace(tzinfo=UTC)

    # Python calls a time that happens twice unequal to any of another zone (PEP 495).
    assert parse_moment(moment.isoformat(), zone, "start").astimezone(UTC) == moment
    assert parse_moment(moment.isoformat(), zone, "start").tzinfo is zone


@given(local_times, zones, st.integers(1, 20_000))
def test_a_length_is_real_time_whatever_the_clocks_do(naive: datetime, zone: ZoneInfo, minutes: int) -> None:
    start = naive.replace(tzinfo=UTC).astimezone(zone)

    end = after(start, minutes)

    assert end.astimezone(UTC) - start.astimezone(UTC) == timedelta(minutes=minutes)


@given(st.dates(date(2020, 1, 1), date(2035, 12, 31)), zones)
def test_days_follow_one_another_without_gap_or_overlap(on: date, zone: ZoneInfo) -> None:
    start, next_start = start_of(on, zone), start_of(on + timedelta(days=1), zone)

    length = next_start.astimezone(UTC) - start.astimezone(UTC)

    assert start.date() == on
    assert timedelta(hours=23) <= length <= timedelta(hours=25)


@given(st.dates(date(2020, 1, 1), date(2035, 12, 31)), zones, st.times())
def test_the_earliest_showing_of_a_time_is_not_after_the_latest(on: date, zone: ZoneInfo, at: time) -> None:
    assert earliest(on, at, zone).astimezone(UTC) <= latest(on, at, zone).astimezone(UTC)


def test_a_time_that_the_clocks_skip_is_refused_with_the_reason() -> None:
    with pytest.raises(BadArguments, match=r"no 2:30 AM on Sun 8 Mar 2026 in America/Chicago.*go forward"):
        parse_moment("2026-03-08T02:30", CHICAGO, "start")


def test_of_a_time_that_happens_twice_the_first_is_meant_unless_an_offset_says_otherwise() -> None:
    assert parse_moment("2026-11-01T01:30", CHICAGO, "start").utcoffset() == timedelta(hours=-5)
    assert parse_moment("2026-11-01T01:30-06:00", CHICAGO, "start").astimezone(UTC).hour == 7


def test_a_zone_with_half_hours_keeps_them() -> None:
    assert parse_moment("2026-11-27T15:00", KOLKATA, "start").astimezone(UTC).isoformat() == "2026-11-27T09:30:00+00:00"


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-40T10:00", "27/11/2026 15:00", "2026-11-27T25:00"])
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadArguments, match="2026-11-27T15:00") as caught:
        parse_moment(text, CHICAGO, "start")

    assert caught.value.field == "start"


def test_a_time_of_day_is_asked_for_where_only_the_day_is_given() -> None:
    with pytest.raises(BadArguments, match="lacks the time of day"):
        parse_moment("2026-11-27", CHICAGO, "start")


@pytest.mark.parametrize("text", ["2026-02-30", "next friday", "0001-01-01", "9999-12-31"])
def test_what_is_no_day_or_out_of_reach_is_refused(text: str) -> None:
    with pytest.raises(BadArguments, match="start"):
        parse_day(text, CHICAGO, "start")


@given(st.text(max_size=30), zones)
def test_no_text_makes_the_reader_crash(text: str, zone: ZoneInfo) -> None:
    for read in (lambda: parse_day(text, CHICAGO, "start"), lambda: parse_moment(text, zone, "start")):
        with suppress(BadArguments):
            read()


def test_a_time_with_an_offset_falls_on_the_students_day() -> None:
    assert parse_day("2026-12-04T03:00:00Z", CHICAGO, "start") == date(2026, 12, 3)
    assert parse_day("2026-12-04T03:00:00Z", MADRID, "start") == date(2026, 12, 4)
    assert parse_day("2026-12-04T03:00:00", CHICAGO, "start") == date(2026, 12, 4)


def test_an_hour_inside_the_change_of_the_clock_keeps_its_end() -> None:
    start = parse_moment("2026-11-01T01:30", CHICAGO, "start")

    for written in (after(start, 60), parse_moment("2026-11-01T01:15", CHICAGO, "end")):
        _, end = time_edges(start, written)
        assert start.astimezone(UTC) < end.astimezone(UTC)
        assert end.fold == 1
