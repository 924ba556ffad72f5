"""Where tools come from and who may call them: small wrappers of one two-verb shape."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Tool


class ToolsProvider(Protocol):
    def tools(self) -> Sequence[Tool]:
        """Every tool it has, in a stable order."""

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Run one tool; raises `ToolUnavailable`, `BadArguments` or a `ServiceError`."""


def find_tool(provider: ToolsProvider, name: str) -> Tool | None:
    """The tool of this name as the provider has it now; tools of servers come and go."""
    return next((tool for tool in provider.tools() if tool.name == name), None)
