"""A schema in words: what a person reads of a tool's arguments, whoever wrote the schema."""

from typing import Annotated, Literal

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.schema_text import MOST_LINES, ArgumentDescription, describe_arguments


class Step(BaseModel):
    title: Annotated[str, Field(description="What to do.")]
    minutes: Annotated[int, Field(ge=5, le=60)] = 30


@tool(label="", category="planner", contexts=())
def plan(
    context: ToolExecutionContext,
    *,
    steps: Annotated[list[Step], Field(description="In their order.")],
    pace: Literal["slow", "fast"] = "slow",
    course: str | None = None,
    is_shared: bool = False,
) -> ToolResult:
    """Plan something."""
    return ToolResult()


def test_parts_stand_below_what_they_are_part_of() -> None:
    assert describe_arguments(plan.schema) == [
        ArgumentDescription(name="steps", kind="list of fields", is_required=True, words="In their order."),
        ArgumentDescription(name="steps › title", kind="text", is_required=True, words="What to do."),
        ArgumentDescription(
            name="steps › minutes", kind="whole number", is_required=False, words="From 5 to 60. 30 when left out."
        ),
        ArgumentDescription(name="pace", kind="one of slow, fast", is_required=False, words="slow when left out."),
        ArgumentDescription(name="course", kind="text", is_required=False, words=""),
        ArgumentDescription(name="is_shared", kind="yes or no", is_required=False, words="No when left out."),
    ]


def test_an_argument_that_may_be_several_things_names_them_once() -> None:
    schema = {"properties": {"id": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}}}

    assert describe_arguments(schema)[0].kind == "text or whole number"


def test_a_schema_that_contains_itself_comes_to_an_end() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "same": {"$ref": "#/$defs/Same"}}}
    schema = {**node, "$defs": {"Node": node, "Same": {"$ref": "#/$defs/Same"}}}

    assert 0 < len(describe_arguments(schema)) <= MOST_LINES


def test_a_schema_without_end_is_cut() -> None:
    assert len(describe_arguments({"properties": {f"a{n}": {} for n in range(1_000)}})) == MOST_LINES


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "items", "properties", "anyOf", "enum", "$ref", "default", "format", "a"]), inner
        )
    ),
    max_leaves=12,
)


@given(properties=st.dictionaries(st.text(max_size=4), json, max_size=4))
def test_whatever_a_server_calls_a_schema_is_read_without_a_crash(properties: dict[str, object]) -> None:
    for argument in describe_arguments({"properties": properties, "$defs": {"a": properties}}):
        assert argument.kind
