"""The real client against the campus's Canvas, and a student who is connected to it."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from services.connections.connections import Connections
from services.connections.connector import Grant
from services.connections.vault import KeyRing, Vault
from services.identity.students import Student
from services.integrations.base import Integration
from services.integrations.canvas import integration
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.transport import CanvasTimeouts
from services.runtime.clock import utc_now
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.wiring.container import ServiceContainer
from tests.campus_server import CLIENT_ID, CLIENT_SECRET, CampusServer
from tests.consents import GIVEN
from tests.fakes import FakeClock, FakeDocuments

HASTY = CanvasTimeouts(connect_s=1.0, read_s=1.5, total_s=6.0, sleep=lambda seconds: None)
ContextOf = Callable[[str], ToolExecutionContext]


@pytest.fixture
def canvas(campus: CampusServer) -> Integration:
    """The integration as a deployment with a developer key has it."""
    return canvas_at(f"{campus.url}/canvas")


def canvas_at(origins: str, timeouts: CanvasTimeouts = HASTY) -> Integration:
    """The integration for these addresses."""
    extension = {"BASE_URL": origins, "CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET}
    made = integration(extension, timeouts=timeouts)
    assert made is not None
    return made


def client_at(address: str, timeouts: CanvasTimeouts = HASTY) -> CanvasClient:
    """The client for any address, with a token that must not get out."""
    made: CanvasClient = canvas_at(address, timeouts).client(Grant(origin=address, access_token="canary-token"))
    return made


@pytest.fixture
def client(campus: CampusServer, canvas: Integration) -> CanvasClient:
    """Maya's Canvas, for one call."""
    made: CanvasClient = canvas.client(Grant(origin=canvas.origins[0], access_token=campus.token("canvas", "maya")))
    return made


@pytest.fixture
def clock() -> FakeClock:
    """Stands at the real now, as the campus's clock goes on from it."""
    return FakeClock(utc_now())


@pytest.fixture
def connections(canvas: Integration, clock: FakeClock) -> Connections:
    vault, store = Vault(KeyRing([("k1", b"1" * 32)])), Store(FakeDocuments())
    public_url = "http://localhost:8501"
    return Connections(
        store=store, vault=vault, integrations={"canvas": canvas}, clock=clock, public_url=public_url, terms=GIVEN
    )


@pytest.fixture
def context_of(campus: CampusServer, canvas: Integration, connections: Connections, clock: FakeClock) -> ContextOf:
    """What a tool is called with, for a person who pasted a token."""

    def context_of(person: str) -> ToolExecutionContext:
        token = campus.token("canvas", person)
        connection = connections.connect_with_token(person, "canvas", origin=canvas.origins[0], token=token)
        container = cast(ServiceContainer, SimpleNamespace(connections=connections, clock=clock))
        student = Student(id=person, name=person.title(), email="", timezone="America/Chicago")
        return ToolExecutionContext(student=student, container=container, connections={"canvas": connection})

    return context_of


@pytest.fixture
def maya(context_of: ContextOf) -> ToolExecutionContext:
    return context_of("maya")


@pytest.fixture
def call(canvas: Integration, maya: ToolExecutionContext) -> Callable[..., ToolResult]:
    """Call a tool as Maya, with JSON arguments as the model gives them."""
    tools = {tool.name: tool for tool in canvas.tools}

    def call(name: str, context: ToolExecutionContext = maya, **arguments: Any) -> ToolResult:
        tool = tools[name]
        return tool.function(context, **tool.validate(arguments))

    return call
