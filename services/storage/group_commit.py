"""Group commit queue: writing threads queue up, and one transaction commits the work of all of them."""

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]

MOST_TOGETHER = 100


class GroupCommitQueue:
    """Waiting for the disk is most of a write, so the thread at the front commits for everybody behind it as well.

    lend: a connection that waits so many seconds for other processes. wait_s: how long one caller waits in all.
    """

    def __init__(self, lend: Callable[[float], AbstractContextManager[sqlite3.Connection]], *, wait_s: float) -> None:
        self._lend = lend
        self._wait_s = wait_s
        self._guard = threading.Lock()
        self._queue: deque[_Write] = deque()
        self._is_led = False

    def write(self, work: Work[Result]) -> Result:
        """Do the work in a transaction; its result, once it is on the disk. What it raises undoes nobody else's work.

        Raises `TimeoutError` when the queue did not move in time. When the commit fails, it fails for all of them.
        """
        own_write, deadline = _Write(work), time.monotonic() + self._wait_s
        with self._guard:
            self._queue.append(own_write)
            own_write.is_leader, self._is_led = not self._is_led, True
        # Each waits for a call of its own: threads that queue for one lock would pass it on one after another, and
        # SQLite's own wait for a lock sleeps blindly and starves some of many.
        if not own_write.is_leader and not own_write.called.wait(self._wait_s) and self._has_left(own_write):
            raise TimeoutError
        if own_write.is_leader:
            self._lead(own_write, deadline)
        result: Result = own_write.outcome.result()
        return result

    def _lead(self, own_write: "_Write", deadline: float) -> None:
        """Commit until one's own work is done; then the first thread in the queue goes on."""
        try:
            while not own_write.outcome.done():
                self._commit(max(0.001, deadline - time.monotonic()))
        finally:
            with self._guard:
                self._is_led = bool(self._queue)
                if self._queue:
                    self._queue[0].is_leader = True
                    self._queue[0].called.set()

    def _has_left(self, own_write: "_Write") -> bool:
        """False when another thread has begun with it, or it is to lead by now."""
        with self._guard:
            if own_write.is_leader or own_write not in self._queue:
                return False
            self._queue.remove(own_write)
            return True

    def _commit(self, wait_s: float) -> None:
        """One transaction for the first in the queue; nobody hears of it before its end."""
        with self._guard:
            together = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_TOGETHER))]
        try:
            with self._lend(wait_s) as connection, _transaction(connection):
                for write in together:
                    write.do(connection)
        except BaseException as error:
            for write in together:
                write.fail(error)
        else:
            for write in together:
                write.tell()


class _Write:
    """Work of one caller. outcome: set when the work is on the disk, or certainly is not.

    called: set when there is an outcome, or when this caller is to lead the queue.
    """

    def __init__(self, work: Work[Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: Exception | None = None
        self.outcome: Future[Any] = Future()
        self.called = threading.Event()
        self.is_leader = False

    def do(self, connection: sqlite3.Connection) -> None:
        connection.execute("SAVEPOINT caller")
        try:
            self._result = self._work(connection)
        except Exception as error:
            if not connection.in_transaction:
                # A full or broken disk: SQLite has undone everybody's work already.
                raise
            connection.execute("ROLLBACK TO caller")
            self._error = error
        connection.execute("RELEASE caller")

    def tell(self) -> None:
        if self._error is not None:
            self.fail(self._error)
        else:
            self.outcome.set_result(self._result)
            self.called.set()

    def fail(self, error: BaseException) -> None:
        self.outcome.set_exception(error)
        self.called.set()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
