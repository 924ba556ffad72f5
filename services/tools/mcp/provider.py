"""`MCPToolsProvider`: the tools of all configured servers; one that fails costs only its own tools."""

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.errors import ServiceUnavailable, StorageError, ToolUnavailable
from services.i18n import gettext
from services.runtime.clock import Clock
from services.settings.mcp_servers import McpServer
from services.storage.store import Store
from services.tools.availability import unknown_tool_message
from services.tools.context import ToolExecutionContext
from services.tools.mcp.blocking_portal import LazyPortal
from services.tools.mcp.connection import ServerConnection, ServerStatus
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.pins import Pins
from services.tools.mcp.server_tools import ServerTools, server_down
from services.tools.providers.local import run_tool
from services.tools.result import ToolResult
from services.tools.tool import Tool

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class ServerState:
    """State of one server for pages and the operator."""

    name: str
    label: str
    status: ServerStatus
    tools: int


class MCPToolsProvider:
    """Provider over all servers. Listing never waits for one: it starts those that are down, and gives what is known.

    What was pinned before is known at once, so the set of tools is the same before and after a restart.
    """

    def __init__(
        self, servers: Mapping[str, McpServer], *, store: Store, clock: Clock, limits: McpLimits | None = None
    ) -> None:
        """Starts nothing."""
        self._limits = limits or McpLimits()
        self._portal = LazyPortal()
        self._pins = Pins(store, clock)
        self._lock = threading.Lock()
        self._connections = {
            name: ServerConnection(server, self._portal, self._limits) for name, server in servers.items()
        }
        self._offered = {name: ServerTools(connection, self._limits) for name, connection in self._connections.items()}
        self._has_read_pins = False
        self._next_look = 0.0
        self._pause_until = 0.0
        # The last answer: the same tuple for as long as nothing has changed, so that others may keep what hangs on it.
        self._offer: tuple[Tool, ...] = ()

    def prepare(self) -> None:
        """At the start of the process: wake the servers of which nothing is known yet, and wait for none.

        So the very first student finds their tools. The others are woken when somebody needs them: what they offered
        before is known already.
        """
        self._refresh()
        for name, offered in self._offered.items():
            if not offered.tools:
                self._connections[name].wake()

    def tools(self) -> Sequence[Tool]:
        for connection in self._connections.values():
            connection.wake()
        self._refresh()
        now = [
            _with_health(tool, self._connections[name])
            for name, offered in self._offered.items()
            for tool in offered.tools
        ]
        if now != list(self._offer):
            self._offer = tuple(now)
        return self._offer

    def execute(self, name: str, arguments: Mapping[str, Any], context: ToolExecutionContext) -> ToolResult:
        """Run as `run_tool`; raises `ToolUnavailable` for a name that no server offers."""
        tool = self._find(name)
        if tool is None:
            raise ToolUnavailable(unknown_tool_message(name))
        return run_tool(tool, arguments, context)

    def servers(self) -> list[ServerState]:
        return [
            ServerState(
                name=name, label=connection.server.label, status=connection.status, tools=len(self._offered[name].tools)
            )
            for name, connection in self._connections.items()
        ]

    def ready(self, name: str, *, timeout_s: float) -> bool:
        """Whether a server is up; waits for its start."""
        return self._connections[name].ready(timeout_s)

    def last_words(self, name: str) -> str:
        """What a server's process wrote to stderr last: for the operator's own terminal, never for a log."""
        return self._connections[name].last_words

    def close(self) -> None:
        """End every connection and process, for good."""
        self._portal.close()

    def _find(self, name: str) -> Tool | None:
        """Find a tool, after its server had the chance to list a changed one."""
        server = name.partition("__")[0]
        connection = self._connections.get(server)
        if connection is None:
            return None
        if not connection.ready(self._limits.start_s):
            raise ServiceUnavailable(
                connection.server.label,
                gettext("{label} does not answer at the moment.", label=connection.server.label),
            )
        self._refresh()
        tool = next((tool for tool in self._offered[server].tools if tool.name == name), None)
        if tool is not None and tool.obstacle is not None:
            raise ToolUnavailable(tool.obstacle.sentence, next_step=tool.obstacle.step)
        return tool

    def _refresh(self) -> None:
        """Update the known tools from stored pins, new listings and approvals."""
        with self._lock:
            if time.monotonic() < self._pause_until:
                return
            try:
                self._read_pins()
                for name, offered in self._offered.items():
                    if listed := offered.new_listing():
                        offered.update(self._pins.pin_listed(name, listed.seen), listed)
            except StorageError as error:
                # Unpinned words are shown to no model: what was known stays, the rest has to wait.
                self._pause_until = time.monotonic() + self._limits.recheck_s
                log.warning("mcp_pins_not_read kind=%s", type(error).__name__)

    def _read_pins(self) -> None:
        """Read the pins once, and from time to time while a change waits for the operator."""
        waiting = [name for name, offered in self._offered.items() if offered.has_changed]
        if self._has_read_pins and (not waiting or time.monotonic() < self._next_look):
            return
        pins = self._pins.for_servers(list(self._offered))
        for name, offered in self._offered.items():
            offered.apply_pins({pin.name: pin for pin in pins.values() if pin.server == name})
        self._has_read_pins, self._next_look = True, time.monotonic() + self._limits.recheck_s


def _with_health(tool: Tool, connection: ServerConnection) -> Tool:
    is_down = tool.obstacle is None and connection.is_down
    return replace(tool, obstacle=server_down(connection.server)) if is_down else tool
