"""Deferred work is waited for from the moment at which it is announced."""

import threading
from functools import partial

from services.runtime.deferred_work import DeferredWork


def test_who_waits_also_waits_for_work_that_was_only_announced() -> None:
    deferred, done = DeferredWork(), list[str]()
    reserved = deferred.reserve()
    waiting = threading.Thread(target=lambda: (deferred.wait(10), done.append("waited")))
    waiting.start()

    deferred.submit("maya", [lambda: done.append("worked")], reserved)
    waiting.join(10)

    assert done == ["worked", "waited"]


def test_what_fails_fails_nothing_that_comes_after_it() -> None:
    deferred, done = DeferredWork(), list[str]()

    deferred.submit("maya", [lambda: done.append(str(1 / 0)), lambda: done.append("next")])
    deferred.wait(10)

    assert done == ["next"]


def test_what_many_turns_of_one_student_leave_to_do_delays_another_one_by_one_place() -> None:
    deferred, done, may_begin = DeferredWork(), list[str](), threading.Event()
    deferred.submit("ana", [lambda: bool(may_begin.wait(10))])
    for number in range(20):
        deferred.submit("ana", [partial(done.append, f"ana {number}")])
    deferred.submit("maya", [partial(done.append, "maya")])
    may_begin.set()
    deferred.wait(10)

    assert done.index("maya") <= 1
