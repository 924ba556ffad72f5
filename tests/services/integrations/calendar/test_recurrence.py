"""The words of a recurrence name the days on which it truly takes place, in the event's zone, whatever the rule."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.google.recurrence import expand
from services.i18n import formats
from services.integrations.calendar.recurrence import WEEKDAYS, occurrence_days, rule_in_words, times_in_words
from services.integrations.google_calendar.payloads import read_event
from services.integrations.google_calendar.recurring_events import recurrence_until, series_from

ZONES = [ZoneInfo(name) for name in ("America/Chicago", "Europe/Berlin", "Asia/Tokyo", "Pacific/Kiritimati")]
FAR = datetime(2035, 1, 1, tzinfo=UTC)

zones = st.sampled_from(ZONES)
walls = st.datetimes(datetime(2026, 1, 1, 4), datetime(2027, 12, 31, 23)).map(lambda at: at.replace(second=0))
starts = st.one_of(walls.map(lambda at: at.replace(microsecond=0)), walls.map(lambda at: at.date()))


@st.composite
def series(draw: Any) -> tuple[dict[str, Any], ZoneInfo]:
    """A recurring event as Google keeps it, timed or of whole days, that ends, and the zone that it is in."""
    zone, start = draw(zones), draw(starts)
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY"]))
    parts = [f"FREQ={frequency}", f"INTERVAL={draw(st.integers(1, 3))}"]
    if frequency == "WEEKLY":
        days = draw(st.sets(st.sampled_from(WEEKDAYS), max_size=4)) | {WEEKDAYS[start.weekday()]}
        parts.append(f"BYDAY={','.join(day for day in WEEKDAYS if day in days)}")
    if draw(st.booleans()):
        parts.append(f"COUNT={draw(st.integers(1, 20))}")
    else:
        parts.append(f"UNTIL={until_after(start, draw(st.integers(0, 200)), draw(st.integers(0, 1439)), zone)}")
    lines = [f"RRULE:{';'.join(parts)}"]
    if (left_out := draw(st.integers(0, 20))) and isinstance(start, datetime):
        lines.append(f"EXDATE;TZID={zone.key}:{start + timedelta(days=left_out):%Y%m%dT%H%M%S}")
    return {"id": "run", "summary": "Run", **edges(start, zone), "recurrence": lines}, zone


def until_after(start: datetime | date, days: int, minutes: int, zone: ZoneInfo) -> str:
    if not isinstance(start, datetime):
        return f"{start + timedelta(days=days):%Y%m%d}"
    moment = datetime.combine(start.date() + timedelta(days=days), time.min) + timedelta(minutes=minutes)
    return f"{max(moment, start).replace(tzinfo=zone).astimezone(UTC):%Y%m%dT%H%M%SZ}"


def edges(start: datetime | date, zone: ZoneInfo) -> dict[str, Any]:
    if not isinstance(start, datetime):
        return {"start": {"date": str(start)}, "end": {"date": str(start + timedelta(days=1))}}
    ends = start + timedelta(minutes=30)
    return {
        name: {"dateTime": at.replace(tzinfo=zone).isoformat(), "timeZone": zone.key}
        for name, at in (("start", start), ("end", ends))
    }


def true_days(master: dict[str, Any], zone: ZoneInfo) -> list[date]:
    """Days on which the campus's Google lets it take place."""
    return [
        date.fromisoformat((event["start"].get("date") or event["start"]["dateTime"])[:10])
        for event in expand(master, zone, after=None, before=FAR)
    ]


@settings(max_examples=150, deadline=None)
@given(series(), zones)
def test_the_words_name_the_last_true_day_and_the_true_number_in_the_events_own_zone(
    made: tuple[dict[str, Any], ZoneInfo], reader: ZoneInfo
) -> None:
    master, zone = made
    days = true_days(master, zone)

    event = read_event(
        master,
        calendar_id="primary",
        calendar="",
        zone=reader if "dateTime" in master["start"] else zone,
    )

    if not days:
        return
    assert formats.day(days[-1]) in event.times
    assert event.times.startswith(f"{len(days)} time")
    if "UNTIL" in master["recurrence"][0]:
        assert event.repeats.endswith(f" until {formats.day(days[-1])}")
    else:
        assert f", {len(days)} time" in event.repeats


@settings(max_examples=80, deadline=None)
@given(series(), st.integers(1, 6))
def test_each_half_of_a_cut_series_ends_on_its_own_last_day(made: tuple[dict[str, Any], ZoneInfo], at: int) -> None:
    master, zone = made
    occurrences = list(expand(master, zone, after=None, before=FAR))
    if len(occurrences) <= at:
        return
    cut, days = occurrences[at], true_days(master, zone)

    before = read(({**master, "recurrence": recurrence_until(master, cut)}), zone)
    after = read(series_from(master, cut), zone)

    assert f" until {formats.day(days[at - 1])}" in before.repeats
    assert formats.day(days[-1]) in after.times
    assert after.times.startswith(f"{len(days) - at} time")


def read(master: dict[str, Any], zone: ZoneInfo) -> Any:
    return read_event(master, calendar_id="primary", calendar="", zone=zone)


def test_a_series_of_two_days_a_week_that_is_cut_on_the_second_ends_on_the_first() -> None:
    lines = ["RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261202T155959Z"]
    start = datetime(2026, 11, 2, 10, tzinfo=ZONES[0])

    words = rule_in_words(lines, ZONES[0], start)

    assert words == "every week on Monday and Wednesday until Mon 30 Nov 2026"


def test_a_series_without_an_end_has_no_last_day() -> None:
    lines, start = ["RRULE:FREQ=WEEKLY;BYDAY=MO"], datetime(2026, 11, 2, 10, tzinfo=ZONES[0])

    assert occurrence_days(lines, ZONES[0], start) is None
    assert times_in_words(lines, ZONES[0], start) == ""
    assert rule_in_words(lines, ZONES[0], start) == "every week on Monday, without an end"


def test_lines_that_contradict_themselves_still_have_words() -> None:
    lines, start = ["RRULE:FREQ=WEEKLY;BYDAY=XX;COUNT=3"], datetime(2026, 11, 2, 10, tzinfo=ZONES[0])

    assert rule_in_words(lines, ZONES[0], start) == "by a rule of its own"


@pytest.mark.parametrize(
    ("rule", "start", "words"),
    [
        ("FREQ=YEARLY;COUNT=4", date(2028, 2, 29), "29 Feb 2028, Sun 29 Feb 2032, Fri 29 Feb 2036, …"),
        ("FREQ=MONTHLY", date(2027, 1, 31), "31 Jan 2027, Wed 31 Mar 2027, Mon 31 May 2027, …"),
        ("FREQ=MONTHLY;INTERVAL=12", date(2027, 1, 31), ""),
        ("FREQ=MONTHLY", date(2027, 1, 28), ""),
        ("FREQ=YEARLY", date(2027, 12, 31), ""),
    ],
)
def test_a_series_that_skips_says_so_with_its_first_dates(rule: str, start: date, words: str) -> None:
    said = rule_in_words([f"RRULE:{rule}"], ZONES[0], start)

    assert ("only where there is such a day" in said) == bool(words)
    assert said.endswith(words)
