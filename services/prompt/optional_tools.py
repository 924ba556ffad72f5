"""Optional tools in the prompt: their section of the system text, and definitions that hold when to use them."""

from collections.abc import Sequence
from typing import Any

from services.tools.tool import Tool, heading

WITH_EACH = "They are {tools}; each says when to use it."


def optional_section(tools: Sequence[Tool], opening: str, *, in_full: bool = True) -> str:
    """Build the section on optional tools below its opening, in their order; empty when no tool is optional.

    in_full: with the hints of every tool; else only which they are, because the hints come with the definitions.
    """
    by_category: dict[str, list[Tool]] = {}
    for tool in tools:
        if tool.is_optional:
            by_category.setdefault(tool.category, []).append(tool)
    if not by_category:
        return ""
    if not in_full:
        others = {tool.category for tool in tools if not tool.is_optional}
        whole = [heading(category) for category in by_category if category not in others]
        single = [tool.name for category, of in by_category.items() if category in others for tool in of]
        named = [f"all of {', '.join(whole)}"] * bool(whole) + single
        return f"{opening} {WITH_EACH.format(tools='; '.join(named))}"
    parts = [opening]
    for category, of_category in by_category.items():
        parts.append(f"{heading(category)}:")
        parts += [f"- {tool.name}: {_hints(tool)}" if _hints(tool) else f"- {tool.name}" for tool in of_category]
    return "\n".join(parts)


def hinted_definition(tool: Tool) -> dict[str, Any]:
    """Definition for the Messages API; that of an optional tool holds its hints."""
    definition = tool.definition()
    hints = _hints(tool) if tool.is_optional else ""
    return {**definition, "description": f"{tool.description}\n\nUse it {hints}"} if hints else definition


def _hints(tool: Tool) -> str:
    """When to use a tool and when not, in one line."""
    return " ".join(
        f"{opening} {'; '.join(entry.rstrip('.') for entry in entries)}."
        for opening, entries in (("when", tool.when), ("Not when", tool.when_not))
        if entries
    )
