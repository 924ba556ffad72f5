"""Use and failures of tools: daily numbers, added to at each call, with nothing of any student in them."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from services.errors import ReconnectRequired, StorageUnavailable
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.providers.local import LocalToolsProvider
from services.tools.providers.metrics import KEPT_DAYS, MetricsToolsProvider, ToolUsage
from tests.agent_fakes import FakeBoard
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store

Context = Callable[..., ToolExecutionContext]
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Broken:
    """A tally whose store does not answer."""

    def record_call(self, tool: str, *, seconds: float, failure: str | None) -> None:
        raise StorageUnavailable("The store does not answer.")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOON)


@pytest.fixture
def usage(clock: FakeClock) -> ToolUsage:
    return ToolUsage(Store(FakeDocuments(clock=clock)), clock)


def counted(board: FakeBoard, usage: ToolUsage, *seconds: float) -> MetricsToolsProvider:
    """The board's tools, whose calls seem to take so long."""
    moments: Iterator[float] = iter([at for took in seconds for at in (0.0, took)])
    return MetricsToolsProvider(LocalToolsProvider(board.tools()), usage, lambda: next(moments))


def test_calls_are_counted_by_how_they_ended_and_how_long_they_took(
    board: FakeBoard, usage: ToolUsage, context: Context
) -> None:
    provider = counted(board, usage, 0.05, 0.2, 2.0)

    provider.execute("board_read", {}, context())
    provider.execute("board_read", {}, context())
    board.failure = ReconnectRequired("Board", "Its access was withdrawn.")
    with pytest.raises(ReconnectRequired):
        provider.execute("board_read", {}, context())

    (numbers,) = usage.of_last_days(7)
    assert (numbers.tool, numbers.calls, numbers.failed) == ("board_read", 3, 1)
    assert numbers.failures == {"reconnect": 1}
    assert numbers.median_below_s == 0.3


def test_a_crash_and_an_answer_that_came_too_late_count_as_failures(
    board: FakeBoard, usage: ToolUsage, context: Context
) -> None:
    provider = counted(board, usage, 25.0, 0.1)

    provider.execute("board_read", {}, context())
    board.failure = KeyError("canary")  # type: ignore[assignment]
    with pytest.raises(KeyError):
        provider.execute("board_read", {}, context())

    assert usage.of_last_days(1)[0].failures == {"internal": 1, "timed_out": 1}


def test_a_count_that_cannot_be_kept_changes_no_result(board: FakeBoard, context: Context) -> None:
    provider = MetricsToolsProvider(LocalToolsProvider(board.tools()), Broken())

    assert provider.execute("board_read", {}, context()).success


def test_only_the_days_that_are_asked_for_count(usage: ToolUsage, clock: FakeClock) -> None:
    usage.record_call("old", seconds=1, failure=None)
    clock.at += timedelta(days=7)
    usage.record_call("new", seconds=1, failure=None)
    usage.record_call("new", seconds=100, failure=None)
    usage.record_call("new", seconds=100, failure=None)

    assert [used.tool for used in usage.of_last_days(7)] == ["new"]
    assert [used.tool for used in usage.of_last_days(8)] == ["new", "old"]
    assert usage.of_last_days(1)[0].median_below_s is None


def test_old_numbers_are_forgotten(usage: ToolUsage, clock: FakeClock) -> None:
    usage.record_call("old", seconds=1, failure=None)
    clock.at += timedelta(days=KEPT_DAYS)

    assert usage.of_last_days(2 * KEPT_DAYS) == []


def test_a_call_is_counted_and_no_number_knows_a_student(room: RoomMaker) -> None:
    maya = room()
    maya.services.gateway.call(maya.maya, "board_read", {"topic": "periwinkle"}, asked_by="Maya's laptop")

    kept = maya.services.store.shared.find("tool_usage", {})
    assert [used.calls for used in maya.services.usage.of_last_days(7)] == [1]
    assert not [w for w in ("periwinkle", "Maya", maya.maya.id) if w.lower() in json.dumps(kept).lower()]


def test_a_call_that_failed_is_in_the_students_own_numbers_too(room: RoomMaker) -> None:
    maya = room()
    maya.connect()
    maya.board.failure = ReconnectRequired("Board", "Its access was withdrawn.")
    maya.services.gateway.call(maya.maya, "board_read", {}, asked_by="Maya's laptop")

    (line,) = maya.services.metrics.for_student(maya.maya.id, 7).tools
    assert (line.name, dict(line.failures)) == ("board_read", {"reconnect": 1})
