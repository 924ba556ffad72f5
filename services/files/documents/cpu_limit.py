"""Limit of computing time in a reader process: what passes it is ended by the system, whatever library it hangs in."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class CpuLimit:
    """Timer of the process's own computing; a busy machine does not shorten it."""

    def restart(self, seconds: float) -> None:
        """End the process after so many seconds from now; never for 0."""
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_PROF, seconds)


@contextmanager
def cpu_limit(seconds: float) -> Iterator[CpuLimit]:
    """Limit what is done within; `restart` begins anew."""
    limit = CpuLimit()
    limit.restart(seconds)
    try:
        yield limit
    finally:
        limit.restart(0)
