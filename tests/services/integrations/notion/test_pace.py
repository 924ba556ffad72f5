"""A workspace's calls wait together when Notion asks for quiet, and then go one after the other (R33)."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from services.errors import Throttled
from services.integrations.deadline import Deadline
from services.integrations.notion.pace import Pace, pace_of
from tests.campus_server import CampusServer
from tests.tool_calls import ToolCalls


def test_without_a_limit_requests_go_side_by_side() -> None:
    pace, together = Pace(), threading.Barrier(2, timeout=5)

    def request() -> None:
        with pace.turn(Deadline(1)):
            together.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: request(), range(2)))

    assert not together.broken


def test_after_a_refusal_requests_go_one_at_a_time() -> None:
    pace, inside, most = Pace(), 0, 0
    pace.slow_down(0.05)

    def request() -> None:
        nonlocal inside, most
        with pace.turn(Deadline(5)):
            inside += 1
            most = max(most, inside)
            inside -= 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: request(), range(4)))

    assert most == 1
    assert pace.wait_s() == 0


def test_a_wait_that_does_not_fit_is_told_at_once() -> None:
    pace = Pace()
    pace.slow_down(30)
    began = time.monotonic()

    with pytest.raises(Throttled, match="try again in 30 seconds"), pace.turn(Deadline(2)):
        raise AssertionError("not reached")

    assert time.monotonic() - began < 1


def test_workspaces_do_not_wait_for_each_other() -> None:
    pace_of("one").slow_down(30)

    assert pace_of("two").wait_s() == 0
    assert pace_of("one").wait_s() > 29


def test_calls_after_a_refusal_do_not_ask_again_before_its_time(campus: CampusServer, maya: ToolCalls) -> None:
    campus.fault(service="notion", fault="status", status=429, headers={"Retry-After": "30"})
    for _ in range(3):
        with pytest.raises(Throttled):
            maya.run("notion_search")

    assert len([e for e in campus.log(service="notion") if e["path"] == "/v1/search"]) == 1
