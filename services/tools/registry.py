"""`ToolRegistry`: every tool by its unique name, in the order of registration."""

from collections.abc import Iterable, Iterator

from services.tools.base import Tool


class ToolRegistry:
    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> Tool:
        """Add a tool and give it back, so that this can stand above `@tool` as a decorator.

        Raises `ValueError` for a name that is taken: two tools of one name are a mistake of ours, found at start.
        """
        if tool.name in self._tools:
            raise ValueError(f"Two tools are named {tool.name}.")
        self._tools[tool.name] = tool
        return tool

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)
