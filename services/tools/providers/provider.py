"""`ToolsProvider`: a list of tools and a way to call them; `WrappingToolsProvider`: the base of all wrappers."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Tool


class ToolsProvider(Protocol):
    def tools(self) -> Sequence[Tool]:
        """Every tool it has, in a stable order: the same tuple again for as long as nothing has changed."""

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Run one tool; raises `ToolUnavailable`, `BadArguments` or a `ServiceError`."""


class WrappingToolsProvider:
    """Decorator of a provider: offers the same tools and passes calls on. A subclass adds its one behaviour."""

    def __init__(self, wrapped: ToolsProvider) -> None:
        self._wrapped = wrapped
        self._index: tuple[Sequence[Tool], Mapping[str, Tool]] = ((), {})

    def tools(self) -> Sequence[Tool]:
        return self._wrapped.tools()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        return self._wrapped.execute(name, arguments, context)

    def tool(self, name: str) -> Tool | None:
        """The wrapped provider's tool of this name. The index is made anew when that gives another tuple of tools."""
        tools, (indexed, by_name) = self._wrapped.tools(), self._index
        if indexed is not tools:
            by_name = {tool.name: tool for tool in tools}
            self._index = (tools, by_name)
        return by_name.get(name)


def find_tool(provider: ToolsProvider, name: str) -> Tool | None:
    """The tool of this name as the provider has it now; tools of MCP servers come and go."""
    return next((tool for tool in provider.tools() if tool.name == name), None)
