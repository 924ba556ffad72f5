"""Heavy work goes through a few pieces at a time, the most urgent first; nobody is kept for long."""

import threading
import time

from services.runtime.priority_limiter import Priority, PriorityLimiter
from tests.agent_fakes import WAIT_S


def goes_through(turnstile: PriorityLimiter, rank: Priority, order: list[Priority]) -> threading.Thread:
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
    turnstile, order = PriorityLimiter(width=1, patience_s=WAIT_S), list[Priority]()
    inside = turnstile.enter(Priority.END)
    came = (Priority.END, Priority.PAGE, Priority.SEND, Priority.REQUEST, Priority.PAGE)
    threads = [goes_through(turnstile, rank, order) for rank in came]
    inside.leave()
    for thread in threads:
        thread.join(WAIT_S)

    assert order == [Priority.REQUEST, Priority.SEND, Priority.PAGE, Priority.PAGE, Priority.END]


def test_as_many_are_inside_at_once_as_it_is_wide() -> None:
    turnstile = PriorityLimiter(width=2, patience_s=WAIT_S)
    first, second = turnstile.enter(Priority.PAGE), turnstile.enter(Priority.PAGE)
    order: list[Priority] = []
    third = goes_through(turnstile, Priority.PAGE, order)
    waited = not order
    first.leave()
    third.join(WAIT_S)
    second.leave()

    assert (waited, order) == (True, [Priority.PAGE])


def test_whoever_never_leaves_holds_nobody_up_for_long() -> None:
    turnstile = PriorityLimiter(width=1, patience_s=0.05)
    turnstile.enter(Priority.PAGE)
    began = time.monotonic()

    for _ in range(3):
        turnstile.enter(Priority.END).leave()

    assert time.monotonic() - began < WAIT_S
    assert turnstile._line == []


def test_leaving_twice_lets_nobody_in_twice() -> None:
    turnstile = PriorityLimiter(width=1, patience_s=WAIT_S)
    first = turnstile.enter(Priority.PAGE)
    first.leave()
    second = turnstile.enter(Priority.PAGE)
    first.leave()

    assert list(turnstile._inside) == [second]


def test_a_thread_that_steps_aside_lets_the_next_one_in_once() -> None:
    turnstile, order = PriorityLimiter(width=1, patience_s=WAIT_S), list[Priority]()
    turnstile.step_aside()
    with turnstile.enter(Priority.SEND):
        waiting = goes_through(turnstile, Priority.PAGE, order)
        turnstile.step_aside()
        waiting.join(WAIT_S)
        beside = list(order)
        turnstile.step_aside()

    assert beside == [Priority.PAGE]
    assert turnstile._inside == {}
