"""Cards and results of series name the days on which these truly take place, and how often."""

from datetime import timedelta

import pytest

from services.i18n import formats
from tests.calendar_calls import Calendars
from tests.services.integrations.calendar.tools.test_recurring_events import (
    FIRST,
    MONDAY,
    PRACTICE,
    practice,
    runs,
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
