"""The check of a whole database file: one process does it for all, and all know what it found (R62)."""

from pathlib import Path

import pytest

from services.errors import StorageUnusable
from services.storage.engines import DATABASE_FILE
from services.storage.sqlite_file_locks import FileCheck
from services.storage.sqlite_pool import SqlitePool


def test_one_process_reads_the_whole_file_for_all_and_all_know_what_it_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / DATABASE_FILE
    first, second = SqlitePool(path, busy_timeout_s=1), SqlitePool(path, busy_timeout_s=1)
    read: list[bool] = []
    monkeypatch.setattr(SqlitePool, "_is_sound", lambda pool: bool(read.append(True)))
    with first.reading():
        """So that the file is there."""

    with FileCheck(path).claim() as is_ours:
        first.verify()
    while_another_reads = len(read)
    with pytest.raises(StorageUnusable, match="damaged"):
        first.verify()
    with pytest.raises(StorageUnusable, match="damaged"):
        second.require_sound()

    assert is_ours
    assert (while_another_reads, len(read)) == (0, 1)
    for pool in (first, second):
        pool.close()


def test_what_was_found_sound_is_not_read_again_by_those_who_start_with_it(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_FILE
    first, second = SqlitePool(path, busy_timeout_s=1), SqlitePool(path, busy_timeout_s=1)
    with first.reading():
        """So that the file is there."""

    first.verify()
    second._is_sound = lambda: pytest.fail("it was read again")  # type: ignore[method-assign]
    second.verify()

    for pool in (first, second):
        pool.close()
