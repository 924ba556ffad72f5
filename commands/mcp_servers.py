"""`manage.py mcp-check` and `mcp-approve`: whether the MCP servers come up, and what of theirs has changed."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from commands.console import agrees, store_of
from services import settings as configuration
from services.errors import BadArguments
from services.runtime.clock import utc_now
from services.safety.text import plain
from services.settings import mcp_servers as mcp
from services.settings.mcp_servers import McpServer
from services.storage.store import Store
from services.tools.mcp.pins import Pins, describe_change

if TYPE_CHECKING:
    from services.tools.mcp.provider import MCPToolsProvider

START_S = 60.0
"""How long a server may take; longer than students would wait, as an operator may install one meanwhile."""


def mcp_check() -> int:
    """Start every MCP server once: what each offers, or why it does not come up."""
    settings = configuration.from_process()
    with store_of(settings) as store:
        lines, all_are_up = checked(settings.mcp_servers, store)
    print("\n".join(lines) or f"No servers are configured: see {mcp.VARIABLE} in .env.example.")
    return 0 if all_are_up else 1


def mcp_approve(name: str | None, yes: bool) -> int:
    """Show how an MCP tool has changed and approve it after a yes; without a name, show the tools that wait for it."""
    with store_of() as store:
        pins = Pins(store, utc_now)
        waiting = {pin.name: pin for pin in pins.pending()}
        if name is None:
            print("\n\n".join(describe_change(pin) for pin in waiting.values()) or "No tool waits for approval.")
            return 0
        if name not in waiting:
            raise _not_waiting(name)
        print(describe_change(waiting[name]))
        if not yes and not agrees("\nShow this to the model from now on?"):
            print("Nothing is approved; the tool stays switched off.")
            return 1
        if not pins.approve(name, fingerprint=waiting[name].changed_fingerprint):
            # It has changed again while it was read.
            raise _not_waiting(name)
    print("Approved. Running processes offer it again within seconds.")
    return 0


def _not_waiting(name: str) -> BadArguments:
    step = "Run `python manage.py mcp-approve` to see which tools wait."
    return BadArguments(f"{name} does not wait for this approval.", next_step=step)


def checked(wanted: Mapping[str, McpServer], store: Store) -> tuple[list[str], bool]:
    """Start each server once: lines to print, none without servers, and whether all of them are up."""
    # Loads asyncio, which the other commands need not wait for.
    from services.tools.mcp.provider import MCPToolsProvider

    servers = MCPToolsProvider(wanted, store=store, clock=utc_now)
    try:
        is_up = {name: servers.ready(name, timeout_s=START_S) for name in wanted}
        lines = [line for name, up in is_up.items() for line in _described(servers, name, is_up=up)]
    finally:
        servers.close()
    return lines, all(is_up.values())


def _described(servers: "MCPToolsProvider", name: str, *, is_up: bool) -> Iterator[str]:
    yield f"{name}: {'up' if is_up else 'down'}"
    for tool in (tool for tool in servers.tools() if tool.server == name):
        yield f"  {tool.name} ({tool.effect}){f': {tool.obstacle.sentence}' if tool.obstacle else ''}"
    if not is_up and (words := servers.last_words(name)):
        yield textwrap.indent(plain(words).strip(), "  | ")
