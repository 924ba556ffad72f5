"""Cards and results of series name the days on which these truly take place, and how often."""

from datetime import timedelta

import pytest

from services.i18n import formats
from tests.calendar_calls import Calendars
from tests.services.integrations.calendar.tools.test_recurring_events import (
    FIRST,
    MONDAY,
    PRACTICE,
    mornings,
    on,
    practice,
    runs,
    times,
    weekdays,
)

__all__ = ["practice", "runs"]


def test_the_card_of_this_and_the_following_counts_them_and_names_their_last_day(
    maya: Calendars, runs: list[str]
) -> None:
    def last(day: int) -> str:
        return f"this and all following ones (2 times, the last on {formats.day(FIRST + timedelta(days=day))})"

    change = {"event_id": runs[4], "start": f"{FIRST + timedelta(days=5)}T10:30", "applies_to": "following"}
    row = next(row for row in maya.preview("calendar_update_event", change) if row.label == "Applies to")
    deleted = maya.card("calendar_delete_event", {"event_id": runs[4], "applies_to": "following"})
    result = maya.run("calendar_update_event", change, operation_id="move")

    assert (row.before, row.value) == (last(5), last(6))
    assert deleted["Applies to"] == last(5)
    assert "every day, 2 times" in result.output


@pytest.mark.parametrize("applies_to", ["following", "all"])
def test_a_change_of_all_is_told_with_the_days_on_which_it_then_takes_place(
    maya: Calendars, practice: list[str], applies_to: str
) -> None:
    change = {"event_id": practice[2], "repeat_days": ["TH", "TU"], "applies_to": applies_to}
    card = maya.card("calendar_update_event", change)

    result = maya.run("calendar_update_event", change, operation_id="op")

    last = f"until {formats.day(MONDAY + timedelta(days=17))}"
    assert card["Repeats"].endswith(last)
    assert last in result.output
    assert weekdays(maya)[-1] == "Thu 17:00"


def test_the_card_of_a_new_series_names_its_last_true_day(maya: Calendars) -> None:
    card = maya.card("calendar_create_event", PRACTICE)
    result = maya.run("calendar_create_event", PRACTICE, operation_id="op")

    words = f"every week on Monday and Wednesday until {formats.day(MONDAY + timedelta(days=16))}"
    assert card["Repeats"] == words
    assert words in result.output


@pytest.fixture
def gaps(maya: Calendars, runs: list[str]) -> list[str]:
    """Six mornings, of which the student cancelled the third and the last, and moved the fifth by a day and an hour."""
    for gone in (runs[2], runs[5]):
        maya.run("calendar_delete_event", {"event_id": gone}, operation_id=gone)
    start = f"{FIRST + timedelta(days=6)}T08:00"
    maya.run("calendar_update_event", {"event_id": runs[4], "start": start}, operation_id="moved")
    return runs


def test_what_was_left_out_or_moved_alone_counts_in_the_words(maya: Calendars, gaps: list[str]) -> None:
    last = formats.day(FIRST + timedelta(days=6))

    whole = maya.card("calendar_update_event", {"event_id": gaps[1], "title": "Jog Run", "applies_to": "all"})
    rest = maya.card("calendar_delete_event", {"event_id": gaps[1], "applies_to": "following"})

    assert whole["Applies to"] == "all of them (it repeats every day, 4 times)"
    assert rest["Applies to"] == f"this and all following ones (3 times, the last on {last})"


def test_what_was_left_out_or_moved_does_not_come_back_in_the_part_that_changes(
    maya: Calendars, gaps: list[str]
) -> None:
    before = times(maya)

    change = {"event_id": gaps[1], "title": "Jog Run", "applies_to": "following"}
    result = maya.run("calendar_update_event", change, operation_id="jog")

    assert times(maya) == before == [on(0, "07:00"), on(1, "07:00"), on(3, "07:00"), on(6, "08:00")]
    assert [event["title"] for event in mornings(maya)] == ["Run", *["Jog Run"] * 3]
    assert "every day, 3 times" in result.output
    maya.undo("calendar_update_event", result)
    assert times(maya) == before


def test_what_was_left_out_stays_so_when_the_rest_moves(maya: Calendars, gaps: list[str]) -> None:
    start = f"{FIRST + timedelta(days=1)}T09:30"

    maya.run("calendar_update_event", {"event_id": gaps[1], "start": start, "applies_to": "following"})

    assert times(maya) == [on(0, "07:00"), on(1, "09:30"), on(3, "09:30"), on(6, "10:30")]


@pytest.mark.parametrize(
    ("change", "left"),
    [
        ({"title": "Jog Run"}, [on(6, "08:00")]),
        ({"start": f"{FIRST + timedelta(days=5)}T06:15"}, [on(5, "06:15")]),
    ],
)
def test_what_was_moved_alone_stays_there_or_goes_where_the_card_says(
    maya: Calendars, gaps: list[str], change: dict[str, str], left: list[str]
) -> None:
    maya.run("calendar_update_event", {"event_id": gaps[4], "applies_to": "following", **change}, operation_id="op")

    assert times(maya) == [on(0, "07:00"), on(1, "07:00"), on(3, "07:00"), *left]
