"""`CompositeToolsProvider`: several providers as one."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from services.errors import ToolUnavailable
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from services.tools.providers import ToolsProvider

log = logging.getLogger(__name__)


class CompositeToolsProvider:
    def __init__(self, parts: Sequence[ToolsProvider], *, later: Sequence[ToolsProvider] = ()) -> None:
        """Raises `ValueError` when two parts offer tools of the same name.

        later: parts whose tools come and go while the process runs. They are not asked before somebody asks this
        provider, and never take the place of a tool that came before them.
        """
        self._parts = (*parts, *later)
        names = Counter(tool.name for part in parts for tool in part.tools())
        if twice := [name for name, times in names.items() if times > 1]:
            raise ValueError(f"Offered by more than one provider: {', '.join(sorted(twice))}.")

    def tools(self) -> Sequence[Tool]:
        return tuple(tool for tool, _ in self._offered().values())

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        if found := self._offered().get(name):
            _, part = found
            return part.execute(name, arguments, context)
        raise ToolUnavailable(f"There is no tool named {name}.")

    def _offered(self) -> dict[str, tuple[Tool, ToolsProvider]]:
        offered: dict[str, tuple[Tool, ToolsProvider]] = {}
        for part in self._parts:
            for tool in part.tools():
                if offered.setdefault(tool.name, (tool, part))[1] is not part:
                    log.warning("tool_name_taken tool=%s", tool.name)
        return offered
