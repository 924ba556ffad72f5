"""The prompt's section on optional tools: by category, each with when it helps and when it does not."""

from collections.abc import Iterable, Sequence

from services.tools.base import Tool
from services.tools.categories import heading


def optional_section(tools: Iterable[Tool], opening: str) -> str:
    """The section below its opening words, or nothing when no tool is optional; in the order of the tools."""
    by_category: dict[str, list[Tool]] = {}
    for tool in tools:
        if tool.is_optional:
            by_category.setdefault(tool.category, []).append(tool)
    if not by_category:
        return ""
    parts = [opening]
    for category, of_category in by_category.items():
        parts.append(f"## {heading(category)}")
        parts += ["\n".join(_lines(tool)) for tool in of_category]
    return "\n\n".join(parts)


def _lines(tool: Tool) -> list[str]:
    heading = f"### {tool.name}"
    return [
        heading,
        *([tool.usage_hint] if tool.usage_hint else []),
        *_list("Use it when:", tool.when),
        *_list("Do not use it when:", tool.when_not),
        *([f"Gives: {', '.join(tool.produces)}."] if tool.produces else []),
    ]


def _list(heading: str, entries: Sequence[str]) -> list[str]:
    return [heading, *(f"- {entry}" for entry in entries)] if entries else []
