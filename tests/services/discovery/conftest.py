"""A room for each test, on SQLite: what is kept of plans goes through the same few verbs on every engine."""

from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.sqlite import SqliteDocuments
from tests.room_fixtures import room  # noqa: F401 - fixture


@pytest.fixture
def engine(tmp_path: Path) -> Documents:
    return SqliteDocuments(tmp_path / "homeroom.sqlite")
