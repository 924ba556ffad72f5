"""`HearingToolsProvider`: what a chat reads of the student's days is noted, so that the next chat can suggest by it."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from services.errors import StorageError
from services.tools.base import Effect, Tool, ToolExecutionContext, ToolResult
from services.tools.providers.provider import ToolsProvider, named
from services.week.noted import WeekNotes
from services.week.rows import entries, tells

log = logging.getLogger(__name__)


class HearingToolsProvider:
    """Asks nothing of its own: it keeps what was asked anyway. The week's page keeps its own, with free time."""

    def __init__(self, wrapped: ToolsProvider) -> None:
        self._wrapped = wrapped

    def tools(self) -> Sequence[Tool]:
        return self._wrapped.tools()

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        result = self._wrapped.execute(name, arguments, context)
        tool = named(self._wrapped, name)
        if tool and _is_heard(tool) and result.success and context.conversation_id:
            _keep(tool, result, context)
        return result


def _is_heard(tool: Tool) -> bool:
    return tool.effect is Effect.READ and tells(tool)


def _keep(tool: Tool, result: ToolResult, context: ToolExecutionContext) -> None:
    notes = WeekNotes(context.container.store, context.container.clock)
    try:
        notes.add(context.student, list(entries(tool, result, context.timezone)), context.connections)
    except StorageError:
        # The student asked for the answer, not for the suggestions of their next chat.
        log.warning("week_not_noted tool=%s", tool.name)
