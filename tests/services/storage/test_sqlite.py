"""SQLite keeps the laws of `Documents`, and its own: locks, indexes, threads."""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from services.errors import StorageUnavailable
from services.storage import sqlite_pool
from services.storage.collections import COLLECTIONS as HOMEROOM
from services.storage.conditions import conditions
from services.storage.documents import Order
from services.storage.sqlite import SqliteDocuments, matching, ordering
from tests.conftest import DURABLE
from tests.fakes import FakeClock
from tests.services.storage.contract import DocumentsContract
from tests.services.storage.shelf import COLLECTIONS


class TestSqliteDocuments(DocumentsContract):
    @pytest.fixture
    def documents(self, clock: FakeClock, tmp_path: Path) -> Iterator[SqliteDocuments]:
        engine = SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock)
        engine.ensure_collections(COLLECTIONS)
        yield engine
        engine.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "homeroom.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[SqliteDocuments]:
    engine = SqliteDocuments(path, busy_timeout_s=0.3)
    engine.ensure_collections(COLLECTIONS)
    yield engine
    engine.close()


@pytest.fixture
def other_program(path: Path, opened: SqliteDocuments) -> Iterator[sqlite3.Connection]:
    """Somebody else with the same file open."""
    connection = sqlite3.connect(path, isolation_level=None)
    yield connection
    connection.close()


def test_a_write_waits_for_a_second_writer_and_then_says_so(
    opened: SqliteDocuments, other_program: sqlite3.Connection
) -> None:
    other_program.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(StorageUnavailable, match="busy"):
        opened.insert("notes", {"id": "n1"})

    assert 0.25 < time.monotonic() - began < 1.5
    assert opened.find("notes", {}) == []


def test_a_second_writer_does_not_keep_readers_out(opened: SqliteDocuments, other_program: sqlite3.Connection) -> None:
    opened.insert("notes", {"id": "n1"})
    other_program.execute("BEGIN IMMEDIATE")

    assert opened.get("notes", "n1") == {"id": "n1"}


def test_once_the_second_writer_is_done_writes_go_on(
    opened: SqliteDocuments, other_program: sqlite3.Connection
) -> None:
    other_program.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageUnavailable):
        opened.put("notes", {"id": "n1"})
    other_program.execute("ROLLBACK")
    opened.put("notes", {"id": "n1"})

    assert opened.get("notes", "n1") == {"id": "n1"}


def test_eight_threads_share_one_file(path: Path) -> None:
    engine = SqliteDocuments(path)
    engine.ensure_collections(COLLECTIONS)

    def work(thread: int) -> None:
        for n in range(25):
            engine.insert("notes", {"id": f"{thread}-{n}", "thread": thread})
            assert len(engine.find("notes", {"thread": thread})) == n + 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))

    assert len(engine.find("notes", {})) == 200
    engine.close()


def test_two_engines_that_start_together_on_a_new_file_both_work(path: Path) -> None:
    engines = [SqliteDocuments(path) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda engine: engine.ensure_collections(COLLECTIONS), engines))
    for n, engine in enumerate(engines):
        engine.insert("notes", {"id": f"n{n}"})

    assert len(engines[0].find("notes", {})) == 4
    for engine in engines:
        engine.close()


def test_a_commit_waits_for_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_pool, "SYNCHRONOUS", DURABLE)
    with closing(SqliteDocuments(path)) as opened:
        opened.ensure_collections(COLLECTIONS)
        synchronous = opened._pool.write(lambda connection: connection.execute("PRAGMA synchronous").fetchone())
    with closing(sqlite3.connect(path)) as other_program:
        journal = other_program.execute("PRAGMA journal_mode").fetchone()

    # 2 is FULL: sqlite.org/pragma.html#pragma_synchronous
    assert synchronous == (2,)
    assert journal == ("wal",)


def test_a_closed_store_says_that_it_is_closed(opened: SqliteDocuments) -> None:
    opened.close()
    with pytest.raises(StorageUnavailable, match="shutting down"):
        opened.get("notes", "n1")


@pytest.mark.parametrize(
    ("collection", "where", "order"),
    [
        ("students", {"issuer": "i", "subject": "s"}, ()),
        ("connections", {"owner": "o"}, ()),
        ("connections", {"id": "o/canvas"}, ()),
        ("conversations", {"owner": "o", "deleted_at": None}, [("pinned", -1), ("updated_at", -1)]),
        ("messages", {"owner": "o", "conversation_id": "c", "seq": {"$gt": 4}}, [("seq", 1)]),
        ("turns", {"owner": "o", "conversation_id": "c"}, [("started_at", -1)]),
        ("turns", {"status": {"$in": ["running", "waiting"]}}, ()),
        ("approvals", {"owner": "o", "conversation_id": "c", "status": "pending"}, ()),
        ("approvals", {"status": {"$in": ["executing", "undoing"]}}, ()),
        ("activity", {"owner": "o", "at": {"$gte": "2026"}}, [("at", -1)]),
        ("tasks", {"owner": "o"}, [("due_at", 1)]),
    ],
)
def test_the_questions_homeroom_asks_never_scan_or_sort(
    path: Path, collection: str, where: dict[str, Any], order: Order
) -> None:
    engine = SqliteDocuments(path)
    engine.ensure_collections(HOMEROOM)
    single = frozenset(f for c in HOMEROOM if c.name == collection for fields, _ in c.index_fields() for f in fields)
    condition, values = matching(conditions(where), single=single)
    tail, more = ordering(order, 50)
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            f'EXPLAIN QUERY PLAN SELECT body FROM "{collection}" WHERE {condition}{tail}', values + more
        )
        plan = [row[3] for row in rows]

    assert plan
    assert all(step.startswith("SEARCH") for step in plan), plan
    connection.close()
    engine.close()
