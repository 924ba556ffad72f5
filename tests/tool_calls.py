"""Calls an integration's tools as the app does, without the agent: validated arguments, a real client, one student."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from services.connections.connection import Grant
from services.container import ServiceContainer
from services.integrations.base import Integration
from services.students import Student
from services.tools.base import PreviewRow, Tool, ToolExecutionContext, ToolResult

MAYA = Student(id="s-maya", name="Maya Chen", email="maya.chen@campus.example", timezone="America/Chicago")


@dataclass(frozen=True)
class FakeConnections:
    """`Connections.client` for a grant that is already open."""

    integration: Integration
    grant: Grant

    def client(self, student_id: str, integration: str, connection: object) -> Any:
        assert integration == self.integration.id
        return self.integration.client(self.grant)


@dataclass(frozen=True)
class FakeContainer:
    """The part of `ServiceContainer` that tools of integrations use."""

    connections: FakeConnections
    clock: Callable[[], datetime]


@dataclass(frozen=True, kw_only=True)
class ToolCalls:
    """One student's calls to the tools of one integration."""

    integration: Integration
    grant: Grant
    student: Student = MAYA
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.integration.tools if tool.name == name)

    def context(self, **facts: Any) -> ToolExecutionContext:
        container = FakeContainer(FakeConnections(self.integration, self.grant), self.clock)
        return ToolExecutionContext(student=self.student, container=cast(ServiceContainer, container), **facts)

    def run(self, name: str, arguments: Mapping[str, Any] | None = None, /, **facts: Any) -> ToolResult:
        """Run a tool; `facts` (operation_id, is_repeat, …) go into the context."""
        tool = self.tool(name)
        return tool.function(self.context(**facts), **tool.validate(arguments or {}))

    def preview(self, name: str, arguments: Mapping[str, Any], /) -> tuple[PreviewRow, ...]:
        tool = self.tool(name)
        assert tool.preview is not None
        return tool.preview(self.context(), arguments)

    def undo(self, name: str, result: ToolResult, /, **facts: Any) -> ToolResult:
        """Undo what a call did."""
        tool = self.tool(name)
        assert tool.undo is not None
        assert result.undo is not None
        return tool.undo(self.context(**facts), result.undo)
