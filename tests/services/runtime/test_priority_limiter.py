"""Heavy work goes through a few pieces at a time, the most urgent first; nobody is kept for long."""

import threading
import time

from services.runtime.priority_limiter import Rank, Turnstile
from tests.agent_fakes import WAIT_S


def goes_through(turnstile: Turnstile, rank: Rank, order: list[Rank]) -> threading.Thread:
    """A piece of work that waits in line, once it does."""
    in_line = len(turnstile._line)

    def work() -> None:
        with turnstile.enter(rank):
            order.append(rank)

    thread = threading.Thread(target=work)
    thread.start()
    deadline = time.monotonic() + WAIT_S
    while len(turnstile._line) == in_line and time.monotonic() < deadline:
        time.sleep(0.001)
    return thread


def test_the_most_urgent_goes_first_and_equals_in_the_order_in_which_they_came() -> None:
    turnstile, order = Turnstile(width=1, patience_s=WAIT_S), list[Rank]()
    inside = turnstile.enter(Rank.END)
    came = (Rank.END, Rank.PAGE, Rank.SEND, Rank.REQUEST, Rank.PAGE)
    threads = [goes_through(turnstile, rank, order) for rank in came]
    inside.leave()
    for thread in threads:
        thread.join(WAIT_S)

    assert order == [Rank.REQUEST, Rank.SEND, Rank.PAGE, Rank.PAGE, Rank.END]


def test_as_many_are_inside_at_once_as_it_is_wide() -> None:
    turnstile = Turnstile(width=2, patience_s=WAIT_S)
    first, second = turnstile.enter(Rank.PAGE), turnstile.enter(Rank.PAGE)
    order: list[Rank] = []
    third = goes_through(turnstile, Rank.PAGE, order)
    waited = not order
    first.leave()
    third.join(WAIT_S)
    second.leave()

    assert (waited, order) == (True, [Rank.PAGE])


def test_whoever_never_leaves_holds_nobody_up_for_long() -> None:
    turnstile = Turnstile(width=1, patience_s=0.05)
    turnstile.enter(Rank.PAGE)
    began = time.monotonic()

    for _ in range(3):
        turnstile.enter(Rank.END).leave()

    assert time.monotonic() - began < WAIT_S
    assert turnstile._line == []


def test_leaving_twice_lets_nobody_in_twice() -> None:
    turnstile = Turnstile(width=1, patience_s=WAIT_S)
    first = turnstile.enter(Rank.PAGE)
    first.leave()
    second = turnstile.enter(Rank.PAGE)
    first.leave()

    assert list(turnstile._inside) == [second]


def test_a_thread_that_steps_aside_lets_the_next_one_in_once() -> None:
    turnstile, order = Turnstile(width=1, patience_s=WAIT_S), list[Rank]()
    turnstile.step_aside()
    with turnstile.enter(Rank.SEND):
        waiting = goes_through(turnstile, Rank.PAGE, order)
        turnstile.step_aside()
        waiting.join(WAIT_S)
        beside = list(order)
        turnstile.step_aside()

    assert beside == [Rank.PAGE]
    assert turnstile._inside == {}
