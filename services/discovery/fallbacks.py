"""Fallback contexts for a student who has no tool of the one that their message is about."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from services.discovery.contexts import contexts_of, filter_by_context
from services.tools.tool import Tool

_CATEGORIES = {"search": "research"}
"""Of a context whose tools have a category of another name."""


@dataclass(frozen=True, kw_only=True)
class Fallback:
    """Contexts in place of a missing one.

    context: what a message is about. instead: what answers in its place, the best first. writes: it must be changed,
    too, so that tools which only read are not enough.
    """

    context: str
    instead: tuple[str, ...]
    writes: bool = False


FALLBACKS = (
    # A calendar feed holds the due dates; where there is no calendar, tasks have deadlines.
    Fallback(context="courses", instead=("calendar", "planner")),
    # A reminder that no calendar takes becomes a task, and a task that nobody keeps an event.
    Fallback(context="calendar", instead=("planner",), writes=True),
    Fallback(context="planner", instead=("calendar",), writes=True),
    Fallback(context="notes", instead=("documents",)),
    Fallback(context="documents", instead=("notes",)),
    # Public repositories are pages on the web.
    Fallback(context="github", instead=("search",)),
)


def fallback_contexts(tools: Sequence[Tool], contexts: Collection[str]) -> Mapping[str, str]:
    """The contexts to look for besides these, each with the missing one that it is a fallback for.

    tools: those that work for the student now. A context that has a tool of its own needs none.
    """
    found: dict[str, str] = {}
    for fallback in FALLBACKS:
        if fallback.context not in contexts or any(
            _is_own(tool, fallback.context) and _is_enough(tool, fallback) for tool in tools
        ):
            continue
        name = next(
            (
                name
                for name in fallback.instead
                if any(_serves(tool, name) and _is_enough(tool, fallback) for tool in tools)
            ),
            None,
        )
        if name is not None and name not in contexts:
            found.setdefault(name, fallback.context)
    return found


def select_tools(tools: Sequence[Tool], contexts: Collection[str]) -> tuple[Tool, ...]:
    """Select the tools for a message of these contexts, and those of their fallbacks; their order is kept."""
    return filter_by_context(tools, {*contexts, *fallback_contexts(tools, contexts)}) if contexts else ()


def _is_own(tool: Tool, context: str) -> bool:
    """Whether a context is what the tool is for. Many only go along with it; and what an MCP server is about is
    guessed from its words and its use, which must not keep away what is known to help.
    """
    return _is_tagged(tool, context) and tool.category == _CATEGORIES.get(context, context)


def _serves(tool: Tool, context: str) -> bool:
    return _is_own(tool, context) or (tool.server is not None and _is_tagged(tool, context))


def _is_tagged(tool: Tool, context: str) -> bool:
    """Sample data, made to try Homeroom with, is nothing of the student's own."""
    return context in contexts_of(tool) and not tool.is_sample


def _is_enough(tool: Tool, fallback: Fallback) -> bool:
    return tool.effect.needs_approval or not fallback.writes
