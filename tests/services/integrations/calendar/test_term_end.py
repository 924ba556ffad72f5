"""A series that lasts until the end of the term: Canvas says when that is, or the student is to be asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere
from services.i18n.english import day
from services.integrations.calendar.recurrence import is_term_end
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from tests.calendar_calls import Calendars
from tests.services.integrations.google_calendar.conftest import in_days

END = in_days(30)
RUN = {
    "title": "Run",
    "start": f"{in_days(2)}T07:00",
    "repeats": "weekly",
    "repeat_until": "end of term",
}


@dataclass
class FakeReads:
    """The tools within reach: Canvas's courses with the last days of their terms, or none; counts how often."""

    ends: Sequence[str | None] = ()
    asked: list[str] = field(default_factory=list)

    def call_all(self, context: ToolExecutionContext, calls: Sequence[tuple[str, Any]]) -> list[ToolResult]:
        self.asked += [name for name, _ in calls]
        if not self.ends:
            return [ToolResult(success=False, error="Canvas is not connected.", error_kind="not_connected")]
        return [ToolResult(output="", data={"courses": [{"ends_on": end} for end in self.ends]})]


@pytest.mark.parametrize("words", ["end of term", "the end of the semester", "End of this term", "semester's end"])
def test_the_end_of_the_term_has_many_names(words: str) -> None:
    assert is_term_end(words)
    assert not is_term_end("2026-12-18")


def test_the_card_shows_the_day_and_a_repeat_need_not_ask_canvas_again(maya: Calendars) -> None:
    ends = [str(END), str(END), str(in_days(60)), None, str(in_days(-20))]
    reads, none = FakeReads(ends), FakeReads()

    card = maya.card("calendar_create_event", RUN, nested_calls=reads)
    first = maya.run("calendar_create_event", RUN, operation_id="op", nested_calls=reads)
    repeat = maya.run("calendar_create_event", RUN, operation_id="op", is_repeat=True, nested_calls=none)

    assert card["Repeats"].endswith(f"until {day(END)}")
    assert f"until {day(END)}" in first.output
    assert repeat.data == first.data
    assert none.asked == []


@pytest.mark.parametrize("ends", [(), (None,), (str(in_days(-3)),)])
def test_where_canvas_does_not_tell_the_student_is_to_be_asked(maya: Calendars, ends: Sequence[str | None]) -> None:
    with pytest.raises(BadArguments, match="does not tell here when the term ends") as caught:
        maya.preview("calendar_create_event", RUN, nested_calls=FakeReads(ends))

    assert caught.value.next_step.startswith("Ask the student for the last day")


def test_without_tools_within_reach_the_student_is_to_be_asked(maya: Calendars) -> None:
    with pytest.raises(BadArguments, match="when the term ends"):
        maya.preview("calendar_create_event", RUN)


def test_a_term_that_ends_on_another_day_than_the_card_said_is_asked_for_again(maya: Calendars) -> None:
    rows = maya.preview("calendar_create_event", RUN, nested_calls=FakeReads([str(END)]))
    later = FakeReads([str(END + timedelta(days=1))])

    with pytest.raises(ChangedElsewhere):
        maya.run("calendar_create_event", RUN, operation_id="op", approved_rows=rows, nested_calls=later)
