"""An MCP server gets contexts from what it is used for, without anyone tagging it."""

from datetime import UTC, datetime

import pytest

from services.discovery.contexts import contexts_of, filter_by_context
from services.discovery.usage import FEWEST_CALLS, REFRESH_AFTER, LearnedContextsToolsProvider, ServerUsage
from services.storage.store import Store
from services.tools.providers.local import LocalToolsProvider
from tests.fakes import FakeClock, FakeDocuments
from tests.mcp_tools import listed, mcp_tool


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 21, tzinfo=UTC))


@pytest.fixture
def use(clock: FakeClock) -> ServerUsage:
    return ServerUsage(Store(FakeDocuments(clock=clock)), clock)


def test_a_server_that_answers_messages_of_a_context_gets_it(use: ServerUsage, clock: FakeClock) -> None:
    root = LearnedContextsToolsProvider(LocalToolsProvider([mcp_tool("acme", "lookup")]), use)
    before = root.tools()
    for number in range(FEWEST_CALLS):
        use.add("acme", ["courses", "notes"] if number % 3 == 0 else ["courses"])
    clock.at += REFRESH_AFTER

    after = root.tools()
    assert contexts_of(before[0]) == {"acme"}
    assert contexts_of(after[0]) == {"acme", "courses"}
    assert filter_by_context(after, ["courses"]) == tuple(after)


def test_a_few_calls_teach_nothing(use: ServerUsage, clock: FakeClock) -> None:
    for _ in range(FEWEST_CALLS - 1):
        use.add("acme", ["courses"])
    clock.at += REFRESH_AFTER

    assert use.learned() == {"acme": frozenset()}


def test_the_same_tuple_comes_for_as_long_as_nothing_has_changed(use: ServerUsage, clock: FakeClock) -> None:
    tools = listed("tracker")

    class Root:
        def tools(self):
            return tools

    root = LearnedContextsToolsProvider(Root(), use)
    first = root.tools()
    clock.at += 2 * REFRESH_AFTER
    assert root.tools() is first
    assert {"jira", "tracker"} == set(first[0].contexts)
