"""The line of writers: one commit for all who wait, and nobody hears of it before."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.storage.group_commit import GroupCommitQueue


class Book:
    """A file with one table, whose line stops at `gate` before each transaction; `said` is the SQL that was run."""

    def __init__(self, path: Path, *, wait_s: float = 10.0) -> None:
        self.said: list[str] = []
        self.gate = threading.Semaphore(0)
        self.came = threading.Semaphore(0)
        self.disk_is_full = False
        self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.connection.execute("CREATE TABLE words (word TEXT PRIMARY KEY)")
        self.connection.set_trace_callback(self.said.append)
        self.queue = GroupCommitQueue(self._lend, wait_s=wait_s)

    def write(self, word: str) -> str:
        def work(connection: sqlite3.Connection) -> str:
            connection.execute("INSERT INTO words VALUES (?)", [word])
            if self.disk_is_full:
                # What SQLite does by itself when the disk is full: sqlite.org/lang_transaction.html
                connection.execute("ROLLBACK")
                raise sqlite3.OperationalError("database or disk is full")
            return word

        return self.queue.write(work)

    def words(self) -> list[str]:
        return [word for (word,) in self.connection.execute("SELECT word FROM words ORDER BY rowid")]

    def commits(self) -> int:
        return self.said.count("COMMIT")

    @contextmanager
    def _lend(self, wait_s: float) -> Iterator[sqlite3.Connection]:
        self.came.release()
        assert self.gate.acquire(timeout=10)
        yield self.connection


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    book = Book(tmp_path / "book.sqlite")
    yield book
    book.connection.close()


def together(book: Book, *words: str) -> list[Future[str]]:
    """The first word is held at the gate until all the others stand in line behind it; then all go on."""
    pool = ThreadPoolExecutor(len(words))
    first = pool.submit(book.write, words[0])
    assert book.came.acquire(timeout=10)
    others = [pool.submit(book.write, word) for word in words[1:]]
    while len(book.queue._queue) < len(others):
        threading.Event().wait(0.001)
    book.gate.release(2)
    pool.shutdown()
    return [first, *others]


def test_whoever_waits_in_line_shares_one_commit(book: Book) -> None:
    written = together(book, "one", "two", "three", "four")

    assert sorted(future.result() for future in written) == ["four", "one", "three", "two"]
    assert sorted(book.words()) == ["four", "one", "three", "two"]
    assert book.commits() == 2


def test_a_write_that_fails_undoes_nobody_elses(book: Book) -> None:
    _, *others = together(book, "one", "two", "one", "three")

    failed = [future for future in others if future.exception()]
    assert [type(future.exception()) for future in failed] == [sqlite3.IntegrityError]
    assert sorted(book.words()) == ["one", "three", "two"]


def test_when_the_disk_is_full_everybody_in_the_transaction_hears_it(book: Book) -> None:
    book.disk_is_full = True

    written = together(book, "one", "two", "three")

    assert all(isinstance(future.exception(), sqlite3.OperationalError) for future in written)
    assert book.words() == []
    assert not book.connection.in_transaction


def test_the_line_moves_on_after_a_failure(book: Book) -> None:
    book.disk_is_full = True
    together(book, "one", "two")
    book.disk_is_full = False
    book.gate.release()

    assert book.write("three") == "three"
    assert book.words() == ["three"]


def test_nothing_of_a_writer_who_gave_up_is_written(tmp_path: Path) -> None:
    book = Book(tmp_path / "book.sqlite", wait_s=0.05)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(book.write, "one")
        assert book.came.acquire(timeout=10)
        with pytest.raises(TimeoutError):
            book.write("two")
        book.gate.release()

    assert first.result() == "one"
    assert book.words() == ["one"]
    book.connection.close()
