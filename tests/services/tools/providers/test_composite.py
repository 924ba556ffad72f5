"""Parts of a composite whose tools come and go while the process runs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from services.errors import ToolUnavailable
from services.tools.context import ToolExecutionContext
from services.tools.providers.composite import CompositeToolsProvider
from services.tools.providers.local import LocalToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests.agent_fakes import FakeBoard

Context = Callable[..., ToolExecutionContext]


class FakeServer:
    """A provider whose tools a test changes; `asked` counts how often it was asked for them."""

    def __init__(self, *tools: Tool) -> None:
        self.now: Sequence[Tool] = tools
        self.asked = 0

    def tools(self) -> Sequence[Tool]:
        self.asked += 1
        return self.now

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        return ToolResult(output=f"server: {name}")


def test_a_later_part_is_not_asked_before_somebody_asks(board: FakeBoard) -> None:
    server = FakeServer()

    provider = CompositeToolsProvider([LocalToolsProvider(board.tools())], later=[server])
    asked_before = server.asked
    provider.tools()

    assert asked_before == 0
    assert server.asked == 1


def test_tools_that_come_later_are_offered_and_run(board: FakeBoard, context: Context) -> None:
    read, pin = board.tools()
    server = FakeServer()
    provider = CompositeToolsProvider([LocalToolsProvider([read])], later=[server])
    with pytest.raises(ToolUnavailable):
        provider.execute("board_pin", {}, context())

    server.now = (pin,)

    assert [tool.name for tool in provider.tools()] == ["board_read", "board_pin"]
    assert provider.execute("board_pin", {}, context()).output == "server: board_pin"
    server.now = ()
    assert [tool.name for tool in provider.tools()] == ["board_read"]


def test_a_later_tool_never_takes_the_place_of_another(
    board: FakeBoard, context: Context, caplog: pytest.LogCaptureFixture
) -> None:
    impostor = FakeBoard().tools()[0]
    provider = CompositeToolsProvider([LocalToolsProvider(board.tools())], later=[FakeServer(impostor)])

    result = provider.execute("board_read", {}, context())
    provider.tools()

    assert "0 notes" in result.output
    assert impostor not in provider.tools()
    assert caplog.text.count("tool_name_taken tool=board_read") == 1


def test_the_same_tools_are_the_same_tuple(board: FakeBoard) -> None:
    provider = CompositeToolsProvider([LocalToolsProvider(board.tools())], later=[FakeServer()])

    assert provider.tools() is provider.tools()
