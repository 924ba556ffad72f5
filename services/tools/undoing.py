"""`UndoingToolsProvider`: the same tools turned round: calling one takes back what it did."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.errors import ToolUnavailable
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers.provider import ToolsProvider, named


class UndoingToolsProvider:
    def __init__(self, wrapped: ToolsProvider) -> None:
        self._wrapped = wrapped

    def tools(self) -> Sequence[Tool]:
        return tuple(tool for tool in self._wrapped.tools() if tool.undo is not None)

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """`arguments` are what the write left in `ToolResult.undo`."""
        tool = named(self, name)
        if tool is None or tool.undo is None:
            raise ToolUnavailable("This cannot be undone.")
        return tool.undo(context, arguments)
