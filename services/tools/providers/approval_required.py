"""Writes wait for the student: `ConfirmingToolsProvider` proposes them, `UndoingToolsProvider` takes them back."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from services.errors import ToolUnavailable
from services.safety.seen_addresses import AddressUnsure
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool

WAITING = "Not done yet: it waits for the student's decision."


class Proposals(Protocol):
    """The part of `Approvals` that the gate needs."""

    def propose(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str:
        """Keep the action until the student decides; returns the approval's id. Raises `BadArguments`."""


class ConfirmingToolsProvider(WrappingToolsProvider):
    """Approval gate: a tool that writes, or asks the student, becomes a pending approval instead of running."""

    def __init__(self, wrapped: ToolsProvider, approvals: Proposals, also: Collection[str] = ()) -> None:
        """`also`: names of tools that wait although they only read."""
        super().__init__(wrapped)
        self._approvals = approvals
        self._also = frozenset(also)

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = self.tool(name)
        if tool is None or not (tool.effect.needs_approval or name in self._also or _can_ask(tool, context)):
            try:
                return self._wrapped.execute(name, arguments, context)
            except AddressUnsure:
                if tool is None or not _is_in_chat(context):
                    raise
        approval_id = self._approvals.propose(tool, arguments, context)
        return ToolResult(output=WAITING, requires_approval=True, approval_request_id=approval_id)


def _can_ask(tool: Tool, context: ToolExecutionContext) -> bool:
    """Whether the student sits in front of this very call: in a chat, and not behind another tool of it."""
    return tool.asks_student and _is_in_chat(context)


def _is_in_chat(context: ToolExecutionContext) -> bool:
    return context.turn_id is not None and not context.depth and not context.asked_through


class UndoingToolsProvider(WrappingToolsProvider):
    """Undo: calling a tool takes back what it did. Offers only the tools that can be undone."""

    def tools(self) -> Sequence[Tool]:
        return tuple(tool for tool in super().tools() if tool.undo is not None)

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """arguments: what the write left in `ToolResult.undo`. Raises `ToolUnavailable` for a tool without undo."""
        tool = self.tool(name)
        if tool is None or tool.undo is None:
            raise ToolUnavailable("This cannot be undone.")
        return tool.undo(context, arguments)
