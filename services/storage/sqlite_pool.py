"""Connection pool of one SQLite file: opened when needed, shared among threads, with typed errors."""

import os
import queue
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from services.errors import DuplicateDocument, StorageUnavailable
from services.i18n import gettext
from services.storage.group_commit import GroupCommitQueue, Result, Work
from services.storage.sqlite_errors import (
    DAMAGED,
    being_restored,
    busy,
    cannot_create,
    cannot_write,
    damaged,
    emptied,
    gone,
    result_code,
    typed,
)
from services.storage.sqlite_file_locks import FileCheck, Identity, UsageLock

SYNCHRONOUS = "FULL"
"""A commit waits for the disk, so that what was acknowledged survives a power cut too."""
_KEPT_OPEN = 32
"""Opening one takes 1.4 ms of the interpreter, and 40 ms when fifty students send at once."""
_TRUNCATE_S, _TRUNCATE_TRIES = 0.5, 4
"""Writers wait for so long at most until those who read are done."""
_CHECKED_FOR_S = 600.0
"""How long one process's check counts for those that were started with it; a later start reads the file anew."""
_NOWHERE: Identity = (0, 0)
_PRESSED = 0.8
"""Share of the time that a call may wait; with less left, a shorter timeout is set, by one more statement."""


class SqlitePool:
    """Connection pool. Every write is in a transaction that is on the disk before it is acknowledged.

    busy_timeout_s: how long one call waits for other writers, of this process and of others, before it gives up.
    """

    def __init__(self, path: Path, *, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._idle: queue.LifoQueue[tuple[sqlite3.Connection, Identity]] = queue.LifoQueue(_KEPT_OPEN)
        self._has_opened = False
        self._check = FileCheck(path)
        self._usage = UsageLock(path)
        self._commits = GroupCommitQueue(self._lent, wait_s=busy_timeout_s)
        self._is_closed = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._typed_errors(), self._lent(self._busy_timeout_s) as connection:
            yield connection

    def write(self, work: Work[Result]) -> Result:
        """Do the work in an immediate transaction; its result, once that is on the disk. An error undoes it."""
        with self._typed_errors():
            try:
                return self._commits.write(work)
            except TimeoutError:
                raise busy() from None

    def truncate_log(self) -> None:
        """Empty the log beside the file: it holds what was written, also of what was deleted since, until later writes
        happen to lie over it (sqlite.org/pragma.html#pragma_wal_checkpoint). While somebody reads it stays; between the
        tries others may write.
        """
        with self._typed_errors(), self._lent(_TRUNCATE_S) as connection:
            for _ in range(_TRUNCATE_TRIES):
                is_busy, _pages, _moved = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not is_busy:
                    return

    def verify(self) -> None:
        """Read the whole file and check its structure, beside other calls; raises `StorageUnusable` for a damaged one.

        A damaged page stays unnoticed else until a call meets it. One process does it for all that use the file.
        """
        with self._check.claim() as is_ours:
            present = _identity(self._path)
            if is_ours and present is not None and not self._check.was_sound(present, within_s=_CHECKED_FOR_S):
                self._check.record(present, is_sound=self._is_sound())
        self.require_sound()

    def _is_sound(self) -> bool:
        try:
            # A connection of its own: the others have pages in their caches that the disk may have lost.
            with closing(self._open()) as connection:
                return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        except sqlite3.DatabaseError as error:
            if result_code(error) not in DAMAGED:
                raise typed(error, self._path) from error
            return False

    def require_sound(self) -> None:
        """Raise `StorageUnusable` when the last check, by whichever process, found this file damaged."""
        present = _identity(self._path)
        last = self._check.last(present) if present is not None else None
        if last is not None and not last.is_sound:
            raise damaged(self._path)

    def close(self) -> None:
        self._is_closed = True
        with suppress(queue.Empty):
            while True:
                self._idle.get_nowait()[0].close()
        self._usage.release()

    @contextmanager
    def _lent(self, wait_s: float) -> Iterator[sqlite3.Connection]:
        connection, file = self._take()
        if wait_s < _PRESSED * self._busy_timeout_s:
            connection.execute(f"PRAGMA busy_timeout = {int(wait_s * 1000)}")
            file = _NOWHERE  # So that nobody who may wait for longer is lent it.
        try:
            yield connection
        except sqlite3.IntegrityError:
            self._give_back(connection, file)
            raise
        except sqlite3.Error:
            # The file may be gone or the disk full: the next call starts afresh.
            connection.close()
            raise
        except BaseException:
            self._give_back(connection, file)
            raise
        self._give_back(connection, file)

    def _take(self) -> tuple[sqlite3.Connection, Identity]:
        if self._is_closed:
            raise StorageUnavailable(gettext("Homeroom is shutting down."))
        present = _identity(self._path)
        if present is None and self._has_opened:
            # Never begin an empty one in its place, and never go on in a file that nobody will find again.
            raise gone(self._path)
        with suppress(queue.Empty):
            while True:
                connection, file = self._idle.get_nowait()
                if file == present:
                    return connection, file
                connection.close()
        connection = self._open()
        self._has_opened = True
        return connection, _identity(self._path) or _NOWHERE

    def _give_back(self, connection: sqlite3.Connection, file: Identity) -> None:
        try:
            if self._is_closed:
                raise queue.Full
            self._idle.put_nowait((connection, file))
        except queue.Full:
            connection.close()

    def _open(self) -> sqlite3.Connection:
        try:
            self._usage.share()
        except BlockingIOError:
            raise being_restored() from None
        # `os.path` and not `Path`: it answers False where this user may not even look.
        if not os.path.exists(self._path):
            _create(self._path)
        elif os.path.getsize(self._path) == 0:
            # Ours is never empty: something has cut it off, and SQLite would begin anew in it without a word.
            raise emptied(self._path)
        if not os.access(self._path, os.R_OK | os.W_OK):
            # SQLite would open it for reading only, and the first student to save something would be the one to hear.
            raise cannot_write(self._path)
        connection = sqlite3.connect(
            self._path, timeout=self._busy_timeout_s, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        deadline = time.monotonic() + self._busy_timeout_s
        while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            # Of two processes that switch a new file at the same moment, one is refused without any waiting.
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if result_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.005)
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        # What is deleted is overwritten with zeros; not every build of SQLite does so by itself.
        connection.execute("PRAGMA secure_delete = ON")

    @contextmanager
    def _typed_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise DuplicateDocument(
                gettext("That exists already."), next_step=gettext("Read it again, then decide.")
            ) from None
        except sqlite3.DatabaseError as error:
            raise typed(error, self._path) from error


def _identity(path: Path) -> Identity | None:
    """Which file stands there now; None when there is none, or none that this user may look at."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _create(path: Path) -> None:
    """An empty database that only its owner reads; SQLite itself would let everybody, and its -wal and -shm follow.

    It is made under another name and linked, because closing a descriptor of a database file that a connection of this
    process has open would drop that connection's locks (sqlite.org/howtocorrupt.html, 2.2).
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        # With its first page from the beginning, so that a file without any is known to have been cut off.
        with closing(sqlite3.connect(draft)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        with suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise cannot_create(path, error) from error
