"""What /mcp lists: everything, some contexts, or a search; and that every structured result fits its schema."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from services.discovery.contexts import contexts_of
from services.errors import BadArguments
from services.identity.api_keys import ToolListMode
from tests.api.mcp.place import McpPlace, inspect, text
from tests.api.room import Program

SEARCH = {"find_tools", "call_tool"}


def with_listing(place: McpPlace, listed: str, *contexts: str, scopes: tuple[str, ...] = ("read", "write")) -> Program:
    """A program of Maya's whose key was made with this setting."""
    program = place.api.program(place.api.maya.student, *scopes)
    program.key = place.api.services.keys.create(
        place.api.maya.student, label=listed, scopes=scopes, listed_tools=listed, contexts=contexts
    )
    return program


def of_context(place: McpPlace, context: str) -> set[str]:
    offers = place.api.services.gateway.list_tools(place.api.maya.student.id, assistant="homeroom")
    return {offer.tool.name for offer in offers if offer.reason is None and context in contexts_of(offer.tool)}


def test_a_key_for_the_search_lists_two_tools_and_reaches_all_of_them(place: McpPlace) -> None:
    program = with_listing(place, "search")

    listed = place.tools(program)
    found = place.call(program, "find_tools", query="pin a note on the board")
    asked = place.call(program, "call_tool", name="board_pin", arguments={"text": "Buy chalk"})
    read = place.call(program, "call_tool", name="board_read")

    assert set(listed) == SEARCH
    definitions = found.structured_content["data"]["tools"]
    assert "board_pin" in [definition["name"] for definition in definitions]
    assert [json.loads(line) for line in text(found).splitlines()] == definitions
    assert all(definition["inputSchema"]["type"] == "object" for definition in definitions)
    assert asked.structured_content["requires_approval"] is True
    assert place.api.board.notes == {}
    assert text(read).startswith("0 notes")


def test_the_search_costs_a_small_part_of_the_whole_list(place: McpPlace) -> None:
    async def length(client: Client) -> int:
        listed = await client.list_tools()
        return sum(len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in listed.tools)

    everything = place.ask(place.api.maya, length)
    search = place.ask(place.api.maya, length, **{"x-homeroom-tools": "search"})

    assert search < 3_500
    assert search < everything / 4


def test_the_search_of_a_key_that_only_reads_finds_and_calls_nothing_that_writes(place: McpPlace) -> None:
    program = with_listing(place, "search", scopes=("read",))

    listed = place.tools(program)
    found = place.call(program, "find_tools", query="board_pin")
    refused = place.call(program, "call_tool", name="board_pin", arguments={"text": "Buy chalk"})

    assert listed["call_tool"].annotations.read_only_hint is True
    assert (
        place.tools(place.api.maya, **{"x-homeroom-tools": "search"})["call_tool"].annotations.read_only_hint is False
    )
    assert "board_pin" not in [definition["name"] for definition in found.structured_content["data"]["tools"]]
    assert refused.is_error
    assert "needs the scope write" in text(refused)


def test_the_search_offers_nothing_that_does_not_work_for_the_student(place: McpPlace) -> None:
    found = place.call(place.api.diego, "find_tools", query="board_read board_pin")

    assert not {"board_read", "board_pin"} & {tool["name"] for tool in found.structured_content["data"]["tools"]}


def test_a_key_for_some_contexts_lists_their_tools_and_may_call_the_others(place: McpPlace) -> None:
    program = with_listing(place, "contexts", "planner")

    listed = place.tools(program)
    read = place.call(program, "board_read")

    assert set(listed) == of_context(place, "planner") != set()
    assert not read.is_error


