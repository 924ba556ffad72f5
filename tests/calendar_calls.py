"""Calls the calendar category's tools as the app does: real clients, several connections, a store; one student."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

from services.assistants.registry import AssistantRegistry
from services.connections.connection import Connection
from services.connections.connector import Grant
from services.errors import ReconnectRequired, ServiceError
from services.identity.students import Student
from services.integrations.base import Integration
from services.integrations.calendar import TOOLS as CALENDAR_TOOLS
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Tool
from services.wiring.container import ServiceContainer
from tests.fakes import FakeDocuments
from tests.tool_calls import MAYA

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)


class OpenConnections:
    """`Connections` for grants that are already open; `reported` is what was noted about them."""

    def __init__(self, integrations: Mapping[str, Integration], grants: Mapping[str, Grant]) -> None:
        self.integrations, self.grants = integrations, dict(grants)
        self.reported: list[tuple[str, str]] = []

    def client(self, student_id: str, integration: str, connection: object) -> Any:
        return self.integrations[integration].client(self.grants[integration])

    def refresh_grant(self, student_id: str, integration: str, *, seen: Connection | None = None) -> Connection:
        raise ReconnectRequired(self.integrations[integration].label, "It does not come back.")

    def report_failure(self, student_id: str, integration: str, error: ServiceError, *, seen: object = None) -> None:
        self.reported.append((integration, type(error).__name__))

    def report_success(self, student_id: str, integration: str, connection: Connection) -> None:
        pass


@dataclass(frozen=True, kw_only=True)
class Calendars:
    """One student's calls to the calendar's tools."""

    integrations: Mapping[str, Integration]
    grants: Mapping[str, Grant]
    student: Student = MAYA
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    connections: OpenConnections = field(init=False)
    store: Store = field(default_factory=lambda: Store(FakeDocuments()))

    def __post_init__(self) -> None:
        object.__setattr__(self, "connections", OpenConnections(self.integrations, self.grants))

    def tool(self, name: str) -> Tool:
        return next(tool for tool in CALENDAR_TOOLS if tool.name == name)

    def context(self, **facts: Any) -> ToolExecutionContext:
        container = SimpleNamespace(
            connections=self.connections,
            integrations=self.integrations,
            clock=self.clock,
            store=self.store,
            assistants=AssistantRegistry(self.store),
        )
        connected = {id: _connection(id, grant) for id, grant in self.grants.items()}
        facts = {"connections": connected, **facts}
        return ToolExecutionContext(student=self.student, container=cast(ServiceContainer, container), **facts)

    def run(self, name: str, arguments: Mapping[str, Any] | None = None, /, **facts: Any) -> ToolResult:
        """Run a tool; `facts` (operation_id, is_repeat, …) go into the context."""
        tool = self.tool(name)
        return tool.function(self.context(**facts), **tool.validate(arguments or {}))

    def preview(self, name: str, arguments: Mapping[str, Any], /, **facts: Any) -> tuple[PreviewRow, ...]:
        tool = self.tool(name)
        assert tool.preview is not None
        return tool.preview(self.context(**facts), arguments)

    def card(self, name: str, arguments: Mapping[str, Any], /, **facts: Any) -> dict[str, str]:
        """The rows of the card by their labels."""
        return {row.label: row.value for row in self.preview(name, arguments, **facts)}

    def undo(self, name: str, result: ToolResult, /, **facts: Any) -> ToolResult:
        """Undo what a call did."""
        tool = self.tool(name)
        assert tool.undo is not None
        assert result.undo is not None
        return tool.undo(self.context(**facts), result.undo)


def _connection(id: str, grant: Grant) -> Connection:
    return Connection(
        integration=id, account="Maya", origin=grant.origin, method="oauth", seen_at=LONG_AGO, connected_at=LONG_AGO
    )
