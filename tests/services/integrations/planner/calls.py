"""Calls to the planner's tools, as a test writes them."""

from typing import Any

from services.integrations.planner.tools import PLANNER_TOOLS
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult

TOOLS = {tool.name.removeprefix("planner_"): tool for tool in PLANNER_TOOLS}


def run(context: ToolExecutionContext, name: str, /, **arguments: Any) -> ToolResult:
    tool = TOOLS[name]
    return tool.function(context, **tool.validate(arguments))


def card(context: ToolExecutionContext, name: str, /, **arguments: Any) -> tuple[PreviewRow, ...]:
    tool = TOOLS[name]
    assert tool.preview is not None
    tool.validate(arguments)
    return tool.preview(context, arguments)


def undo(context: ToolExecutionContext, name: str, result: ToolResult) -> ToolResult:
    tool = TOOLS[name]
    assert tool.undo is not None
    assert result.undo is not None
    return tool.undo(context, result.undo)


def add(context: ToolExecutionContext, title: str, /, **more: Any) -> str:
    """A new task; its id."""
    return str(run(context, "create_task", title=title, **more).data["id"])
