"""What does not fit is told in words for a person, and nothing is taken for something that it is not."""

from datetime import date, time
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from services.errors import BadArguments
from services.i18n import locale_scope
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult


class Step(BaseModel):
    model_config = ConfigDict(extra="forbid")

    title: str
    on: date | None = None


@tool(label="Planning", category="planner", contexts=())
def plan_week(
    context: ToolExecutionContext,
    *,
    title: Annotated[str, Field(min_length=1, max_length=9)],
    days: Annotated[int, Field(ge=1, le=7)] = 7,
    until: date | None = None,
    at: time | None = None,
    kind: Literal["all", "some"] = "all",
    steps: Annotated[tuple[Step, ...], Field(max_length=2)] = (),
    clock: Annotated[str, Field(pattern=r"^\d\d:\d\d$", description="Like 09:00.")] = "09:00",
    values: dict[str, str | float] | None = None,
    columns: Annotated[dict[str, str] | None, Field(description='By name, like {"Priority": "select"}.')] = None,
) -> ToolResult:
    """Plan a week."""
    return ToolResult()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "title: It is missing."),
        ({"title": 5}, "title: Give text, not 5."),
        ({"title": ""}, "title: It may not be empty."),
        ({"title": "x" * 10}, "title: Give at most 9 characters."),
        ({"title": "a\0"}, "title: It has characters in it that no text has."),
        ({"days": "many"}, "days: Give a whole number, not text."),
        ({"days": True}, "days: Give a number."),
        ({"days": 0, "kind": "none"}, "days: Give 1 or more, not 0. kind: Give one of these: all, some."),
        ({"until": "soon"}, "until: Give a day, like 2026-11-27, not text."),
        ({"until": 0}, "until: Give a day, like 2026-11-27."),
        ({"until": "86400"}, "until: Give a day, like 2026-11-27."),
        ({"at": 930}, "at: Give a time of day, like 09:30."),
        ({"steps": "first"}, "steps: Give a list, not text."),
        ({"steps": [None]}, "steps.0: Give an object with fields, not null."),
        ({"steps": [{"title": "a", "on": 5}]}, "steps.0.on: Give a day, like 2026-11-27."),
        ({"steps": [{"title": "a", "of": 5}]}, "steps.0.of: There is no such field. The fields are: title, on."),
        ({"clock": "nine"}, "clock: It is not written as it has to be. Like 09:00."),
        ({"values": {"Due": []}}, "values.Due: Give text, not a list. / Give a number, not a list."),
        ({"columns": "Priority"}, 'columns: Give an object, like {"Priority": "select"}, not text.'),
        ({"values": {"Due": True}}, "values.Due: Give a number."),
    ],
)
def test_what_does_not_fit_is_told_in_words_for_a_person(given: dict[str, Any], told: str) -> None:
    with pytest.raises(BadArguments) as refused:
        plan_week.validate({"title": "a", **given} if given else {})

    assert str(refused.value) == told
    assert refused.value.field == told.partition(":")[0]


def test_all_that_is_wrong_is_told_at_once_whoever_finds_it() -> None:
    given = {"title": "", "days": True, "until": 5, "kind": "none", "steps": "first", "clock": "nine", "week": 47}

    with pytest.raises(BadArguments) as refused:
        plan_week.validate(given)

    assert set(refused.value.wrong) == set(given)
    assert all(f"{place}: " in str(refused.value) for place in given)


def test_a_form_is_told_what_to_write_and_not_what_was_given() -> None:
    with pytest.raises(BadArguments) as refused:
        plan_week.validate({"title": "a", "days": 9})

    assert str(refused.value) == "days: Give 7 or less, not 9."
    assert refused.value.wrong == {"days": "Give 7 or less."}
    assert refused.value.said == "days: Give 7 or less."


def test_no_words_that_were_given_are_repeated() -> None:
    with pytest.raises(BadArguments) as refused:
        plan_week.validate({"title": "periwinkle forever", "until": "periwinkle", "kind": "periwinkle"})

    assert "periwinkle" not in f"{refused.value} {refused.value.said} {refused.value.wrong}"


def test_an_unknown_name_is_told_with_the_names_there_are() -> None:
    with pytest.raises(BadArguments) as refused:
        plan_week.validate({"title": "a", "week": 47})

    assert "week: There is no such field. The fields are: title, days, until" in str(refused.value)


def test_the_words_are_in_the_language_of_the_one_who_reads_them() -> None:
    with locale_scope("es"), pytest.raises(BadArguments, match="days: Indica 7 o menos"):
        plan_week.validate({"title": "a", "days": 8})


def test_a_number_written_as_text_is_still_a_number() -> None:
    assert plan_week.validate({"title": "2026", "days": "3", "values": {"Points": 4}})["days"] == 3
