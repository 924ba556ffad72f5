"""Which context answers in place of another for a student who has no tool of it: what they lack is made up for."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from services.discovery.contexts import contexts_of, filter_by_context
from services.tools.tool import Tool


@dataclass(frozen=True, kw_only=True)
class Fallback:
    """of: what a message is about. by: what answers in its place, the best first. writes: it must be changed, too, so
    that tools which only read are not enough.
    """

    of: str
    by: tuple[str, ...]
    writes: bool = False


FALLBACKS = (
    # A calendar feed holds the due dates (row A8); where there is no calendar, tasks have deadlines.
    Fallback(of="courses", by=("calendar", "planner")),
    # A reminder that no calendar takes becomes a task, and a task that nobody keeps an event.
    Fallback(of="calendar", by=("planner",), writes=True),
    Fallback(of="planner", by=("calendar",), writes=True),
    Fallback(of="notes", by=("documents",)),
    Fallback(of="documents", by=("notes",)),
    # Public repositories are pages on the web.
    Fallback(of="github", by=("search",)),
)
_CATEGORIES = {"search": "research"}
"""Of a context whose tools have a category of another name."""


def fallback_contexts(tools: Sequence[Tool], contexts: Collection[str]) -> Mapping[str, str]:
    """The contexts to look for besides these, each with the one that it stands in for.

    tools: those that work for the student now. Nothing stands in for a context that has a tool of its own.
    """
    found: dict[str, str] = {}
    for row in FALLBACKS:
        if row.of not in contexts or any(_is_own(tool, row.of) and _does(tool, row) for tool in tools):
            continue
        by = next((name for name in row.by if any(_serves(tool, name) and _does(tool, row) for tool in tools)), None)
        if by is not None and by not in contexts:
            found.setdefault(by, row.of)
    return found


def select_tools(tools: Sequence[Tool], contexts: Collection[str]) -> tuple[Tool, ...]:
    """The tools for a message of these contexts: those that match, and those of what stands in; their order is kept."""
    return filter_by_context(tools, {*contexts, *fallback_contexts(tools, contexts)}) if contexts else ()


def _is_own(tool: Tool, context: str) -> bool:
    """Whether a context is what the tool is for. Many only go along with it; and what an MCP server is about is
    guessed from its words and its use, which must not keep away what is known to help.
    """
    return _is_tagged(tool, context) and tool.category == _CATEGORIES.get(context, context)


def _serves(tool: Tool, context: str) -> bool:
    return _is_own(tool, context) or (tool.server is not None and _is_tagged(tool, context))


def _is_tagged(tool: Tool, context: str) -> bool:
    """What is made up to try Homeroom with is nothing of the student's own."""
    return context in contexts_of(tool) and not tool.is_sample


def _does(tool: Tool, row: Fallback) -> bool:
    return tool.effect.needs_approval or not row.writes
