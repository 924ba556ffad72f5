"""Calls tools as the app does, without the agent: validated arguments, a real client, one student."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

from services.connections.connector import Grant
from services.identity.students import Student
from services.integrations.base import Integration
from services.runtime.clock import utc_now
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Tool
from services.wiring.container import ServiceContainer
from tests.fakes import FakeDocuments

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
class FakeSettings:
    """The settings of the extensions that a test needs, by their ids."""

    extensions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    anthropic_api_key: str = "key"
    anthropic_base_url: str | None = None
    model_quick: str = "claude-haiku-5-5"

    def extension(self, id: str) -> Mapping[str, str]:
        return self.extensions.get(id, {})


def container_of(**parts: object) -> ServiceContainer:
    """The parts of `ServiceContainer` that the tools under test use; the clock is the real one unless it is given."""
    return cast(ServiceContainer, SimpleNamespace(**{"clock": utc_now, **parts}))


def run(tool: Tool, arguments: Mapping[str, Any], /, **facts: Any) -> ToolResult:
    """Run a tool for Maya; `facts` (container, asked_by, named, …) go into the context."""
    context = ToolExecutionContext(**{"student": MAYA, "container": container_of(), **facts})
    return tool.function(context, **tool.validate(arguments))


@dataclass(frozen=True, kw_only=True)
class ToolCalls:
    """One student's calls to the tools of one integration."""

    integration: Integration
    grant: Grant
    student: Student = MAYA
    clock: Callable[[], datetime] = utc_now
    store: Store = field(default_factory=lambda: Store(FakeDocuments()))

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.integration.tools if tool.name == name)

    def context(self, **facts: Any) -> ToolExecutionContext:
        connections = FakeConnections(self.integration, self.grant)
        container = container_of(connections=connections, clock=self.clock, store=self.store)
        return ToolExecutionContext(student=self.student, container=container, **facts)

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
