"""SQLite keeps the laws of `Documents`, and its own: files, locks, indexes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeClock
from tests.services.storage.contract import DocumentsContract
from tests.services.storage.shelf import COLLECTIONS


class TestSqliteDocuments(DocumentsContract):
    @pytest.fixture
    def documents(self, clock: FakeClock, tmp_path: Path) -> Iterator[SqliteDocuments]:
        engine = SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock)
        engine.ensure(COLLECTIONS)
        yield engine
        engine.close()
