"""A room for each test, on SQLite: what is kept of plans goes through the same few verbs on every engine."""

from pathlib import Path

import pytest

from services.storage.documents import Documents
from tests.fakes import FollowedClock
from tests.room_fixtures import engine_clock, room, sqlite_with_tables  # noqa: F401 - fixtures


@pytest.fixture
def engine(tmp_path: Path, engine_clock: FollowedClock) -> Documents:  # noqa: F811 - a fixture
    return sqlite_with_tables(tmp_path / "homeroom.sqlite", engine_clock)
