"""A journal that was cut is noticed at the start; a whole one, and none, are not (R102)."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from services.storage.sqlite_journal import is_journal_cut


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database of a process that was killed: its journal has two commits."""
    path, copy = tmp_path / "living.sqlite", tmp_path / "killed.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE notes (text)")
    connection.commit()
    connection.executemany("INSERT INTO notes VALUES (?)", [("x" * 3_000,)] * 20)
    connection.commit()
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{copy}{end}")
    connection.close()
    return copy


def test_a_whole_journal_and_none_say_nothing(database: Path, tmp_path: Path) -> None:
    assert not is_journal_cut(database)
    assert not is_journal_cut(tmp_path / "nothing.sqlite")


@pytest.mark.parametrize("lost", [1, 100, 4_120, 4_120 * 3, 10_000])
def test_a_journal_that_ends_within_a_commit_is_cut(database: Path, lost: int) -> None:
    journal = Path(f"{database}-wal")
    journal.write_bytes(journal.read_bytes()[:-lost])

    assert is_journal_cut(database)
