"""Providers over hostile and real servers, and what is left of them in the machine."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services.identity.students import Student
from services.runtime.clock import utc_now
from services.settings.mcp_servers import parse
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.mcp.limits import McpLimits
from services.tools.mcp.pins import Pins
from services.tools.mcp.provider import MCPToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Tool

HOSTILE = Path(__file__).with_name("hostile.py")
MAYA = Student(id="maya", name="Maya Chen", email="maya@campus.example", timezone="America/Chicago")
QUICK = McpLimits(
    start_s=10, call_s=10, stop_s=0.5, backoff_s=(0.05, 0.2), relist_s=0.05, recheck_s=0.0, message_bytes=1_000_000
)
"""Patient where a slow machine needs it, impatient where a test would wait."""


def hostile(**plan: Any) -> dict[str, Any]:
    """The configuration of a server that misbehaves as `plan` says; whoever runs Homeroom trusts it to read."""
    return {"command": [sys.executable, "-I", "-S", str(HOSTILE), json.dumps(plan)], "effect": "read"}


def listed(name: str, description: str = "Says it back.", **more: Any) -> dict[str, Any]:
    """A tool as a server lists it; read only unless told otherwise."""
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return {
        "name": name,
        "description": description,
        "inputSchema": schema,
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
        **more,
    }


class McpRoom:
    """One process's provider over a store that outlives it."""

    def __init__(
        self, folder: Path, servers: Mapping[str, Any], *, limits: McpLimits = QUICK, store: Store | None = None
    ):
        self._engine = None if store else SqliteDocuments(folder / "homeroom.sqlite")
        self.store = store or Store(self._engine)  # type: ignore[arg-type]
        self.pins = Pins(self.store, utc_now)
        self.servers = parse(json.dumps(servers), base={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder)})
        self.provider = MCPToolsProvider(self.servers, store=self.store, clock=utc_now, limits=limits)

    def up(self, *names: str, timeout_s: float = 30.0) -> None:
        """Wait until these servers (or all) are up, and look at what they list."""
        for name in names or self.servers:
            assert self.provider.ready(name, timeout_s=timeout_s), name
        self.provider.tools()

    def tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.provider.tools()}

    def obstacle(self, name: str) -> str | None:
        """The kind of what is in a tool's way."""
        obstacle = self.tools()[name].obstacle
        return obstacle.kind if obstacle else None

    def call(self, name: str, /, *, approved: bool = False, is_repeat: bool = False, **arguments: Any) -> ToolResult:
        context = ToolExecutionContext(
            student=MAYA,
            container=None,  # type: ignore[arg-type]
            operation_id="op" if approved else None,
            is_repeat=is_repeat,
        )
        return self.provider.execute(name, arguments, context)

    def close(self) -> None:
        self.provider.close()
        if self._engine is not None:
            self._engine.close()


def processes_with(word: str, *, of: str = "cmdline") -> list[int]:
    """Every process whose command line, or `of="environ"` whose environment, holds the word."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                line = (folder / of).read_bytes().decode(errors="replace")
            except OSError:
                continue
            found += [int(folder.name)] if word in line else []
    return found


def zombies() -> list[int]:
    """Children of this process that ended and were not reaped."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                _, _, rest = (folder / "stat").read_text().rpartition(") ")
            except OSError:
                continue
            state, parent = rest.split()[:2]
            found += [int(folder.name)] if state == "Z" and int(parent) == os.getpid() else []
    return found
