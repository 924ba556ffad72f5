"""Heavy work goes through a few pieces at a time, the most urgent first; nobody is kept for long."""

import threading
import time

from services.runtime.priority_limiter import Priority, PriorityLimiter
from tests.agent_fakes import WAIT_S


def goes_through(limiter: PriorityLimiter, priority: Priority, order: list[Priority]) -> threading.Thread:
    """A piece of work that waits in line, once it does."""
    queued = len(limiter._queue)

    def work() -> None:
        with limiter.acquire(priority):
            order.append(priority)

    thread = threading.Thread(target=work)
    thread.start()
    deadline = time.monotonic() + WAIT_S
    while len(limiter._queue) == queued and time.monotonic() < deadline:
        time.sleep(0.001)
    return thread


def test_the_most_urgent_goes_first_and_equals_in_the_order_in_which_they_came() -> None:
    limiter, order = PriorityLimiter(width=1, patience_s=WAIT_S), list[Priority]()
    inside = limiter.acquire(Priority.END)
    came = (Priority.END, Priority.PAGE, Priority.SEND, Priority.REQUEST, Priority.PAGE)
    threads = [goes_through(limiter, priority, order) for priority in came]
    inside.release()
    for thread in threads:
        thread.join(WAIT_S)

    assert order == [Priority.REQUEST, Priority.SEND, Priority.PAGE, Priority.PAGE, Priority.END]


def test_as_many_are_inside_at_once_as_it_is_wide() -> None:
    limiter = PriorityLimiter(width=2, patience_s=WAIT_S)
    first, second = limiter.acquire(Priority.PAGE), limiter.acquire(Priority.PAGE)
    order: list[Priority] = []
    third = goes_through(limiter, Priority.PAGE, order)
    waited = not order
    first.release()
    third.join(WAIT_S)
    second.release()

    assert (waited, order) == (True, [Priority.PAGE])


def test_whoever_never_leaves_holds_nobody_up_for_long() -> None:
    limiter = PriorityLimiter(width=1, patience_s=0.05)
    limiter.acquire(Priority.PAGE)
    began = time.monotonic()

    for _ in range(3):
        limiter.acquire(Priority.END).release()

    assert time.monotonic() - began < WAIT_S
    assert limiter._queue == []


def test_leaving_twice_lets_nobody_in_twice() -> None:
    limiter = PriorityLimiter(width=1, patience_s=WAIT_S)
    first = limiter.acquire(Priority.PAGE)
    first.release()
    second = limiter.acquire(Priority.PAGE)
    first.release()

    assert list(limiter._holders) == [second]


def test_a_thread_that_releases_its_slot_lets_the_next_one_in_once() -> None:
    limiter, order = PriorityLimiter(width=1, patience_s=WAIT_S), list[Priority]()
    limiter.release_current()
    with limiter.acquire(Priority.SEND):
        waiting = goes_through(limiter, Priority.PAGE, order)
        limiter.release_current()
        waiting.join(WAIT_S)
        beside = list(order)
        limiter.release_current()

    assert beside == [Priority.PAGE]
    assert limiter._holders == {}
