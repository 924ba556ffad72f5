"""Calls tools that go out to the web as the app does, against the outside web of the demo campus."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

from services.container import ServiceContainer
from services.safety.fetch import SafeFetch
from services.safety.known import KnownAddresses
from services.tools.base import Tool, ToolExecutionContext, ToolResult
from tests.campus_server import CampusServer
from tests.tool_calls import MAYA


@dataclass(frozen=True)
class FakeSettings:
    """The settings of the integrations that a test needs, by the first word of their id."""

    extensions: Mapping[str, Mapping[str, str]]
    anthropic_api_key: str = "key"
    anthropic_base_url: str | None = None
    model_quick: str = "claude-haiku-5-5"

    def extension(self, id: str) -> Mapping[str, str]:
        return self.extensions.get(id, {})


class WebCalls:
    """web: the address of the outside web. A program of Maya's calls, unless a conversation has `named` addresses."""

    def __init__(self, campus: CampusServer, *, fetch: SafeFetch | None = None, **settings: Any) -> None:
        self.web = f"{campus.url}/web"
        origin = campus.url.removesuffix("/sandbox")
        self.fetch = fetch or SafeFetch(allow=frozenset((origin,)))
        self.settings = FakeSettings(**settings) if settings else FakeSettings({})

    def run(self, tool: Tool, *, named: Callable[[], KnownAddresses] | None = None, **arguments: Any) -> ToolResult:
        container = SimpleNamespace(fetch=self.fetch, settings=self.settings, clock=lambda: datetime.now(UTC))
        context = ToolExecutionContext(
            student=MAYA,
            container=cast(ServiceContainer, container),
            asked_by="" if named else "Maya's program",
            named=named,
        )
        return tool.function(context, **tool.validate(arguments))
