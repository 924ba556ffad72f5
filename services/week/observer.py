"""Observer of what chats read of a student's days, and of what they change there."""

import logging
from collections.abc import Mapping
from typing import Any

from services.errors import StorageError, Withheld
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool
from services.week.snapshots import WeekSnapshots
from services.week.tool_results import PRODUCTS_BY_CATEGORY, has_week_entries, week_entries

log = logging.getLogger(__name__)


class WeekObservingToolsProvider(WrappingToolsProvider):
    """Wrapper that saves what a chat reads of the student's days, so that the next chat can suggest by it, and marks
    the snapshot as outdated when something there was changed.

    It calls nothing itself. Pages save what they read themselves.
    """

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        result = self._wrapped.execute(name, arguments, context)
        tool = self.tool(name)
        if tool and result.success:
            try:
                _note(tool, result, context)
            except (StorageError, Withheld):
                # The student asked for the answer, not for the suggestions of their next chat.
                log.warning("week_not_noted tool=%s", tool.name)
        return result


def _note(tool: Tool, result: ToolResult, context: ToolExecutionContext) -> None:
    if tool.effect is Effect.READ:
        if context.conversation_id and has_week_entries(tool):
            entries = list(week_entries(tool, result, context.timezone))
            _snapshots(context).merge_entries(context.student, entries, context.connections)
    elif tool.category in PRODUCTS_BY_CATEGORY and not result.requires_approval:
        _snapshots(context).mark_outdated(context.student)


def _snapshots(context: ToolExecutionContext) -> WeekSnapshots:
    return WeekSnapshots(context.container.store, context.container.clock)
