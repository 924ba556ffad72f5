"""Rates: one student's uses of one tool within a span, and a sentence that says when it goes on."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from services.errors import UsedTooOften
from services.runtime.clock import Clock, utc_now
from services.runtime.rate_limiter import RateLimiter
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.dispatch import Dispatcher
from services.tools.providers.local import LocalToolsProvider
from services.tools.providers.rate_limit import RateLimitToolsProvider
from services.tools.tool import CallRate
from tests.agent_fakes import FakeBoard
from tests.fakes import FakeClock, FakeDocuments

Context = Callable[..., ToolExecutionContext]


def rated(rate: CallRate, clock: Clock) -> RateLimitToolsProvider:
    read, pin = FakeBoard().tools(None)
    limiter = RateLimiter(Store(FakeDocuments(clock=clock)).shared, clock)
    return RateLimitToolsProvider(LocalToolsProvider([replace(read, rate=rate), pin]), limiter=limiter)


def test_one_call_too_many_waits_until_the_first_is_long_enough_ago(context: Context) -> None:
    clock = FakeClock()
    provider = rated(CallRate(calls=2, seconds=60), clock)
    provider.execute("board_read", {}, context())
    clock.advance(seconds=40)
    provider.execute("board_read", {}, context())

    with pytest.raises(UsedTooOften) as refused:
        provider.execute("board_read", {}, context())
    clock.advance(seconds=20)
    provider.execute("board_read", {}, context())

    assert str(refused.value) == (
        "board_read can be used 2 times a minute, and that is used up. It can be used again in 20 seconds."
    )


def test_a_rate_is_each_students_own(context: Context) -> None:
    provider = rated(CallRate(calls=1, seconds=3600), FakeClock())
    mine = context()
    provider.execute("board_read", {}, mine)

    provider.execute("board_read", {}, replace(mine, student=replace(mine.student, id="diego")))
    refused = Dispatcher().call(provider, "board_read", {}, mine)

    assert refused.error_kind == "used_too_often"
    assert refused.error == (
        "board_read can be used once an hour, and that is used up. It can be used again in 60 minutes."
    )


def test_a_tool_without_a_rate_is_used_as_often_as_one_likes(context: Context) -> None:
    read, _ = FakeBoard().tools(None)
    provider = RateLimitToolsProvider(
        LocalToolsProvider([read]), limiter=RateLimiter(Store(FakeDocuments()).shared, utc_now)
    )

    assert all(provider.execute("board_read", {}, context()).success for _ in range(50))
