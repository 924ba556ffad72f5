"""The registry: unique names, stable order."""

import json

import pytest

from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.local import LocalToolsProvider, ToolRegistry
from services.tools.result import ToolResult
from services.tools.tool import Example, Tool
from tests.agent_fakes import FakeBoard


def test_tools_keep_the_order_of_their_registration() -> None:
    read, pin = FakeBoard().tools()

    registry = ToolRegistry([pin, read])

    assert [tool.name for tool in registry] == ["board_pin", "board_read"]
    assert registry.get("board_read") is read
    assert registry.get("nothing") is None


def test_two_tools_of_one_name_are_refused() -> None:
    read, _ = FakeBoard().tools()
    registry = ToolRegistry([read])

    with pytest.raises(ValueError, match="board_read"):
        registry.register(read)


def test_registering_is_one_decorator() -> None:
    registry = ToolRegistry()
    read, _ = FakeBoard().tools()

    assert registry.register(read) is read
    assert len(registry) == 1


def optional_search(**arguments: object) -> Tool:
    @tool(
        label="Searching",
        category="research",
        contexts=("research",),
        is_optional=True,
        usage_hint="For what has changed lately.",
        when=("The question is about the news.",),
        when_not=("A story is to be written.",),
        produces=("citations",),
        examples=(Example(description="Look for a library", arguments=arguments),),
    )
    def search(context: ToolExecutionContext, *, query: str, most: int = 5) -> ToolResult:
        """Search."""
        return ToolResult(output=f"{most} of {query}")

    return search


def test_an_example_that_the_schema_refuses_stops_the_start_and_names_the_tool() -> None:
    broken = optional_search(query="rust", most="many")

    with pytest.raises(ValueError, match=r"search: its example .Look for a library. does not fit"):
        ToolRegistry([broken])


def test_an_example_that_fits_is_kept_with_the_other_metadata() -> None:
    (kept,) = ToolRegistry([optional_search(query="rust")])

    assert kept.is_optional
    assert kept.examples[0].arguments == {"query": "rust"}
    assert (kept.when, kept.produces) == (("The question is about the news.",), ("citations",))


def test_definitions_are_the_same_bytes_for_the_same_set() -> None:
    """The model's prompt cache holds only as long as they are."""
    first, second = LocalToolsProvider(FakeBoard().tools()), LocalToolsProvider(FakeBoard().tools())

    def written(provider: LocalToolsProvider) -> str:
        return json.dumps([tool.definition() for tool in provider.tools()])

    assert written(first) == written(second) == written(first)
