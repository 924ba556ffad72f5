"""Calls of the material tools over a library in memory, at a moment that stands still."""

from datetime import UTC, datetime
from typing import Any

from services.connections.connection import Health
from services.integrations.materials import TOOLS
from services.tools.result import ToolResult
from tests.material_fakes import FakeLibrary, canvas_connection, filled_library
from tests.tool_calls import FakeSettings, container_of, run

NOW = datetime(2026, 11, 18, 18, 0, tzinfo=UTC)
BY_NAME = {tool.name: tool for tool in TOOLS}


class Calls:
    def __init__(self, library: FakeLibrary | None = None, health: Health = Health.HEALTHY) -> None:
        self.library = library or filled_library()
        self.library.now = lambda: NOW
        self._health = health

    def __call__(self, name: str, **arguments: Any) -> ToolResult:
        parts = canvas_connection(self._health)
        settings = FakeSettings()
        object.__setattr__(settings, "public_url", "https://homeroom.example")
        container = container_of(
            materials=self.library, integrations=parts["integrations"], settings=settings, clock=lambda: NOW
        )
        return run(BY_NAME[f"materials_{name}"], arguments, container=container, connections=parts["connections"])
