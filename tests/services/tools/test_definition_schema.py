"""The schema that the model reads takes what the tool takes, in fewer words."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from bench.plans import root_tools
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.definition_schema import definition_schema
from services.tools.result import ToolResult
from services.tools.tool import Tool


class Scope(StrEnum):
    """How much of a series."""

    THIS = "this"
    ALL = "all"


class Step(TypedDict):
    """One step."""

    title: Annotated[str, Field(min_length=1, max_length=80)]
    minutes: NotRequired[int | None]


class Tree(TypedDict):
    leaves: "list[Tree]"


@tool(label="Planning", category="planner", contexts=("tasks",))
def plan(
    context: ToolExecutionContext,
    *,
    title: Annotated[str, Field(description="What it is called.", min_length=1, max_length=200)],
    day: Annotated[date | None, Field(description="Its day.")] = None,
    scope: Annotated[Scope, Field(description="Which of them.")] = Scope.THIS,
    steps: Annotated[Sequence[Step], Field(description="What to do.", max_length=9)] = (),
    kind: Literal["lab", "exam"] | None = None,
    weights: Mapping[str, float] | None = None,
    width: int | str = 3,
    until: date | None,
    is_open: bool = True,
    is_whole: bool = False,
) -> ToolResult:
    """Plan it."""
    return ToolResult()


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Tool]:
    return root_tools(tmp_path_factory.mktemp("root"))


def test_only_what_helps_to_call_the_tool_is_left() -> None:
    assert plan.definition()["input_schema"] == {
        "type": "object",
        "required": ["title", "until"],
        "properties": {
            "title": {"type": "string", "description": "What it is called."},
            "day": {"type": "string", "format": "date", "description": "Its day."},
            "scope": {"type": "string", "enum": ["this", "all"], "description": "Which of them.", "default": "this"},
            "steps": {
                "type": "array",
                "description": "What to do.",
                "maxItems": 9,
                "items": {
                    "type": "object",
                    "required": ["title"],
                    "properties": {"title": {"type": "string"}, "minutes": {"type": "integer"}},
                },
            },
            "kind": {"type": "string", "enum": ["lab", "exam"]},
            "weights": {"type": "object", "additionalProperties": {"type": "number"}},
            "width": {"anyOf": [{"type": "integer"}, {"type": "string"}], "default": 3},
            "until": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
            "is_open": {"type": "boolean", "default": True},
            "is_whole": {"type": "boolean"},
        },
    }


def test_the_tools_own_schema_stays_whole_for_validation_and_forms() -> None:
    assert plan.schema["additionalProperties"] is False
    assert plan.schema["properties"]["title"]["maxLength"] == 200


def test_every_tools_definition_is_a_schema_with_the_same_arguments(tools: Sequence[Tool]) -> None:
    for found in tools:
        schema = found.definition()["input_schema"]

        Draft202012Validator.check_schema(schema)
        assert schema["properties"].keys() == found.schema["properties"].keys(), found.name
        assert schema.get("required", []) == found.schema.get("required", []), found.name
        assert "$ref" not in json.dumps(schema), found.name


def test_every_argument_says_what_it_is_for(tools: Sequence[Tool]) -> None:
    silent = [
        f"{found.name}.{name}"
        for found in tools
        for name, argument in found.definition()["input_schema"]["properties"].items()
        if not argument.get("description")
    ]

    assert not silent


def test_what_the_tool_takes_fits_what_the_model_is_told(tools: Sequence[Tool]) -> None:
    misled = [
        (found.name, example.arguments)
        for found in tools
        for example in found.examples
        if not Draft202012Validator(found.definition()["input_schema"]).is_valid(dict(example.arguments))
    ]

    assert not misled


def test_definitions_that_contain_themselves_are_left_where_they_are() -> None:
    schema: dict[str, Any] = TypeAdapter(Tree).json_schema()

    shortened = definition_schema({"type": "object", "properties": {"tree": schema}, "$defs": schema["$defs"]})

    assert "$defs" in shortened
    Draft202012Validator.check_schema(shortened)


def test_a_servers_schema_is_in_the_servers_own_words() -> None:
    assert replace(plan, server="files").definition()["input_schema"] == plan.schema
