"""Tool search over the deferred tools: `find_tools` names those that fit, so that they are loaded."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from services.discovery.fallbacks import select_tools
from services.discovery.relevance.tool_words import word_index
from services.i18n import gettext_noop
from services.safety.provenance import Provenance, ResultProvenance
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.provider import ToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool

MOST_FOUND = 4
"""Tools that one search loads: each costs what its definition does, for the rest of the conversation."""
CONTEXT_POINTS = 4.0
CHANCE_POINTS = 12.0
LIKELY = 0.2
"""Chance below which a tool is one of many that a query might mean: words without any sense have such chances."""
NAME_POINTS = 100.0
NEAR = 0.5
"""Share of the best tool's points from which on another one is loaded with it."""
NOTHING = "No tool fits these words. Try other ones, or names from the list of tools."
LOADED = "Loaded already, call them: {names}."

_OURS = ResultProvenance(writers=frozenset({Provenance.OPERATOR}))

Rank = Callable[[Sequence[Tool], str], Sequence[Tool]]


@tool(label=gettext_noop("Looking for the right tool"), category="tools", contexts=())
def find_tools(
    context: ToolExecutionContext,
    *,
    query: Annotated[
        str,
        Field(
            description="What you need, in a few words, or names of tools from the list.", min_length=2, max_length=400
        ),
    ],
) -> ToolResult:
    """Find tools of the list that are not loaded. What fits is loaded and can be called next."""
    return ToolResult(output=NOTHING, provenance=_OURS)


FIND = find_tools.name


def found_tools(name: str, result: ToolResult) -> list[str]:
    """Names of the tools that a call has found; none for any other call than a search with results."""
    data = result.data
    return list(data["found"]) if name == FIND and isinstance(data, Mapping) else []


class SearchableToolsProvider:
    """Provider of the wrapped tools with the search in front."""

    def __init__(self, wrapped: ToolsProvider, rank: Rank, loaded: Callable[[], Collection[str]]) -> None:
        """rank: tools that fit a query, the best first. loaded: the tools that the model sees already."""
        self.wrapped = wrapped
        self._rank = rank
        self._loaded = loaded

    def tools(self) -> Sequence[Tool]:
        return (find_tools, *self.wrapped.tools())

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        if name != FIND:
            return self.wrapped.execute(name, arguments, context)
        query = str(find_tools.validate(arguments)["query"])
        found = self._rank(self.wrapped.tools(), query)
        loaded = self._loaded()
        new = [tool.name for tool in found if tool.name not in loaded]
        if new:
            return ToolResult(output=f"Found: {', '.join(new)}.", data={"found": new}, provenance=_OURS)
        output = LOADED.format(names=", ".join(tool.name for tool in found)) if found else NOTHING
        return ToolResult(output=output, provenance=_OURS)


def rank_tools(
    tools: Sequence[Tool], query: str, contexts: Collection[str] = (), chances: Mapping[str, float] | None = None
) -> list[Tool]:
    """Rank the tools that fit, the best first: by rare words that they share, by the contexts of the words, by name,
    and by `ToolRanker.chances` of the query.
    """
    named = set(re.findall(r"[A-Za-z0-9_-]{3,}", query))
    fitting = {tool.name for tool in select_tools(tools, contexts)}
    points: dict[str, float] = {}
    for found, shared in zip(tools, word_index(tools).scores(query), strict=True):
        name = found.name
        points[name] = shared + CONTEXT_POINTS * (name in fitting) + NAME_POINTS * (name in named)
        chance = (chances or {}).get(name, 0.0)
        points[name] += CHANCE_POINTS * chance if chance >= LIKELY else 0.0
    best = sorted(tools, key=lambda tool: -points[tool.name])[:MOST_FOUND]
    top = points[best[0].name] if best else 0.0
    return [tool for tool in best if points[tool.name] > 0 and points[tool.name] >= NEAR * top]
