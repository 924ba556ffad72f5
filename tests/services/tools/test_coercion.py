"""A null for an optional argument is one that is not given, unless its schema says that null means something."""

from datetime import date, datetime
from functools import partial
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from services.errors import BadArguments
from services.tools.coercion import with_local_days, without_nulls
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from tests.api.every_tool import root

NODE = {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"$ref": "#/$defs/Node"}]}}}


class Step(BaseModel):
    title: str
    minutes: int = 30


@tool(label="Planning", category="planner", contexts=())
def plan_day(
    context: ToolExecutionContext,
    *,
    title: str,
    pace: Literal["slow", "fast"] = "slow",
    steps: Annotated[tuple[Step, ...], Field(max_length=3)] = (),
    until: Annotated[str | None, Field(description="Null: without end.")] = "evening",
    values: dict[str, str] | None = None,
) -> ToolResult:
    """Plan a day."""
    return ToolResult()


def test_a_null_for_what_is_optional_is_as_if_it_were_left_out() -> None:
    nulls = {"title": "a", "pace": None, "steps": [{"title": "b", "minutes": None}], "values": None}

    assert plan_day.validate(nulls) == plan_day.validate({"title": "a", "steps": [{"title": "b"}]})


def test_a_null_that_means_something_stays() -> None:
    assert plan_day.validate({"title": "a", "until": None})["until"] is None


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"title": None}, "title"),
        ({"title": "a", "steps": [{"title": None}]}, "steps.0.title"),
        ({"title": "a", "steps": [None]}, "steps.0"),
        ({"title": "a", "values": {"x": None}}, "values.x"),
        ({"title": "a", "unknown": None}, "unknown"),
    ],
)
def test_a_null_for_what_has_to_be_there_or_for_what_nobody_knows_is_told(arguments: Any, place: str) -> None:
    with pytest.raises(BadArguments) as refused:
        plan_day.validate(arguments)

    assert refused.value.field == place


def test_every_tool_takes_a_null_for_each_argument_that_has_an_example_without_it() -> None:
    for found in root().values():
        for example in found.examples:
            nulls = {name: None for name in found.schema["properties"] if name not in example.arguments}

            assert found.validate({**nulls, **example.arguments}) == found.validate(example.arguments), found.name


@pytest.mark.parametrize(
    ("prop", "is_kept"),
    [
        ({"type": "string"}, False),
        ({"type": ["string", "null"]}, True),
        ({"enum": ["a", None]}, True),
        ({"enum": ["a"]}, False),
        ({"const": 1}, False),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, True),
        ({"type": "string", "anyOf": [{"minLength": 1}, {"format": "date"}]}, False),
        ({"$ref": "#/$defs/Node"}, False),
        ({"allOf": [{"$ref": "#/$defs/Maybe"}]}, True),
        ({"$ref": "#/$defs/Itself"}, True),
        ({}, True),
        (True, True),
        (False, False),
    ],
)
def test_whoever_wrote_the_schema(prop: object, is_kept: bool) -> None:
    itself = {"anyOf": [{"$ref": "#/$defs/Itself"}] * 3}
    definitions = {"Node": NODE, "Maybe": {"type": ["integer", "null"]}, "Itself": itself}

    assert ("a" in without_nulls({"a": None}, {"properties": {"a": prop}, "$defs": definitions})) is is_kept


VALUES = st.recursive(
    st.none() | st.booleans() | st.text(max_size=4),
    partial(
        st.dictionaries, st.sampled_from(["type", "properties", "items", "anyOf", "$ref", "enum", "a"]), max_size=3
    ),
)


@given(schema=VALUES, value=VALUES)
def test_no_schema_makes_it_crash_or_takes_away_what_is_no_null(schema: Any, value: Any) -> None:
    kept = without_nulls({"a": value, "b": 1}, {"properties": {"a": schema, "b": schema}})

    assert kept["b"] == 1
    assert ("a" in kept) or value is None


class Stop(BaseModel):
    day: date


@tool(label="Planning", category="planner", contexts=())
def plan_trip(
    context: ToolExecutionContext,
    *,
    first: date,
    last: Annotated[date | None, Field(description="Last day.")] = None,
    at: datetime | None = None,
    words: str = "",
    stops: tuple[Stop, ...] = (),
) -> ToolResult:
    """Plan a trip."""
    return ToolResult()


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-12-04T03:00:00Z", "2026-12-03"),
        ("2026-12-04T00:00:00Z", "2026-12-03"),
        ("2026-12-03T23:30:00-06:00", "2026-12-03"),
        ("2026-12-04T03:00:00", "2026-12-04"),
        ("2026-12-04", "2026-12-04"),
    ],
)
def test_a_time_where_a_day_belongs_is_the_students_day(written: str, day: str) -> None:
    given = {"first": written, "last": written, "at": written, "words": written, "stops": [{"day": written}]}

    local = with_local_days(given, plan_trip.schema, ZoneInfo("America/Chicago"))

    assert local == {"first": day, "last": day, "at": written, "words": written, "stops": [{"day": day}]}


@pytest.mark.parametrize(
    "odd", ["", "soon", "2026-12-04T99:00:00Z", "0001-01-01T00:00:00+23:00", "9999-12-31T23:00-12:00"]
)
def test_what_is_no_time_is_left_to_the_check_of_the_arguments(odd: str) -> None:
    zone = ZoneInfo("America/Chicago")
    assert with_local_days({"first": odd, "of": [1]}, plan_trip.schema, zone)["first"][:4] in (odd[:4], "9999")
