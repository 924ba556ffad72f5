"""Deferred work is waited for from the moment at which it is announced."""

import threading

from services.runtime.deferred_work import DeferredWork


def test_who_waits_also_waits_for_work_that_was_only_announced() -> None:
    deferred, done = DeferredWork(), list[str]()
    reserved = deferred.reserve()
    waiting = threading.Thread(target=lambda: (deferred.wait(10), done.append("waited")))
    waiting.start()

    deferred.submit([lambda: done.append("worked")], reserved)
    waiting.join(10)

    assert done == ["worked", "waited"]


def test_what_fails_fails_nothing_that_comes_after_it() -> None:
    deferred, done = DeferredWork(), list[str]()

    deferred.submit([lambda: done.append(str(1 / 0)), lambda: done.append("next")])
    deferred.wait(10)

    assert done == ["next"]
