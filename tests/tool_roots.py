"""Roots of tools that note when they run, over services that need not exist: for tests and bench of resolution."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from services.assistants.assistant import Assistant
from services.connections.connection import Connection
from services.errors import ServiceError
from services.identity.students import Student
from services.runtime.clock import utc_now
from services.runtime.rate_limiter import RateLimiter
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.dispatch import Dispatcher
from services.tools.providers.local import LocalToolsProvider
from services.tools.result import ToolResult
from services.tools.tool import Effect, Tool
from services.tools.toolbox import Toolboxes
from tests.consents import GivenConsents
from tests.fakes import FakeClock, FakeDocuments, FakeService

CATEGORIES = ("courses", "calendar", "notes")
MAYA = Student(id="maya", name="Maya Chen", email="", timezone="America/Chicago")


SETTINGS = SimpleNamespace(public_url="http://localhost:8501")


class FakeAccounts:
    """What `Connections` is to a toolbox, over connections that are given; `reads` counts its looks at the store."""

    def __init__(self, connections: Mapping[str, Connection]) -> None:
        self.connections = dict(connections)
        self.consents = GivenConsents()
        self.reads = 0

    def all(self, student_id: str) -> Mapping[str, Connection]:
        self.reads += 1
        return self.connections

    def refresh_grant(self, student_id: str, integration: str, *, seen: Connection | None = None) -> Connection:
        return self.connections[integration]

    def report_failure(
        self, student_id: str, integration: str, error: ServiceError, *, seen: Connection | None = None
    ) -> None:
        """Nothing is kept."""

    def report_success(self, student_id: str, integration: str, connection: Connection) -> None:
        """Nothing is kept."""

    def mark_written(self, student_id: str, integration: str) -> None:
        found = self.connections[integration]
        self.connections[integration] = replace(found, data_version=found.data_version + 1)


class FakeApprovals:
    """Proposals that are only counted."""

    def __init__(self) -> None:
        self.proposed: list[str] = []

    def propose(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str:
        self.proposed.append(tool.name)
        return f"approval-{len(self.proposed)}"

    def pending_from_programs(self, student_id: str, limit: int) -> Sequence[Any]:
        return []

    def waiting_repeat(self, tool: Tool, arguments: Mapping[str, Any], context: ToolExecutionContext) -> str | None:
        return None


class FakeActivity:
    def record(self, student_id: str, **entry: Any) -> None:
        """Nothing is kept."""


class FakeToolUsage:
    def record_call(self, tool: str, *, seconds: float, failure: str | None) -> None:
        """Nothing is kept."""


class FakeAssistants:
    """`AssistantRegistry.get` over assistants that are given."""

    def __init__(self, *assistants: Assistant) -> None:
        self._assistants = {assistant.id: assistant for assistant in assistants}

    def get(self, id: str) -> Assistant:
        return self._assistants[id]

    def for_student(self, student_id: str, id: str) -> Assistant:
        return self._assistants[id]


class Root:
    """`size` tools, by turns of three services and of our own; every third one writes. `ran`: those that have run."""

    def __init__(self, size: int) -> None:
        self.ran: list[str] = []
        self.tools = tuple(self._tool(number) for number in range(size))
        service = FakeService(clock=FakeClock())
        self.integrations = {
            name: service.integration(name, label=name.capitalize(), category=name, capabilities=frozenset({name}))
            for name in CATEGORIES
        }
        self.approvals = FakeApprovals()

    def toolboxes(self, accounts: FakeAccounts, tools: Sequence[Tool] | None = None) -> Toolboxes:
        return Toolboxes(
            container=lambda: SimpleNamespace(integrations=self.integrations, settings=SETTINGS),  # type: ignore[arg-type,return-value]
            root=LocalToolsProvider(self.tools if tools is None else tools),
            integrations=self.integrations,
            connections=accounts,
            approvals=self.approvals,
            activity=FakeActivity(),
            usage=FakeToolUsage(),
            dispatcher=Dispatcher(),
            limiter=RateLimiter(Store(FakeDocuments()).shared, utc_now),
        )

    def _tool(self, number: int) -> Tool:
        category = (*CATEGORIES, "planner")[number % 4]

        @tool(
            label="Doing",
            category=category,
            contexts=(category,),
            effect=Effect.WRITE if number % 3 == 2 else Effect.READ,
            integration=None if category == "planner" else category,
        )
        def numbered(context: ToolExecutionContext) -> ToolResult:
            """Do it."""
            self.ran.append(f"tool_{number}")
            return ToolResult(output="Done.")

        return replace(numbered, name=f"tool_{number}")
