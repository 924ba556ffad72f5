"""`DeferredWork`: what a student need not wait for, done after their turn has ended, one piece after another."""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait

from services.runtime.logs import error_location
from services.runtime.thread_pools import DaemonPool

log = logging.getLogger(__name__)

Work = Callable[[], None]


class DeferredWork:
    """Queue with one thread: accounting, titles and search words of many turns that end together wait for one another,
    and no student waits for them; what one student leaves to do delays each other one by one place.
    """

    def __init__(self) -> None:
        self._pool = DaemonPool("after-turns", 1)
        self._lock = threading.Lock()
        self._open: set[Future[None]] = set()

    def reserve(self) -> Future[None]:
        """Announce work that is submitted in a moment, so that `wait` waits for it from now on."""
        reserved: Future[None] = Future()
        with self._lock:
            self._open.add(reserved)
        reserved.add_done_callback(self._close)
        return reserved

    def submit(self, student_id: str, work: Sequence[Work], reserved: Future[None] | None = None) -> None:
        """Do these in order, in the student's turn; one that fails fails no other.

        reserved: what `reserve` returned for this work.
        """
        doing = reserved or self.reserve()
        self._pool.submit_for(student_id, run_each, work).add_done_callback(lambda _: doing.set_result(None))

    def wait(self, timeout_s: float) -> None:
        """Wait for what was submitted or reserved so far."""
        with self._lock:
            doing = set(self._open)
        wait(doing, timeout_s)

    def _close(self, doing: Future[None]) -> None:
        with self._lock:
            self._open.discard(doing)


def run_each(work: Sequence[Work]) -> None:
    """Do these in order, on this thread; one that fails fails no other."""
    for call in work:
        try:
            call()
        except Exception as error:
            log.error("deferred_work_failed at=%s", error_location(error))
