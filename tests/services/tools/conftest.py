"""A student's context, and a whole room for what needs one."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from services.connections.connection import Connection, Health
from services.identity.students import Student
from services.tools.context import ToolExecutionContext
from tests.agent_fakes import FakeBoard
from tests.room_fixtures import engine, engine_clock, room  # noqa: F401 - fixtures

MAYA = Student(id="maya", name="Maya Chen", email="maya@campus.example", timezone="America/Chicago")


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard()


@pytest.fixture
def context() -> Callable[..., ToolExecutionContext]:
    """A context for tools that need no container."""

    def make(**fields: Any) -> ToolExecutionContext:
        return ToolExecutionContext(student=MAYA, container=None, **fields)  # type: ignore[arg-type]

    return make


def connection(health: Health = Health.HEALTHY, *, integration: str = "board", reason: str = "") -> Connection:
    now = datetime(2026, 11, 21, tzinfo=UTC)
    return Connection(
        integration=integration,
        account="Maya",
        origin="https://board.example",
        method="oauth",
        health=health,
        reason=reason,
        seen_at=now,
        connected_at=now,
    )
