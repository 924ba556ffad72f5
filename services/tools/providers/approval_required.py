"""Writes wait for the student: `ConfirmingToolsProvider` proposes them, `UndoingToolsProvider` takes them back."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from services.errors import ApprovalRequired, StorageError, ToolUnavailable
from services.safety.seen_addresses import AddressUnsure
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool

log = logging.getLogger(__name__)

WAITING = "Not done yet: it waits for the student's decision."


class Proposals(Protocol):
    """The part of `Approvals` that the gate needs."""

    def propose(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str:
        """Keep the action until the student decides; returns the approval's id. Raises `BadArguments`."""

    def record(
        self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext, result: ToolResult
    ) -> str:
        """Keep a card of what was done at once, with its undo; returns its id."""


class ConfirmingToolsProvider(WrappingToolsProvider):
    """Approval gate: a tool that writes, or asks the student, becomes a pending approval instead of running. One that
    records something of theirs runs, and its card shows what was done with its undo.
    """

    def __init__(self, wrapped: ToolsProvider, approvals: Proposals, also: Collection[str] = ()) -> None:
        """`also`: names of tools that wait although they only read."""
        super().__init__(wrapped)
        self._approvals = approvals
        self._also = frozenset(also)

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = self.tool(name)
        if tool is None or not (tool.effect.needs_approval or name in self._also or _can_ask(tool, context)):
            try:
                return self._recorded(tool, arguments, context, self._wrapped.execute(name, arguments, context))
            except AddressUnsure:
                if tool is None or not _is_in_chat(context):
                    raise
            except ApprovalRequired:
                if tool is None or context.depth or context.asked_through:
                    raise
        approval_id = self._approvals.propose(tool, arguments, context)
        return ToolResult(output=WAITING, requires_approval=True, approval_request_id=approval_id)

    def _recorded(
        self, tool: Tool | None, arguments: Mapping[str, Any], context: ToolExecutionContext, result: ToolResult
    ) -> ToolResult:
        """The result with a card, where the call has recorded something that has one."""
        if tool is None or tool.effect is not Effect.RECORD or not (result.success and result.rows):
            return result
        try:
            return replace(result, approval_request_id=self._approvals.record(tool, arguments, context, result))
        except StorageError:
            # It has happened: a card that cannot be kept must not make it look as if it had not.
            log.warning("record_without_card tool=%s", tool.name)
            return result


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
