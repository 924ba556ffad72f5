"""Bounded thread pools: one hanging service neither starves another nor keeps the process from ending."""

import contextvars
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_parallel(size: int, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """`function` of each item, at most `size` at once, in their order; raises what the first one raises.

    Each runs in the caller's context variables: the same language, and a dry run stays one.
    """
    contexts = [contextvars.copy_context() for _ in items]
    with ThreadPoolExecutor(max_workers=size) as pool:
        return list(pool.map(lambda context, item: context.run(function, item), contexts, items))


_LANE: contextvars.ContextVar[str] = contextvars.ContextVar("lane", default="")
"""The student for whom a thread of a pool works, so that what it submits to another pool waits in their turn, too."""


class _FairQueue:
    """Queue with a lane for each key, of which one piece after another comes in turn: a long lane delays each of the
    others by one place.
    """

    def __init__(self) -> None:
        self._lanes: dict[str, deque[Callable[[], None]]] = {}
        self._filled = threading.Condition()

    def put(self, key: str, work: Callable[[], None]) -> None:
        with self._filled:
            self._lanes.setdefault(key, deque()).append(work)
            self._filled.notify()

    def get(self) -> Callable[[], None]:
        with self._filled:
            while not self._lanes:
                self._filled.wait()
            key = next(iter(self._lanes))
            lane = self._lanes.pop(key)
            work = lane.popleft()
            if lane:
                self._lanes[key] = lane
            return work


class DaemonPool:
    """Pool of at most `size` daemon threads, started when needed and kept; work beyond that waits in a queue."""

    def __init__(self, name: str, size: int) -> None:
        self._name = name
        self._size = size
        self._work = _FairQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._open_jobs = 0

    def submit(self, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Run `function(*arguments)` on a thread of the pool, in the context variables of the caller.

        It waits in the turn of the student for whom the caller runs, if any.
        """
        return self.submit_for(_LANE.get(), function, *arguments)

    def submit_for(self, student_id: str, function: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """As `submit`, in the student's turn: whatever waits for them delays each other student by one place."""
        future: Future[Result] = Future()
        with self._lock:
            self._open_jobs += 1
            if self._open_jobs > self._threads and self._threads < self._size:
                self._threads += 1
                name = f"{self._name}-{self._threads}"
                threading.Thread(target=self._serve, name=name, daemon=True).start()
        context = contextvars.copy_context()
        context.run(_LANE.set, student_id)
        self._work.put(student_id, lambda: context.run(_run, future, function, arguments))
        return future

    def _serve(self) -> None:
        while True:
            job = self._work.get()
            job()
            del job
            with self._lock:
                self._open_jobs -= 1


def _run(future: Future[Result], function: Callable[..., Result], arguments: tuple[Any, ...]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function(*arguments))
    except BaseException as error:
        future.set_exception(error)


class ThreadPools:
    """Thread pools by name, each made on first use."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pools: dict[str, DaemonPool] = {}
        self._lock = threading.Lock()

    def get_pool(self, name: str) -> DaemonPool:
        with self._lock:
            return self._pools.setdefault(name, DaemonPool(name, self._size))
