"""`DemoFolder`: temporary folder of a demo, removed at its end, or at the next start where it could not be."""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "homeroom-demo-"
LOCK = "lock"
YOUNG_S = 60.0
"""One without a lock that is younger may be about to get it."""


class DemoFolder:
    """Use `with DemoFolder() as folder`. Its lock is held until this process and the server have ended, however."""

    def __init__(self) -> None:
        # Only this user may enter it: it holds the demo's keys.
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self.lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def __enter__(self) -> "DemoFolder":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)

    @property
    def seed(self) -> Path:
        """What a reset goes back to."""
        return self.path / "seed"

    @property
    def data(self) -> Path:
        """The data directory of the server."""
        return self.path / "data"

    @property
    def log(self) -> Path:
        """What the server prints."""
        return self.path / "server.log"

    def begin_anew(self) -> None:
        """Make the data directory as it was at first."""
        shutil.rmtree(self.data, ignore_errors=True)
        shutil.copytree(self.seed, self.data)


def remove_leftovers() -> int:
    """Remove the folders of demos that were killed; how many those were. Others' folders and links are left alone."""
    found = (path for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*") if _is_left_over(path))
    removed = 0
    for path in found:
        shutil.rmtree(path, ignore_errors=True)
        removed += not path.exists()
    return removed


def _is_left_over(path: Path) -> bool:
    with suppress(OSError):
        status = path.lstat()
        if path.is_symlink() or not path.is_dir() or status.st_uid != os.getuid():
            return False
        if not (path / LOCK).exists():
            return time.time() - status.st_mtime > YOUNG_S
        lock = os.open(path / LOCK, os.O_RDWR | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(lock)
        return True
    return False
