"""`find_tools` and `call_tool` of /mcp: any client can use them, whether or not it takes news of a changed list."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from services.discovery.tool_search import NOTHING, find_tools, rank_tools
from services.errors import BadArguments
from services.tools.result import ToolResult
from services.tools.tool import Tool

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
