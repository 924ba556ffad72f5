"""What the model is told of optional tools: when each helps and when it does not, in the prompt or with the tool."""

from collections.abc import Iterable, Sequence
from typing import Any

from services.tools.base import Tool
from services.tools.categories import heading

WITH_EACH = "Each says in its description when to use it and when not."


def optional_section(tools: Iterable[Tool], opening: str, *, in_full: bool = True) -> str:
    """The section below its opening words, or nothing when no tool is optional; in the order of the tools.

    in_full: with the hints of every tool; else only their names, because the hints come with the definitions.
    """
    by_category: dict[str, list[Tool]] = {}
    for tool in tools:
        if tool.is_optional:
            by_category.setdefault(tool.category, []).append(tool)
    if not by_category:
        return ""
    if not in_full:
        names = (f"- {heading(category)}: {', '.join(one.name for one in of)}" for category, of in by_category.items())
        return "\n".join((f"{opening} {WITH_EACH}", *names))
    parts = [opening]
    for category, of_category in by_category.items():
        parts.append(f"## {heading(category)}")
        parts += ["\n".join([f"### {tool.name}", *_hints(tool)]) for tool in of_category]
    return "\n\n".join(parts)


def hinted_definition(tool: Tool) -> dict[str, Any]:
    """The tool as the Messages API wants it; an optional one brings its hints along."""
    definition = tool.definition()
    hints = _hints(tool) if tool.is_optional else []
    return {**definition, "description": "\n".join([tool.description, "", *hints])} if hints else definition


def _hints(tool: Tool) -> list[str]:
    return [
        *([tool.usage_hint] if tool.usage_hint else []),
        *_list("Use it when:", tool.when),
        *_list("Do not use it when:", tool.when_not),
        *([f"Gives: {', '.join(tool.produces)}."] if tool.produces else []),
    ]


def _list(heading: str, entries: Sequence[str]) -> list[str]:
    return [heading, *(f"- {entry}" for entry in entries)] if entries else []
