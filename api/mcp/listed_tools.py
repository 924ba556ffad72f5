"""What `tools/list` shows: all tools, those of some contexts, or `find_tools` and `call_tool`, by key or headers."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_types import Tool as ListedTool
from mcp_types import ToolAnnotations

from api.mcp.results import output_schema, output_schema_of
from services.discovery.contexts import filter_by_context
from services.discovery.tool_list import known_contexts
from services.discovery.tool_search import NOTHING, find_tools, rank_tools
from services.errors import BadArguments
from services.identity.api_keys import ApiKey, ToolListMode
from services.tools.result import ToolResult
from services.tools.tool import Tool

MODE_HEADER, CONTEXTS_HEADER = "x-homeroom-tools", "x-homeroom-contexts"
"""Headers of a request that count more than the key's own setting."""
WAITS = "It waits for the student's approval in Homeroom before anything is changed."
_FIND_WORDS = "Find the student's tools that fit what you need. Gives the definition of each; run one with call_tool."
_CALL_WORDS = (
    "Call a tool that find_tools has given, with arguments as its definition says. One that changes something waits "
    "for the student's approval in Homeroom."
)
FIND, CALL = find_tools.name, "call_tool"
CALL_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "A tool that find_tools has given."},
        "arguments": {"type": "object", "description": "As its inputSchema says.", "default": {}},
    },
    "required": ["name"],
    "additionalProperties": False,
}
_TEXT: Mapping[str, Any] = {"type": "string"}
_DEFINITION: Mapping[str, Any] = {
    "type": "object",
    "properties": {"name": _TEXT, "description": _TEXT, "inputSchema": {"type": "object"}},
    "required": ["name", "description", "inputSchema"],
}
FOUND_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"tools": {"type": "array", "items": _DEFINITION}},
    "required": ["tools"],
}


@dataclass(frozen=True, kw_only=True)
class ToolSelection:
    """has_search: the search and the call are listed. contexts: tools of these are listed, of all when None."""

    has_search: bool = False
    contexts: tuple[str, ...] | None = None

    def entries(self, usable: Sequence[Tool], *, can_write: bool) -> list[ListedTool]:
        """Definitions to list of the tools that the key may use."""
        shown = usable if self.contexts is None else filter_by_context(usable, self.contexts)
        return [*(_search_entries(can_write=can_write) if self.has_search else ()), *map(_entry, shown)]


def tool_listing(key: ApiKey, headers: Mapping[str, str], root: Sequence[Tool]) -> ToolSelection:
    """Listing that a request asks for. root: every tool there is, whose contexts are known.

    Raises `BadArguments` for a header with an unknown mode or context.
    """
    contexts = _contexts(headers.get(CONTEXTS_HEADER), root)
    named = headers.get(MODE_HEADER, ToolListMode.CONTEXTS if contexts else "").strip().casefold()
    if named not in ("", *ToolListMode):
        raise BadArguments(f"The header {MODE_HEADER} takes {', '.join(ToolListMode)}.", field=MODE_HEADER)
    mode = ToolListMode(named) if named else key.listed_tools
    if mode is ToolListMode.CONTEXTS:
        contexts = contexts or key.contexts
        if not contexts:
            raise BadArguments(f"Name the contexts in the header {CONTEXTS_HEADER}.", field=CONTEXTS_HEADER)
        return ToolSelection(contexts=contexts)
    if mode is ToolListMode.SEARCH:
        return ToolSelection(has_search=True, contexts=contexts)
    return ToolSelection()


def _contexts(header: str | None, root: Sequence[Tool]) -> tuple[str, ...]:
    names = tuple(name.strip().casefold() for name in (header or "").split(",") if name.strip())
    known = known_contexts(root)
    if unknown := [name for name in names if name not in known]:
        words = f"No tool is about {', '.join(unknown)[:200]}. There are: {', '.join(known)}."
        raise BadArguments(words, field=CONTEXTS_HEADER)
    return names


def _search_entries(*, can_write: bool) -> tuple[ListedTool, ListedTool]:
    return (
        ListedTool(
            name=FIND,
            title="Find tools",
            description=_FIND_WORDS,
            input_schema=dict(find_tools.schema),
            output_schema=output_schema(FOUND_SCHEMA),
            annotations=ToolAnnotations(title="Find tools", read_only_hint=True),
        ),
        ListedTool(
            name=CALL,
            title="Call a tool",
            description=_CALL_WORDS,
            input_schema=dict(CALL_SCHEMA),
            output_schema=output_schema({}),
            annotations=ToolAnnotations(title="Call a tool", read_only_hint=not can_write, destructive_hint=False),
        ),
    )


def _entry(tool: Tool) -> ListedTool:
    description = f"{tool.description}\n\n{WAITS}" if tool.effect.needs_approval else tool.description
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=description,
        input_schema=tool.definition()["input_schema"],
        output_schema=output_schema_of(tool),
        annotations=ToolAnnotations(title=tool.title, read_only_hint=not tool.effect.is_change),
    )


def query_of(arguments: Mapping[str, Any]) -> str:
    """Words of a search. Raises `BadArguments`."""
    return str(find_tools.validate(arguments)["query"])


def found(tools: Sequence[Tool], query: str, contexts: Collection[str]) -> ToolResult:
    """Definitions of the tools that fit the words, the best first; as text, too, for clients that show only that."""
    definitions = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.definition()["input_schema"]}
        for tool in rank_tools(tools, query, contexts)
    ]
    lines = [json.dumps(definition, ensure_ascii=False) for definition in definitions]
    return ToolResult(output="\n".join(lines) or NOTHING, data={"tools": definitions})


def wanted_call(arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Name and arguments of the tool to call. Raises `BadArguments`."""
    name, inner = arguments.get("name"), arguments.get("arguments")
    if not isinstance(name, str) or not name:
        raise BadArguments("name: Give the name of a tool that find_tools has given.", field="name")
    if inner is not None and not isinstance(inner, Mapping):
        raise BadArguments("arguments: Give them as an object, by name.", field="arguments")
    if others := sorted(set(arguments) - {"name", "arguments"}):
        words = f"{', '.join(others)[:200]}: The arguments of {name[:80]} go into `arguments`."
        raise BadArguments(words, field=others[0])
    return name, inner or {}