def test_a_header_counts_more_than_the_key(place: McpPlace) -> None:
    program = with_listing(place, "search")

    everything = place.tools(program, **{"x-homeroom-tools": "all"})
    some = place.tools(program, **{"x-homeroom-contexts": "Planner , courses"})
    both = place.tools(program, **{"x-homeroom-tools": "search", "x-homeroom-contexts": "planner"})

    assert {"board_read", "planner_list_tasks"} <= set(everything)
    assert not SEARCH & set(everything)
    assert set(some) == of_context(place, "planner") | of_context(place, "courses")
    assert set(both) == SEARCH | of_context(place, "planner")


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"x-homeroom-tools": "few"}, "takes all, search, contexts"),
        ({"x-homeroom-tools": "contexts"}, "Name the contexts"),
        ({"x-homeroom-contexts": "planner,gardening"}, "No tool is about gardening. There are: courses,"),
    ],
)
def test_a_header_that_means_nothing_is_refused_with_what_there_is(
    place: McpPlace, headers: Mapping[str, str], words: str
) -> None:
    async def refused(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.list_tools()
        return str(caught.value)

    assert words in place.ask(place.api.maya, refused, **headers)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "name: Give the name"),
        ({"name": "board_pin", "arguments": "Buy chalk"}, "arguments: Give them as an object"),
        ({"name": "board_pin", "text": "Buy chalk"}, "text: The arguments of board_pin go into `arguments`"),
        ({"name": "board_pin", "arguments": {"colour": "red"}}, "text:"),
        ({"name": "no_such_tool"}, "There is no tool named no_such_tool"),
        ({"name": "call_tool", "arguments": {"name": "board_read"}}, "There is no tool named call_tool"),
    ],
)
def test_a_mistaken_call_is_told_to_the_model_that_made_it(
    place: McpPlace, arguments: Mapping[str, Any], words: str
) -> None:
    answer = place.call(place.api.maya, "call_tool", **arguments)

    assert answer.is_error
    assert words in text(answer)
    assert place.api.services.approvals.pending_from_programs(place.api.maya.student.id, 10) == []


def test_every_listed_tool_has_a_schema_of_its_result(place: McpPlace) -> None:
    tools = place.tools(place.api.maya) | place.tools(place.api.maya, **{"x-homeroom-tools": "search"})

    for tool in tools.values():
        assert tool.output_schema["type"] == "object"
        assert {"success", "data", "requires_approval", "sources"} <= set(tool.output_schema["required"])
    assert tools["planner_list_tasks"].output_schema["properties"]["data"]["required"] == ["tasks"]
    assert tools["board_pin"].output_schema["properties"]["data"] == {"type": "null"}


def test_the_client_checks_results_against_the_schemas(place: McpPlace) -> None:
    """The SDK's client raises for a result that does not fit, once it has seen the list."""

    async def talk(client: Client) -> list[Any]:
        await client.list_tools()
        calls = [("board_read", {}), ("board_pin", {"text": "Buy chalk"}), ("planner_list_tasks", {})]
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    assert [result.is_error for result in place.ask(place.api.maya, talk)] == [False, False, False]


@pytest.mark.soak
def test_the_inspector_finds_and_calls(place: McpPlace) -> None:
    program = with_listing(place, "search")

    listed = inspect(place, program, "tools/list")
    found = inspect(place, program, "tools/call", "--tool-name", "find_tools", "--tool-arg", "query=board")
    read = inspect(place, program, "tools/call", "--tool-name", "call_tool", "--tool-arg", "name=board_read")

    assert {tool["name"] for tool in listed["tools"]} == SEARCH
    assert all(tool["outputSchema"]["type"] == "object" for tool in listed["tools"])
    assert found["structuredContent"]["data"]["tools"]
    assert read["content"][0]["text"].startswith("0 notes")


@pytest.mark.parametrize(("listed", "contexts"), [("few", ()), ("contexts", ()), ("contexts", ("  ",))])
def test_a_key_is_made_with_a_listing_that_means_something(
    place: McpPlace, listed: str, contexts: tuple[str, ...]
) -> None:
    with pytest.raises(BadArguments):
        with_listing(place, listed, *contexts)


def test_a_key_keeps_its_listing(place: McpPlace) -> None:
    program = with_listing(place, "contexts", " Courses", "courses", "planner")

    (key,) = [key for key in place.api.services.keys.list(program.student.id) if key.label == "contexts"]
    assert (key.listed_tools, key.contexts) == (ToolListMode.CONTEXTS, ("courses", "planner"))
    assert place.api.maya.key.key.listed_tools is ToolListMode.ALL
