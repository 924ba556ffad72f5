"""Background jobs: every process has a loop, and one process at a time runs the jobs, by a lease."""

import logging
import secrets
import threading
from collections.abc import Callable, Mapping

from services.errors import HomeroomError
from services.runtime.logs import error_location
from services.runtime.metrics_registry import JOBS, MetricsRegistry
from services.storage.leases import Lease, Leases

log = logging.getLogger(__name__)

EVERY_S = 5.0
Job = Callable[[], object]


class JobsLoop:
    """Loop that runs jobs under a lease.

    Jobs must be idempotent: an expired lease is taken over although its holder may only be slow.
    """

    def __init__(
        self,
        leases: Leases,
        jobs: Mapping[str, Job],
        *,
        every_s: float = EVERY_S,
        name: str = "jobs",
        registry: MetricsRegistry | None = None,
    ) -> None:
        """name: of its lease. A loop whose jobs take long has one of its own, so that it holds up no other."""
        self._leases, self._registry = leases, registry or MetricsRegistry()
        self._name = name
        self._jobs = dict(jobs)
        self._every_s = every_s
        self._lease = Lease(name=name, kind=name, student="", work="", holder=secrets.token_hex(8))
        self._holds = False
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the loop at once, on a thread of its own."""
        if self._thread is None:
            self._stopped.clear()
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Let the job that runs finish, then give the lease back."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(timeout=10)
            self._thread = None
        if self._holds:
            self._holds = False
            self._run_guarded("release", lambda: self._leases.release(self._lease))

    def run_once(self) -> bool:
        """One round, if this process has the lease; whether it had."""
        if not self._has_lease():
            return False
        for name, job in self._jobs.items():
            outcome = "ok" if self._run_guarded(name, job) else "failed"
            self._registry.count(JOBS, name, outcome)
        return True

    def _run(self) -> None:
        while True:
            self._run_guarded("round", self.run_once)
            if self._stopped.wait(self._every_s):
                return

    def _has_lease(self) -> bool:
        if self._holds:
            self._holds = self._leases.renew(self._lease)
        if not self._holds:
            self._holds = self._leases.acquire_or_take_over(self._lease)
        return self._holds

    def _run_guarded(self, name: str, job: Job) -> bool:
        """Error boundary: a job that fails is tried again in the next round, and does not hold up the others.

        Whether it did what it should.
        """
        try:
            job()
            return True
        except HomeroomError as error:
            log.warning("job_failed job=%s kind=%s", name, type(error).__name__)
        except Exception as error:
            log.error("job_crashed job=%s at=%s", name, error_location(error))
        return False
