"""Tools of MCP servers as our provider offers them, from what the real servers list; no server runs."""

import json
from pathlib import Path

from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool

DEFINITIONS = Path(__file__).parent / "services" / "discovery" / "mcp_definitions.json"
"""From npm `@modelcontextprotocol/server-{everything,filesystem,memory}` 2026.8.31, and an invented one for Jira."""


def mcp_tool(server: str, name: str, description: str = "", contexts: tuple[str, ...] | None = None) -> Tool:
    """contexts: as the operator declared them; by default the server's own name, as without a word of the operator."""
    return Tool(
        name=f"{server}__{name}",
        description=f"From the MCP server {server}. {description}",
        label=name,
        title=name,
        category="mcp",
        contexts=(server,) if contexts is None else contexts,
        effect=Effect.READ,
        integration=None,
        server=server,
        schema={"type": "object", "properties": {}},
        validate=dict,
        function=_said,
    )


def listed(*servers: str) -> tuple[Tool, ...]:
    given = json.loads(DEFINITIONS.read_text(encoding="utf-8"))
    return tuple(
        mcp_tool(server, definition["name"], definition["description"])
        for server in servers
        for definition in given[server]
    )


def _said(context: ToolExecutionContext) -> ToolResult:
    return ToolResult(output="said")
