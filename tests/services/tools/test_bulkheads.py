"""Which pool a call waits in: one for each outside service, so that a hanging one starves no other."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from services.connections.connection import Health
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import bulkhead_of
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeBoard
from tests.fakes import FakeClock, FakeService
from tests.services.tools.conftest import connection
from tests.tool_calls import MAYA

OWN, *_ = FakeBoard().tools(None)
CATEGORY = replace(OWN, category="calendar", capabilities=("calendar_read",))


def context(*connected: str) -> ToolExecutionContext:
    service = FakeService(clock=FakeClock())
    offered = {
        id: service.integration(id, category="calendar", capabilities=frozenset(gives))
        for id, gives in {"google": {"calendar_read"}, "feed": {"calendar_read"}, "notes": {"notes"}}.items()
    }
    container = cast(ServiceContainer, SimpleNamespace(integrations=offered))
    connections = {id: connection(Health.HEALTHY) for id in connected}
    return ToolExecutionContext(student=MAYA, container=container, connections=connections)


def test_a_tool_of_one_service_waits_with_that_service() -> None:
    assert bulkhead_of(replace(OWN, integration="google"), context("google")) == "tools-google"
    assert bulkhead_of(replace(OWN, server="files"), context()) == "tools-files"
    assert bulkhead_of(OWN, context("google")) == "tools-own"
    assert bulkhead_of(None) == "tools-own"


def test_a_tool_of_a_category_waits_with_what_this_student_has_connected() -> None:
    assert bulkhead_of(CATEGORY, context("google", "notes")) == "tools-google"
    assert bulkhead_of(CATEGORY, context("google", "feed")) == "tools-feed+google"
    assert bulkhead_of(CATEGORY, context()) == "tools-calendar"
