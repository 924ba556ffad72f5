"""Backup of an SQLite database: a consistent copy in one file, taken while others write, and put back in its place."""

import fcntl
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from services.errors import BadArguments, StorageError
from services.storage.sqlite_errors import DAMAGED, damaged, result_code, typed

PAGES_A_STEP = 4096
"""16 MB: between steps a Ctrl+C is heard."""
_LOGS = ("-wal", "-shm", "-journal")
_WAIT_S = 5.0


@contextmanager
def staging_folder(target: Path) -> Iterator[Path]:
    """A folder of this user alone beside a file that is being made; what a killed run left there is swept out.

    Raises `BadArguments` where none can be made. On the same file system, so that the file can be renamed into place.
    """
    prefix = f".{target.name}.partial-"
    try:
        folder, lock = _locked_folder(prefix, target.parent)
    except OSError as error:
        step = "Name a file in a folder that exists and that this user may write to."
        raise BadArguments(f"Nothing can be written to {target.parent} ({error.strerror}).", next_step=step) from None
    try:
        for other in target.parent.glob(f"{prefix}*"):
            _sweep(other)
        inner = folder / "copy"
        inner.mkdir(mode=0o700)
        yield inner
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(prefix: str, place: Path) -> tuple[Path, int]:
    """A new folder and the descriptor that locks it; another run may sweep it out before it is locked."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _sweep(folder: Path) -> None:
    """Remove it unless a process that lives holds it."""
    with suppress(OSError):
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(lock)


def copy_online(database: Path, target: Path) -> None:
    """Copy the database as it is at this moment, while others write (sqlite.org/backup.html).

    The one read transaction around all steps keeps the copy at one moment: without it each commit of another process
    would begin the copy anew. Raises `StorageError`.
    """
    _make_private(target)
    try:
        with closing(_opened(database)) as source, closing(_opened(target)) as copy:
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            source.backup(copy, pages=PAGES_A_STEP, sleep=0, progress=lambda *_: None)
    except sqlite3.DatabaseError as error:
        if result_code(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise _no_room(target) from None
        raise typed(error, database) from None


def copy_file(source: Path, target: Path) -> None:
    """Copy a file that nobody writes to, with the log that may lie beside it; raises `BadArguments`, `StorageError`."""
    for suffix in ("", "-wal"):
        original, copy = Path(f"{source}{suffix}"), Path(f"{target}{suffix}")
        if suffix and not original.exists():
            continue
        try:
            with original.open("rb") as opened:
                _make_private(copy)
                _pour(opened.fileno(), copy)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise BadArguments(f"{original} cannot be read ({reason}).", next_step="Name a backup.") from None


def _pour(source: int, target: Path) -> None:
    try:
        with target.open("wb") as copy:
            while block := os.read(source, 1 << 20):
                copy.write(block)
    except OSError:
        raise _no_room(target) from None


def require_sound(file: Path) -> None:
    """Read the whole file and make it one without logs beside it; raises `StorageUnusable` for a damaged one."""
    try:
        with closing(_opened(file)) as connection:
            if connection.execute("PRAGMA journal_mode = DELETE").fetchone() != ("delete",):
                raise StorageError(f"{file} is in use.", next_step="Try again when nobody has it open.")
            if connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise damaged(file)
    except sqlite3.DatabaseError as error:
        if result_code(error) == sqlite3.SQLITE_FULL:
            raise _no_room(file) from None
        raise typed(error, file) from None


def table_names(file: Path) -> set[str]:
    """The collections in a database; raises `StorageError` for one that cannot be read."""
    wanted = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    try:
        with closing(_opened(file)) as connection:
            return {name for (name,) in connection.execute(wanted)}
    except sqlite3.DatabaseError as error:
        raise typed(error, file) from None


def changed_parts(file: Path, fresh: Path) -> set[str]:
    """Parts of a database that Homeroom has not made so: triggers and views, which act at writes of its own, virtual
    tables, and tables and indexes that a new one, `fresh`, has otherwise. Raises `StorageError`.
    """
    ours = _schema(fresh)
    return {
        name
        for (kind, name), written in _schema(file).items()
        if kind not in ("table", "index") or "VIRTUAL" in written.upper() or ours.get((kind, name), written) != written
    }


def _schema(file: Path) -> dict[tuple[str, str], str]:
    """The statement that made each part of a database, by its kind and name; "" for what SQLite makes by itself."""
    try:
        with closing(_opened(file)) as connection:
            found = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
    except sqlite3.DatabaseError as error:
        raise typed(error, file) from None
    return {(kind, name): written or "" for kind, name, written in found}


def is_database(file: Path) -> bool:
    """Whether it begins as an SQLite database does (sqlite.org/fileformat.html)."""
    with file.open("rb") as opened:
        return opened.read(16) == b"SQLite format 3\0"


def publish(staged: Path, target: Path) -> None:
    """Put the file in its place at once, on the disk when this returns."""
    _sync(staged)
    os.replace(staged, target)
    _sync(target.parent)


def fold_log(database: Path) -> bool:
    """Write the log beside the database into it; whether it could be read.

    Raises `BlockingIOError` while another program has it open.
    """
    if not is_database(database):
        # SQLite would delete the log of such a file.
        return False
    try:
        with closing(_opened(database)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as error:
        if result_code(error) in DAMAGED:
            return False
        if result_code(error) == sqlite3.SQLITE_BUSY:
            raise BlockingIOError(str(database)) from None
        raise typed(error, database) from None
    return True


def replace_database(staged: Path, database: Path, kept: Path) -> None:
    """Put the file in the place of the database, which stays beside it under the name `kept`.

    Killed at any moment, one of the two whole databases stands there. A log that stayed beside the new one would be
    read into it, so it goes with its own.
    """
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # The folder's owner is who runs Homeroom, whoever restores.
        owner = database.parent.stat()
        os.chown(staged, owner.st_uid, owner.st_gid)
    _sync(staged)
    if database.exists():
        os.link(database, kept)
    for suffix in _LOGS:
        with suppress(FileNotFoundError):
            os.rename(f"{database}{suffix}", f"{kept}{suffix}")
    os.replace(staged, database)
    _sync(database.parent)


def _no_room(staged: Path) -> StorageError:
    step = "Make room there, or name another disk. What was there before is unchanged."
    return StorageError(f"There is no room for a copy of the database in {staged.parents[2]}.", next_step=step)


def _opened(file: Path) -> sqlite3.Connection:
    """A connection to a file that exists: SQLite would make one without a word."""
    if not file.exists():
        raise BadArguments(f"{file} does not exist.", next_step="Name a file that does.")
    return sqlite3.connect(file, timeout=_WAIT_S, isolation_level=None)


def _make_private(file: Path) -> None:
    try:
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        raise _no_room(file) from None


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
