"""SQLite's file: its usage lock, shared by all who have it open, and the record of when it was found sound."""

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

Identity = tuple[int, int]
"""Identity of a file: its device and inode."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a check found. at: seconds since the epoch."""

    file: Identity
    is_sound: bool
    at: float


class FileCheck:
    """Record of checks in a file beside the database. What cannot be written there is known to this process alone."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}.check")
        self._own: Finding | None = None

    @contextmanager
    def claim(self) -> Iterator[bool]:
        """Whether this process is to check now: no other one does."""
        try:
            lock = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            yield True
            return
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
            else:
                yield True
        finally:
            os.close(lock)

    def record(self, file: Identity, *, is_sound: bool) -> None:
        """Record a finding, within `claim`."""
        self._own = Finding(file=file, is_sound=is_sound, at=time.time())
        with suppress(OSError):
            self._path.write_text(json.dumps({"file": file, "is_sound": is_sound, "at": self._own.at}))

    def was_sound(self, file: Identity, *, within_s: float) -> bool:
        """Whether another process has found this very file sound within these last seconds."""
        found = self._read()
        if found is None or found == self._own or found.file != file:
            return False
        return found.is_sound and 0 <= time.time() - found.at < within_s

    def last(self, file: Identity) -> Finding | None:
        """What was found last of this very file, by whichever process."""
        found = max(filter(None, (self._own, self._read())), key=lambda finding: finding.at, default=None)
        return found if found is not None and found.file == file else None

    def _read(self) -> Finding | None:
        try:
            written = json.loads(self._path.read_text())
            return Finding(file=tuple(written["file"]), is_sound=bool(written["is_sound"]), at=float(written["at"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


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
