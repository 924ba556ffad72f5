"""`ConfirmingToolsProvider`: a tool that writes becomes a request to the student instead of running."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers import ToolsProvider

WAITING = "Not done yet: it waits for the student's decision."


class Proposals(Protocol):
    """What this wrapper needs of `services.approvals`."""

    def propose(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str:
        """Keep the action until the student decides; returns the approval's id. Raises `BadArguments`."""


class ConfirmingToolsProvider:
    def __init__(self, wrapped: ToolsProvider, approvals: Proposals, also: Collection[str] = ()) -> None:
        """`also`: names of tools that wait although they only read."""
        self._wrapped = wrapped
        self._approvals = approvals
        self._also = frozenset(also)

    def tools(self) -> Sequence[Tool]:
        return self._wrapped.tools()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = next((tool for tool in self.tools() if tool.name == name), None)
        if tool is None or not (tool.effect.needs_approval or name in self._also):
            return self._wrapped.execute(name, arguments, context)
        approval_id = self._approvals.propose(tool, arguments, context)
        return ToolResult(output=WAITING, requires_approval=True, approval_request_id=approval_id)
