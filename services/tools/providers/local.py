"""Tools that are functions of this process: `ToolRegistry`, and `LocalToolsProvider`, which runs them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from services.errors import ApprovalError, BadArguments, ToolUnavailable
from services.safety.field_log import field_log
from services.tools.availability import unknown_tool_message
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example, Tool

_fitting: WeakKeyDictionary[Callable[..., Any], tuple[Example, ...]] = WeakKeyDictionary()
"""The examples that a tool's `validate` took: a tool is registered anew with whatever marks it, its schema stays."""


class ToolRegistry:
    """Registry of tools by their unique name, in the order of registration."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> Tool:
        """Add a tool and give it back, so that this can stand above `@tool` as a decorator.

        Raises `ValueError` for a name that is taken, an example that the tool's own schema refuses, and answers that
        would be kept of a tool that changes something: mistakes of ours, found at start.
        """
        if tool.name in self._tools:
            raise ValueError(f"Two tools are named {tool.name}.")
        if tool.fresh_for_s and tool.effect.is_change:
            raise ValueError(f"{tool.name} does not only read, so its answers cannot be kept.")
        _check_examples(tool)
        self._tools[tool.name] = tool
        return tool

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)


class LocalToolsProvider:
    """Provider that calls the functions of registered tools."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._registry = ToolRegistry(tools)
        self._tools = tuple(self._registry)

    def tools(self) -> Sequence[Tool]:
        return self._tools

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Run as `run_tool`; raises `ToolUnavailable` for a name that is not registered."""
        tool = self._registry.get(name)
        if tool is None:
            raise ToolUnavailable(unknown_tool_message(name))
        return run_tool(tool, arguments, context)


def run_tool(tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
    """Validate and run, and derive who may have written what the result holds from the fields that were read.

    A tool that writes never runs without the id of an approved operation.
    """
    checked = tool.validate(arguments)
    if tool.effect.needs_approval and context.operation_id is None:
        raise ApprovalError(f"{tool.title} needs the student's approval first.")
    with field_log() as log:
        result = tool.function(context, **checked)
        return replace(result, provenance=log.provenance(result.output, [source.url for source in result.sources]))


def _check_examples(tool: Tool) -> None:
    if _fitting.get(tool.validate) is tool.examples:
        return
    for example in tool.examples:
        try:
            tool.validate(example.arguments)
        except BadArguments as error:
            raise ValueError(f"{tool.name}: its example “{example.description}” does not fit. {error}") from error
    _fitting[tool.validate] = tool.examples
