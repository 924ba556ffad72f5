"""Union and subset of tool providers: `CompositeToolsProvider`, `FilteredToolsProvider`."""

import logging
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from services.errors import ToolUnavailable
from services.tools.availability import Exclusion, available_tools_message, not_enabled_message, unknown_tool_message
from services.tools.context import ToolExecutionContext
from services.tools.failures import UNKNOWN_TOOL
from services.tools.providers.provider import ToolsProvider, WrappingToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool

log = logging.getLogger(__name__)


class CompositeToolsProvider:
    """Union of several providers."""

    def __init__(self, parts: Sequence[ToolsProvider], *, later: Sequence[ToolsProvider] = ()) -> None:
        """Raises `ValueError` when two parts offer tools of the same name.

        later: parts whose tools come and go while the process runs. They are not asked before somebody asks this
        provider, and never take the place of a tool that came before them.
        """
        self._parts = (*parts, *later)
        self._offer = _Offer()
        names = Counter(tool.name for part in parts for tool in part.tools())
        if twice := [name for name, times in names.items() if times > 1]:
            raise ValueError(f"Offered by more than one provider: {', '.join(sorted(twice))}.")

    def tools(self) -> Sequence[Tool]:
        return self._now().tools

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        part = self._now().part_of.get(name)
        if part is None:
            raise ToolUnavailable(unknown_tool_message(name))
        return part.execute(name, arguments, context)

    def _now(self) -> "_Offer":
        """Put together anew only when a part gives another tuple than before."""
        given = [part.tools() for part in self._parts]
        if len(given) != len(self._offer.given) or any(
            a is not b for a, b in zip(given, self._offer.given, strict=True)
        ):
            self._offer = _offer(self._parts, given)
        return self._offer


@dataclass(frozen=True, kw_only=True)
class _Offer:
    """Tools of all parts. given: what each part gave. tools: all of it, one tool for each name. part_of: whose it is,
    by name.
    """

    given: Sequence[Sequence[Tool]] = ()
    tools: tuple[Tool, ...] = ()
    part_of: Mapping[str, ToolsProvider] = field(default_factory=dict)


def _offer(parts: Sequence[ToolsProvider], given: Sequence[Sequence[Tool]]) -> _Offer:
    found: dict[str, tuple[Tool, ToolsProvider]] = {}
    for part, tools in zip(parts, given, strict=True):
        for tool in tools:
            if found.setdefault(tool.name, (tool, part))[0] is not tool:
                log.warning("tool_name_taken tool=%s", tool.name)
    tools, part_of = tuple(tool for tool, _ in found.values()), {name: part for name, (_, part) in found.items()}
    return _Offer(given=given, tools=tools, part_of=part_of)


class FilteredToolsProvider(WrappingToolsProvider):
    """Allow-list over a provider: it holds for the definitions that the model sees and for every call."""

    def __init__(
        self,
        wrapped: ToolsProvider,
        allowed: Collection[str] | None,
        reasons: Mapping[str, Exclusion] = MappingProxyType({}),
    ) -> None:
        """`allowed`: names; None allows all, an empty collection none. A name that nobody registered is skipped.

        reasons: why the others are left out, by name, as far as that is known.
        """
        super().__init__(wrapped)
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
        is_registered = self.tool(name) is not None
        event = "llm_called_disabled_tool" if is_registered else "llm_called_unknown_tool"
        log.warning("%s tool=%s", event, name if is_registered else UNKNOWN_TOOL)
        problem = (
            not_enabled_message(name, self._reasons.get(name))
            if is_registered
            else f"The tool {name[:80]} does not exist."
        )
        return ToolUnavailable(f"{problem} {available_tools_message(self._tools)}")
