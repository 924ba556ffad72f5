"""Usage lock: every process that has a database open shares it, and whoever replaces the file holds it alone."""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class UsageLock:
    """flock(2) on the folder of a database: the kernel drops it with the process, however that ends."""

    def __init__(self, database: Path) -> None:
        self._folder = database.parent
        self._held: int | None = None
        self._changing = threading.Lock()

    def share(self) -> None:
        """Hold it together with others until `release`; raises `BlockingIOError` while the file is being replaced.

        Where the folder cannot be locked at all, opening the file in it says what is wrong.
        """
        with self._changing:
            if self._held is None:
                try:
                    self._held = _locked(self._folder, fcntl.LOCK_SH)
                except BlockingIOError:
                    raise
                except OSError:
                    return

    def release(self) -> None:
        with self._changing:
            if self._held is not None:
                os.close(self._held)
            self._held = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold it alone; raises `BlockingIOError` while any process has the database open."""
        held = _locked(self._folder, fcntl.LOCK_EX)
        try:
            yield
        finally:
            os.close(held)


def _locked(folder: Path, kind: int) -> int:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
