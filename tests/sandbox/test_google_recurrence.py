"""Recurring events of the campus's Google, for any rule and any month of summer time."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.google.recurrence import check_recurrence, expand, find_instance
from sandbox.google.times import instant_of

HOME = ZoneInfo("America/Chicago")
RULES = st.builds(
    lambda frequency, interval, end: f"RRULE:FREQ={frequency};INTERVAL={interval}{end}",
    st.sampled_from(["DAILY", "WEEKLY", "WEEKLY;BYDAY=MO,WE,FR", "MONTHLY", "MONTHLY;BYDAY=-1FR"]),
    st.integers(1, 3),
    st.sampled_from(["", ";COUNT=20", ";UNTIL=20311231T000000Z", ";UNTIL=20310401"]),
)
STARTS = st.datetimes(datetime(2031, 1, 1), datetime(2031, 11, 30)).map(
    lambda moment: moment.replace(microsecond=0, fold=0)
)


def timed(start: datetime, rule: str) -> dict[str, Any]:
    """A stored series of one-hour events."""
    begins = start.replace(tzinfo=HOME)
    ends = (begins.astimezone(UTC) + timedelta(hours=1)).astimezone(HOME)
    edges = {
        name: {"dateTime": moment.isoformat(), "timeZone": HOME.key}
        for name, moment in (("start", begins), ("end", ends))
    }
    return {"id": "series", "status": "confirmed", **edges, "recurrence": [rule]}


@given(STARTS, RULES)
@settings(max_examples=60)
def test_every_instance_keeps_the_hour_and_the_length_and_is_found_by_its_id(start: datetime, rule: str) -> None:
    event = timed(start, rule)
    check_recurrence(event, HOME)

    for instance in expand(event, HOME, after=None, before=datetime(2032, 2, 1, tzinfo=UTC)):
        begins, ends = (instant_of(instance[name], HOME) for name in ("start", "end"))
        assert ends.astimezone(UTC) - begins.astimezone(UTC) == timedelta(hours=1)
        # An hour that summer time skips is shown an hour later.
        assert begins.hour in (start.hour, (start.hour + 1) % 24)
        found = find_instance(event, instance["id"], HOME)
        assert found is not None
        assert found["start"] == instance["start"]


@given(STARTS, RULES, st.integers(0, 300), st.integers(1, 60))
@settings(max_examples=60)
def test_a_window_holds_exactly_the_instances_that_overlap_it(
    start: datetime, rule: str, first: int, days: int
) -> None:
    event = timed(start, rule)
    after = datetime(2031, 1, 1, tzinfo=UTC) + timedelta(days=first)
    before = after + timedelta(days=days)
    everything = expand(event, HOME, after=None, before=before)

    expected = [instance["id"] for instance in everything if instant_of(instance["end"], HOME) > after]
    assert [instance["id"] for instance in expand(event, HOME, after=after, before=before)] == expected
