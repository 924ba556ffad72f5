"""Blocking work has a deadline and a bounded line, and what hangs stops only its own kind."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from api.errors import ApiError
from api.workers import Workers
from tests.agent_fakes import WAIT_S


@pytest.fixture
def may_end() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_work_runs_elsewhere_and_gives_its_result() -> None:
    found = asyncio.run(Workers().run("own", WAIT_S, threading.get_ident))

    assert found != threading.get_ident()


def test_an_error_of_the_work_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Workers().run("own", WAIT_S, lambda: 1 // 0))


def test_work_that_hangs_is_given_up_at_its_deadline(may_end: threading.Event) -> None:
    with pytest.raises(ApiError) as refused:
        asyncio.run(Workers().run("own", 0.05, may_end.wait, WAIT_S))

    assert refused.value.status == 504


def test_a_full_line_turns_away_at_once_and_only_its_own_kind(may_end: threading.Event) -> None:
    workers = Workers(size=1, most_in_line=2)

    async def crowd() -> tuple[list[int], str]:
        hanging = [asyncio.create_task(workers.run("slow", 0.5, may_end.wait, WAIT_S)) for _ in range(3)]
        other = await workers.run("own", WAIT_S, lambda: "done")
        ends = await asyncio.gather(*hanging, return_exceptions=True)
        return [end.status for end in ends if isinstance(end, ApiError)], other

    statuses, other = asyncio.run(crowd())

    assert sorted(statuses) == [503, 504, 504]
    assert other == "done"
    may_end.set()


def test_room_comes_back_when_work_ends() -> None:
    workers = Workers(size=1, most_in_line=1)

    async def one_after_the_other() -> list[int]:
        return [await workers.run("own", WAIT_S, lambda: 1) for _ in range(20)]

    assert asyncio.run(one_after_the_other()) == [1] * 20
