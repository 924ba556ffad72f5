"""A room for each test, on SQLite: what is kept of plans goes through the same few verbs on every engine."""

from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FollowedClock
from tests.room_fixtures import engine_clock, room  # noqa: F401 - fixtures


@pytest.fixture
def engine(tmp_path: Path, engine_clock: FollowedClock) -> Documents:  # noqa: F811 - a fixture
    return SqliteDocuments(tmp_path / "homeroom.sqlite", clock=engine_clock)
