"""`FilteredToolsProvider`: the view of one student and assistant on the root; binds definitions and execution."""

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from services.errors import ToolUnavailable
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers import ToolsProvider

log = logging.getLogger(__name__)


class FilteredToolsProvider:
    def __init__(self, wrapped: ToolsProvider, allowed: Collection[str] | None) -> None:
        """`allowed`: names; None allows all, an empty collection none. A name that nobody registered is skipped."""
        self._wrapped = wrapped
        registered = wrapped.tools()
        self._tools = tuple(tool for tool in registered if allowed is None or tool.name in allowed)
        self._names = frozenset(tool.name for tool in self._tools)
        for name in sorted(set(allowed or ()) - {tool.name for tool in registered}):
            log.warning("tool_not_in_registry tool=%s", name)

    def tools(self) -> Sequence[Tool]:
        return self._tools

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        if name not in self._names:
            raise self._refusal(name)
        return self._wrapped.execute(name, arguments, context)

    def _refusal(self, name: str) -> ToolUnavailable:
        is_registered = any(tool.name == name for tool in self._wrapped.tools())
        event = "llm_called_disabled_tool" if is_registered else "llm_called_unknown_tool"
        log.warning("%s tool=%.80r", event, name)
        problem = "is not enabled for this student" if is_registered else "does not exist"
        available = ", ".join(tool.name for tool in self._tools) or "none"
        return ToolUnavailable(f"The tool {name[:80]} {problem}. Available tools: {available}.")
