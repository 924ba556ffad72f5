"""`LocalToolsProvider`: tools that are functions of this process."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.errors import ApprovalError, ToolUnavailable
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.refusals import no_such
from services.tools.registry import ToolRegistry


class LocalToolsProvider:
    def __init__(self, tools: Iterable[Tool]) -> None:
        self._registry = ToolRegistry(tools)
        self._tools = tuple(self._registry)

    def tools(self) -> Sequence[Tool]:
        return self._tools

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Validate and run; a tool that writes never runs without the id of an approved operation."""
        tool = self._registry.get(name)
        if tool is None:
            raise ToolUnavailable(no_such(name))
        checked = tool.validate(arguments)
        if tool.effect.needs_approval and context.operation_id is None:
            raise ApprovalError(f"{tool.title} needs the student's approval first.")
        return tool.function(context, **checked)
