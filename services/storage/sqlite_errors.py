"""SQLite's errors as typed errors of ours, each with what the operator must do."""

import errno
import os
import sqlite3
from pathlib import Path

from services.errors import StorageError, StorageUnavailable, StorageUnusable
from services.i18n import gettext

DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def result_code(error: Exception) -> int:
    """The primary result code (sqlite.org/rescode.html); 0 where Python itself refused."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def busy() -> StorageUnavailable:
    return StorageUnavailable(
        gettext("Homeroom's store is busy."), next_step=gettext("Nothing was saved. Try again in a moment.")
    )


def being_restored() -> StorageUnavailable:
    told = busy()
    remedy = "A backup is being put in the place of the database; start Homeroom again when that has ended."
    return StorageUnavailable(str(told), next_step=told.next_step, remedy=remedy)


def _is_out_of_files() -> bool:
    """Whether this process may open no file any more: SQLite tells that and a file without permission alike."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY))
    except OSError as error:
        return error.errno in (errno.EMFILE, errno.ENFILE)
    return False


def _out_of_files() -> StorageUnavailable:
    remedy = "Too many files and connections are open: raise the limit for the user that runs Homeroom (ulimit -n)."
    told = busy()
    return StorageUnavailable(str(told), next_step=told.next_step, remedy=remedy)


def gone(path: Path) -> StorageUnusable:
    remedy = f"Put {path} back, or start Homeroom again to begin with an empty one."
    return StorageUnusable(gettext("Homeroom's database file is not there any more."), remedy=remedy)


def cannot_create(path: Path, error: Exception) -> StorageUnavailable:
    if _is_out_of_files():
        return _out_of_files()
    if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or result_code(error) == sqlite3.SQLITE_FULL:
        return disk_full(path)
    if os.path.isdir(path.parent):
        return cannot_write(path)
    remedy = f"Create the folder {path.parent}, or point HOMEROOM_DATA_DIR at one that exists."
    return StorageUnusable(gettext("The folder for Homeroom's data does not exist."), remedy=remedy)


def cannot_write(path: Path) -> StorageUnusable:
    number = f" (number {os.getuid()})" if hasattr(os, "getuid") else ""
    remedy = f"Let the user that runs Homeroom{number} write to {path} and its folder."
    return StorageUnusable(gettext("Homeroom's database file cannot be written to."), remedy=remedy)


def disk_full(path: Path) -> StorageUnusable:
    remedy = f"Nothing was saved. Make room on the disk that holds {path.parent}, then try again."
    return StorageUnusable(gettext("Homeroom's disk is full or does not answer."), remedy=remedy)


def damaged(path: Path) -> StorageUnusable:
    remedy = f"Nothing was changed in it. Put a backup in the place of {path}, or move it away to begin anew."
    return StorageUnusable(gettext("Homeroom's database file is damaged."), remedy=remedy)


def emptied(path: Path) -> StorageUnusable:
    remedy = f"It has 0 bytes now. Put a backup in the place of {path}, or delete it to begin anew."
    return StorageUnusable(gettext("Homeroom's database file was emptied."), remedy=remedy)


def typed(error: sqlite3.DatabaseError, path: Path) -> StorageError:
    code = result_code(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return busy()
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR) and _is_out_of_files():
        return _out_of_files()
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return cannot_write(path)
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return disk_full(path)
    if code in DAMAGED:
        return damaged(path)
    return StorageError(gettext("The store refused a request ({name}).", name=type(error).__name__))
