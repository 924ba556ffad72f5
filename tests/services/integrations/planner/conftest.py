"""What the planner's tools are called with: a student, a store, and nothing connected."""

from collections.abc import Callable

import pytest

from services.identity.students import Student
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from tests.fakes import FakeClock, FakeDocuments
from tests.tool_calls import container_of

ContextOf = Callable[..., ToolExecutionContext]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(clock: FakeClock) -> Store:
    return Store(FakeDocuments(clock=clock))


@pytest.fixture
def context_of(store: Store, clock: FakeClock) -> ContextOf:
    """For a student, and for one approved write when it has an operation id."""
    container = container_of(store=store, clock=clock)

    def context_of(
        student: str = "maya", operation_id: str | None = None, zone: str = "America/Chicago"
    ) -> ToolExecutionContext:
        who = Student(id=student, name=student.title(), email="", timezone=zone)
        return ToolExecutionContext(student=who, container=container, operation_id=operation_id)

    return context_of
