"""A look at every MCP server for the operator: what each offers, or why it does not come up."""

import textwrap
from collections.abc import Iterator, Mapping

from services.runtime.clock import utc_now
from services.safety.text import plain
from services.settings.mcp_servers import McpServer
from services.storage.store import Store
from services.tools.mcp.provider import MCPToolsProvider

START_S = 60.0
"""How long a server may take; longer than students would wait, as an operator may install one meanwhile."""


def checked(wanted: Mapping[str, McpServer], store: Store) -> tuple[list[str], bool]:
    """Start each server once: lines to print, none without servers, and whether all of them are up."""
    servers = MCPToolsProvider(wanted, store=store, clock=utc_now)
    try:
        is_up = {name: servers.ready(name, timeout_s=START_S) for name in wanted}
        lines = [line for name, up in is_up.items() for line in _described(servers, name, is_up=up)]
    finally:
        servers.close()
    return lines, all(is_up.values())


def _described(servers: MCPToolsProvider, name: str, *, is_up: bool) -> Iterator[str]:
    yield f"{name}: {'up' if is_up else 'down'}"
    for tool in (tool for tool in servers.tools() if tool.server == name):
        yield f"  {tool.name} ({tool.effect}){f': {tool.obstacle.sentence}' if tool.obstacle else ''}"
    if not is_up and (words := servers.last_words(name)):
        yield textwrap.indent(plain(words).strip(), "  | ")
