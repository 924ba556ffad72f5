"""Moving and cutting series holds in three zones across every change of the clocks, whatever the rule."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.google.recurrence import expand
from services.errors import BadArguments
from services.integrations.calendar.provider import EventDraft
from services.integrations.calendar.recurrence import WEEKDAYS, RecurrenceRule, read_rule, rule_in_words
from services.integrations.google_calendar.payloads import edges, insert_body
from services.integrations.google_calendar.recurring_events import (
    moved_series,
    recurrence_from,
    recurrence_until,
    series_on_days,
)

ZONES = [ZoneInfo("America/Chicago"), ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Sydney")]
FAR = datetime(2031, 1, 1, tzinfo=UTC)

zones = st.sampled_from(ZONES)
# Hours that no zone's clocks skip, on every day of two years.
starts = (
    st.datetimes(datetime(2026, 1, 1, 4), datetime(2027, 12, 31, 22))
    .map(lambda at: at.replace(second=0, microsecond=0))
    .filter(lambda at: at.hour >= 4)
)
rules = st.builds(
    RecurrenceRule,
    frequency=st.sampled_from(["DAILY", "WEEKLY"]),
    every=st.integers(1, 3),
    count=st.integers(3, 12),
) | st.builds(RecurrenceRule, frequency=st.sampled_from(["DAILY", "WEEKLY"]), until=st.just(date(2028, 2, 1)))


def master_of(rule: RecurrenceRule, start: datetime, zone: ZoneInfo) -> dict[str, Any]:
    begins = start.replace(tzinfo=zone)
    draft = EventDraft(title="Run", start=begins, end=begins + timedelta(minutes=50), zone=zone, rule=rule)
    return {"id": "run", **insert_body(draft)}


def occurrences(master: dict[str, Any], zone: ZoneInfo) -> list[dict[str, Any]]:
    return list(expand(master, zone, after=None, before=FAR))


def walls(events: list[dict[str, Any]]) -> list[str]:
    return [event["start"]["dateTime"][:16] for event in events]


@settings(max_examples=60)
@given(rules, starts, zones)
def test_our_own_starts_are_those_that_the_rule_makes_at_the_same_time_of_day(
    rule: RecurrenceRule, start: datetime, zone: ZoneInfo
) -> None:
    ours = [at for at in rule.starts(start.replace(tzinfo=zone), zone, most=1000) if isinstance(at, datetime)]

    assert [f"{at:%Y-%m-%dT%H:%M}" for at in ours] == walls(occurrences(master_of(rule, start, zone), zone))
    assert {(at.hour, at.minute) for at in ours} == {(start.hour, start.minute)}


@settings(max_examples=60)
@given(rules, starts, zones, st.integers(0, 8), st.integers(-3, 3))
def test_moving_all_moves_each_by_the_same_on_the_clock(
    rule: RecurrenceRule, start: datetime, zone: ZoneInfo, chosen: int, hours: int
) -> None:
    master = master_of(rule, start, zone)
    before = occurrences(master, zone)
    occurrence = before[min(chosen, len(before) - 1)]
    wall = datetime.fromisoformat(occurrence["start"]["dateTime"][:16]) + timedelta(hours=hours)
    at = wall.replace(tzinfo=zone)

    after = occurrences({**master, **moved_series(master, occurrence, at, at + timedelta(minutes=20))}, zone)

    shifted = [datetime.fromisoformat(text) + timedelta(hours=hours) for text in walls(before)]
    real = [f"{at.replace(tzinfo=zone).astimezone(UTC).astimezone(zone):%Y-%m-%dT%H:%M}" for at in shifted]
    assert walls(after) == real
    lengths = {
        datetime.fromisoformat(event["end"]["dateTime"]) - datetime.fromisoformat(event["start"]["dateTime"])
        for event in after
    }
    assert lengths == {timedelta(minutes=20)}


@settings(max_examples=60)
@given(rules, starts, zones, st.integers(1, 8))
def test_a_series_cut_in_two_has_each_occurrence_once(
    rule: RecurrenceRule, start: datetime, zone: ZoneInfo, at: int
) -> None:
    master = master_of(rule, start, zone)
    whole = occurrences(master, zone)
    occurrence = whole[min(at, len(whole) - 1)]

    first = {**master, "recurrence": recurrence_until(master, occurrence)}
    rest = {
        **master,
        "start": occurrence["start"],
        "end": occurrence["end"],
        "recurrence": recurrence_from(master, occurrence),
    }

    assert walls(occurrences(first, zone)) + walls(occurrences(rest, zone)) == walls(whole)


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_a_whole_day_series_moves_by_days(zone: ZoneInfo) -> None:
    rule = RecurrenceRule(frequency="WEEKLY", count=4)
    draft = EventDraft(title="Trip", start=date(2026, 10, 20), end=date(2026, 10, 21), zone=zone, rule=rule)
    master = {"id": "trip", **insert_body(draft)}
    second = list(expand(master, zone, after=None, before=FAR))[1]

    after = {**master, **moved_series(master, second, date(2026, 10, 29), date(2026, 10, 30))}

    days = [event["start"]["date"] for event in expand(after, zone, after=None, before=FAR)]
    assert days == ["2026-10-22", "2026-10-29", "2026-11-05", "2026-11-12"]


def test_a_rule_that_says_more_about_days_is_not_moved_to_others() -> None:
    zone = ZONES[0]
    master = {
        "id": "x",
        **edges(datetime(2026, 11, 3, 10, tzinfo=zone), datetime(2026, 11, 3, 11, tzinfo=zone), zone),
        "recurrence": ["RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=4"],
    }
    first = next(expand(master, zone, after=None, before=FAR))
    later = datetime(2026, 11, 4, 10, tzinfo=zone)

    with pytest.raises(BadArguments, match="other days"):
        moved_series(master, first, later, later + timedelta(hours=1))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "RRULE:FREQ=WEEKLY;BYDAY=WE,MO;UNTIL=20261219T055959Z",
            "every week on Monday and Wednesday until Fri 18 Dec 2026",
        ),
        ("RRULE:FREQ=DAILY;INTERVAL=2;COUNT=5", "every 2 days, 5 times"),
        ("RRULE:FREQ=YEARLY", "every year, without an end"),
        ("RRULE:FREQ=MONTHLY;BYDAY=1TU", "by a rule of its own"),
        ("RDATE:20261127T150000Z", "by a rule of its own"),
    ],
)
def test_a_rule_is_told_in_words(line: str, words: str) -> None:
    assert rule_in_words([line], ZONES[0]) == words


def test_what_was_asked_for_reads_the_same_from_google() -> None:
    start = datetime(2026, 11, 23, 7, tzinfo=ZONES[0])
    rule = read_rule(start, ZONES[0], repeats="weekly", days=("MO", "WE"), until="2026-12-18")
    assert rule is not None

    assert rule_in_words([f"RRULE:{rule.rrule(start, ZONES[0])}"], ZONES[0]) == str(rule)


weekly = st.builds(RecurrenceRule, frequency=st.just("WEEKLY"), every=st.integers(1, 3), count=st.integers(3, 12))


@settings(max_examples=50)
@given(weekly, starts, zones, st.sets(st.sampled_from(WEEKDAYS), min_size=1))
def test_a_series_on_other_weekdays_happens_on_them_alone_at_its_time_of_day(
    rule: RecurrenceRule, start: datetime, zone: ZoneInfo, days: set[str]
) -> None:
    master = master_of(rule, start, zone)

    put = {**master, **series_on_days(master, days, None, None, first=start.date())}

    found = [datetime.fromisoformat(wall) for wall in walls(occurrences(put, zone))]
    assert len(found) == rule.count
    assert {WEEKDAYS[at.weekday()] for at in found} <= days
    assert {at.time() for at in found} == {start.time()}
    assert start.date() <= found[0].date() < start.date() + timedelta(days=7 * rule.every)
    weeks = {(at.date() - timedelta(days=at.weekday())).toordinal() // 7 for at in found}
    assert {(week - min(weeks)) % rule.every for week in weeks} == {0}
