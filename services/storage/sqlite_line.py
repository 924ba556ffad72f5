"""`WritingLine`: threads that want to write stand in line, and one commit serves all who stand there."""

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


class WritingLine:
    """Waiting for the disk is most of a write: whoever comes to the front commits for everybody behind them as well.

    lend: a connection that waits so many seconds for other processes. wait_s: how long one caller waits in all.
    """

    def __init__(self, lend: Callable[[float], AbstractContextManager[sqlite3.Connection]], *, wait_s: float) -> None:
        self._lend = lend
        self._wait_s = wait_s
        self._front = threading.Lock()
        self._line: deque[_Write] = deque()

    def write(self, work: Work[Result]) -> Result:
        """Do the work in a transaction; its result, once it is on the disk. What it raises undoes nobody else's work.

        Raises `TimeoutError` when the line did not move in time. When the commit fails, it fails for all of them.
        """
        mine, deadline = _Write(work), time.monotonic() + self._wait_s
        self._line.append(mine)
        # Threads queue up here, since SQLite's own wait for a lock sleeps blindly and starves some of many.
        if self._front.acquire(timeout=self._wait_s):
            try:
                while not mine.outcome.done():
                    self._commit(max(0.001, deadline - time.monotonic()))
            finally:
                self._front.release()
        elif self._has_left(mine):
            raise TimeoutError
        result: Result = mine.outcome.result()
        return result

    def _has_left(self, mine: "_Write") -> bool:
        """False when whoever is at the front has begun with it."""
        try:
            self._line.remove(mine)
        except ValueError:
            return False
        return True

    def _commit(self, wait_s: float) -> None:
        """One transaction for the first ones in line; nobody hears anything before its end."""
        together = [self._line.popleft() for _ in range(min(len(self._line), MOST_TOGETHER))]
        try:
            with self._lend(wait_s) as connection, _transaction(connection):
                for write in together:
                    write.do(connection)
        except BaseException as error:
            for write in together:
                write.outcome.set_exception(error)
        else:
            for write in together:
                write.tell()


class _Write:
    """One caller's work. outcome: told when the work is on the disk, or certainly is not."""

    def __init__(self, work: Work[Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: Exception | None = None
        self.outcome: Future[Any] = Future()

    def do(self, connection: sqlite3.Connection) -> None:
        connection.execute("SAVEPOINT one")
        try:
            self._result = self._work(connection)
        except Exception as error:
            if not connection.in_transaction:
                # A full or broken disk: SQLite has undone everybody's work already.
                raise
            connection.execute("ROLLBACK TO one")
            self._error = error
        connection.execute("RELEASE one")

    def tell(self) -> None:
        if self._error is not None:
            self.outcome.set_exception(self._error)
        else:
            self.outcome.set_result(self._result)


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
