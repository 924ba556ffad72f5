"""`FilteredToolsProvider`: the view of one student and assistant on the root; binds definitions and execution."""

import logging
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from services.errors import ToolUnavailable
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.exclusions import Exclusion
from services.tools.providers.provider import ToolsProvider
from services.tools.refusals import available, why_not

log = logging.getLogger(__name__)


class FilteredToolsProvider:
    def __init__(
        self,
        wrapped: ToolsProvider,
        allowed: Collection[str] | None,
        reasons: Mapping[str, Exclusion] = MappingProxyType({}),
    ) -> None:
        """`allowed`: names; None allows all, an empty collection none. A name that nobody registered is skipped.

        reasons: why the others are left out, by name, as far as that is known.
        """
        self._wrapped = wrapped
        self._reasons = reasons
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
        problem = why_not(name, self._reasons.get(name)) if is_registered else f"The tool {name[:80]} does not exist."
        return ToolUnavailable(f"{problem} {available(self._tools)}")
