"""`CompositeToolsProvider`: several providers as one."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.errors import ToolUnavailable
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers import ToolsProvider


class CompositeToolsProvider:
    def __init__(self, parts: Sequence[ToolsProvider]) -> None:
        """Raises `ValueError` when two parts offer tools of the same name."""
        self._parts = tuple(parts)
        names = [tool.name for tool in self.tools()]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"Offered by more than one provider: {', '.join(sorted(twice))}.")

    def tools(self) -> Sequence[Tool]:
        return tuple(tool for part in self._parts for tool in part.tools())

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        for part in self._parts:
            if any(tool.name == name for tool in part.tools()):
                return part.execute(name, arguments, context)
        raise ToolUnavailable(f"There is no tool named {name}.")
