"""Days of arguments in the student's own zone."""

from collections.abc import Mapping
from typing import Any

from services.tools.coercion import with_local_days
from services.tools.context import ToolExecutionContext
from services.tools.providers.provider import WrappingToolsProvider
from services.tools.result import ToolResult


class LocalDaysToolsProvider(WrappingToolsProvider):
    """Conversion of times to the student's day, where a tool takes a day, before a card shows it or a call is made."""

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        tool = self.tool(name)
        if tool is not None and isinstance(arguments, Mapping):
            arguments = with_local_days(arguments, tool.schema, context.timezone)
        return self._wrapped.execute(name, arguments, context)
