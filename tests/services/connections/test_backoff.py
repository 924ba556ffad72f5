"""An account's calls wait together when its service asks for quiet, and then go one after the other (R18, R30, R33)."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from services.connections.backoff import MOST_ACCOUNTS, Backoff, Backoffs
from services.errors import Throttled
from services.runtime.deadline import Deadline
from tests.fakes import FakeClock


def test_without_a_limit_requests_go_side_by_side() -> None:
    backoff, together = Backoff(), threading.Barrier(2, timeout=5)

    def request() -> None:
        with backoff.request_slot(Deadline(1), "Board"):
            together.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: request(), range(2)))

    assert not together.broken


def test_after_a_refusal_requests_go_one_at_a_time() -> None:
    backoff, inside, most = Backoff(), 0, 0
    backoff.slow_down(0.05)

    def request() -> None:
        nonlocal inside, most
        with backoff.request_slot(Deadline(5), "Board"):
            inside += 1
            most = max(most, inside)
            inside -= 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: request(), range(4)))

    assert most == 1
    assert backoff.wait_s() == 0


def test_with_little_patience_left_requests_go_one_at_a_time_for_a_while() -> None:
    clock = FakeClock()
    backoff, inside, most = Backoff(clock), set[int](), list[int]()

    def request(number: int) -> None:
        with backoff.request_slot(Deadline(5), "Board"):
            inside.add(number)
            most.append(len(inside))
            inside.discard(number)

    backoff.go_one_by_one()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(request, range(20)))
    clock.advance(seconds=31)
    together = threading.Barrier(2, timeout=5)

    def both(_: int) -> None:
        with backoff.request_slot(Deadline(1), "Board"):
            together.wait()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(both, range(2)))

    assert max(most) == 1
    assert not together.broken


def test_a_wait_that_does_not_fit_is_told_at_once() -> None:
    backoff = Backoff(FakeClock())
    backoff.slow_down(30)
    began = time.monotonic()

    slow = pytest.raises(Throttled, match="Board asks us to slow down; try again in 30 seconds")
    with slow, backoff.request_slot(Deadline(2), "Board"):
        raise AssertionError("not reached")

    assert time.monotonic() - began < 1


def test_a_quiet_is_told_once_and_a_shorter_one_never_ends_it() -> None:
    clock, told = FakeClock(), list[object]()
    backoff = Backoff(clock, told.append)

    for wait_s in (0.2, 30, 10, None, 30):
        backoff.slow_down(wait_s)

    assert told == [clock() + timedelta(seconds=30)]
    assert backoff.wait_s() == 30


def test_what_another_replica_was_told_binds_and_is_not_told_back() -> None:
    clock, told = FakeClock(), list[object]()
    backoff = Backoff(clock, told.append)

    backoff.learn(clock() + timedelta(seconds=20))
    backoff.learn(clock() + timedelta(seconds=5))
    backoff.learn(None)

    assert (backoff.wait_s(), told) == (20, [])


@pytest.mark.parametrize("wait_s", [float("inf"), 1e300, 86_400.0])
def test_nobody_is_shut_out_for_more_than_an_hour(wait_s: float) -> None:
    backoff = Backoff(FakeClock())

    backoff.slow_down(wait_s)

    assert backoff.wait_s() == 3600


def test_accounts_do_not_wait_for_each_other_and_the_idlest_are_forgotten() -> None:
    backoffs = Backoffs()
    backoffs.get_or_make("one", Backoff).slow_down(30)

    assert backoffs.get_or_make("two", Backoff).wait_s() == 0
    assert backoffs.get_or_make("one", Backoff).wait_s() > 29
    for number in range(MOST_ACCOUNTS):
        backoffs.get_or_make(number, Backoff)
    assert backoffs.get_or_make("one", Backoff).wait_s() == 0
