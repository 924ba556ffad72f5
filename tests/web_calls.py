"""Calls tools that go out to the web as the app does, against the outside web of the demo campus."""

from collections.abc import Callable
from typing import Any

from services.safety.fetch import SafeFetch
from services.safety.seen_addresses import SeenAddresses
from services.tools.result import ToolResult
from services.tools.tool import Tool
from tests.campus_server import CampusServer
from tests.tool_calls import FakeSettings, container_of, run


class WebCalls:
    """web: the address of the outside web. A program of Maya's calls, unless a conversation has `seen_addresses`."""

    def __init__(self, campus: CampusServer, *, fetch: SafeFetch | None = None, **settings: Any) -> None:
        self.web = f"{campus.url}/web"
        origin = campus.url.removesuffix("/sandbox")
        self.fetch = fetch or SafeFetch(allow=frozenset((origin,)))
        self.settings = FakeSettings(**settings)

    def run(
        self, tool: Tool, *, seen_addresses: Callable[[], SeenAddresses] | None = None, **arguments: Any
    ) -> ToolResult:
        container = container_of(fetch=self.fetch, settings=self.settings)
        return run(
            tool,
            arguments,
            container=container,
            asked_by="" if seen_addresses else "Maya's program",
            seen_addresses=seen_addresses,
        )
