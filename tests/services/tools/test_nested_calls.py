"""Row D8: a tool that needs other tools gets those that read, within the same resolution and not too deep."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from services.assistants.assistant import Assistant
from services.errors import ServiceUnavailable, ToolUnavailable
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.dispatch import DEEPEST
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests.agent_fakes import FakeBoard
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


class LayeredBoard(FakeBoard):
    """A board with a tool that reads by way of others, and one that calls itself for ever."""

    def tools(self, integration: str | None = "board") -> tuple[Tool, ...]:
        @tool(label="Reading twice", category="planner", contexts=("study",))
        def board_summary(context: ToolExecutionContext, *, wanted: list[str]) -> ToolResult:
            """Sum up what these tools say."""
            arguments: dict[str, Any] = {"text": "From within"}
            found = context.call_all(*((name, arguments if name == "board_pin" else {}) for name in wanted))
            sources: tuple[Source, ...] = tuple(source for result in found for source in result.sources)
            return ToolResult(output="\n".join(result.error or result.output for result in found), sources=sources)

        @tool(label="Going deeper", category="planner", contexts=("study",))
        def board_deeper(context: ToolExecutionContext) -> ToolResult:
            """Go deeper."""
            found = context.call("board_deeper")
            return ToolResult(output=f"{context.depth} {found.error or found.output}")

        return (*super().tools(integration), board_summary, board_deeper)


@pytest.fixture
def maya(room: RoomMaker) -> Room:
    return room(board=LayeredBoard())


def sum_up(maya: Room, *wanted: str, **more: str) -> ToolResult:
    return maya.services.gateway.call(maya.maya, "board_summary", {"wanted": wanted}, asked_by="Laptop", **more)


def test_a_batch_of_reads_comes_back_in_order_with_its_sources(maya: Room) -> None:
    result = sum_up(maya, "planner_list_tasks", "board_read")

    assert result.output.index("(Homeroom planner") < result.output.index("0 notes (Board)")
    assert [source.title for source in result.sources] == ["Board"]
    assert maya.board.contexts[0].depth == 1


def test_one_that_fails_leaves_the_others_alone(maya: Room) -> None:
    maya.board.failure = ServiceUnavailable("Board", "Board is down.")

    result = sum_up(maya, "board_read", "planner_list_tasks")

    assert result.success
    assert "Board is down." in result.output
    assert "(Homeroom planner" in result.output


def test_a_write_cannot_be_reached_from_within(maya: Room) -> None:
    result = sum_up(maya, "board_pin")

    assert "The tool board_pin is not enabled" in result.output
    assert maya.board.pins == []
    assert maya.services.approvals.latest(maya.maya.id, 5) == []


def test_what_is_excluded_outside_is_excluded_within(maya: Room) -> None:
    maya.services.connections.disconnect(maya.maya.id, "board")
    without_connection = sum_up(maya, "board_read")
    maya.connect()
    maya.services.assistants.save(Assistant(id="tidy", name="Tidy", switches={"board_read": False}))
    switched_off = sum_up(maya, "board_read", assistant="tidy")
    maya.services.assistants.save(Assistant(id="shy", name="Shy", confirm=("board_read",)))
    must_wait = sum_up(maya, "board_read", assistant="shy")

    for result in (without_connection, switched_off, must_wait):
        assert "The tool board_read is not enabled" in result.output
    assert maya.board.contexts == []


def test_it_does_not_go_deeper_than_is_reasonable(maya: Room) -> None:
    result = maya.services.gateway.call(maya.maya, "board_deeper", {}, asked_by="Laptop")

    assert result.output == "0 1 2 3 Too many tools have called each other here."
    assert DEEPEST == 3


def test_many_at_once_do_not_wait_for_each_other(maya: Room) -> None:
    """As many as there are threads: each would hold one and wait for another."""
    outer = maya.services.gateway
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda _: outer.call(maya.maya, "board_deeper", {}, asked_by="Laptop"), range(20)))

    assert {result.output for result in found} == {"0 1 2 3 Too many tools have called each other here."}


def test_a_context_of_its_own_reaches_nothing(context: Callable[..., ToolExecutionContext]) -> None:
    with pytest.raises(ToolUnavailable):
        context().call("planner_list_tasks")
