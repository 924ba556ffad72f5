"""`ToolSwitches`: the tools and categories of tools that a student has switched off for themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST = 500
"""Names that are kept of each kind."""


@dataclass(frozen=True, kw_only=True)
class ToolSwitches:
    """Names of what is off; all else is as the assistant and the connections have it."""

    categories: frozenset[str] = frozenset()
    tools: frozenset[str] = frozenset()

    @property
    def are_set(self) -> bool:
        return bool(self.categories or self.tools)

    def switched(self, *, category: str = "", tool: str = "", is_on: bool) -> "ToolSwitches":
        """The same with this category or this tool on or off."""
        return ToolSwitches(categories=_with(self.categories, category, is_on), tools=_with(self.tools, tool, is_on))


ALL_ON = ToolSwitches()


def switches_of(document: Mapping[str, Any]) -> ToolSwitches:
    """The switches that a student's document holds."""
    found = document.get("tools_off") or {}
    return ToolSwitches(categories=frozenset(found.get("categories", ())), tools=frozenset(found.get("tools", ())))


def switches_document(switches: ToolSwitches) -> dict[str, list[str]]:
    """Switches as they are stored."""
    return {"categories": sorted(switches.categories)[:MOST], "tools": sorted(switches.tools)[:MOST]}


def switch_changes(
    document: Mapping[str, Any], *, category: str = "", tool: str = "", is_on: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a student's document must still hold, and what changes in it, to switch a category or a tool."""
    version = document.get("tools_off_version")
    switched = switches_of(document).switched(category=category, tool=tool, is_on=is_on)
    changes = {"tools_off": switches_document(switched), "tools_off_version": (version or 0) + 1}
    return {"tools_off_version": version}, changes


def _with(names: frozenset[str], name: str, is_on: bool) -> frozenset[str]:
    if not name:
        return names
    return names - {name} if is_on else names | {name}
