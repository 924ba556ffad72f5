"""A student with cards, on each storage engine or in memory."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeDocuments
from tests.services.study.review.desk import Desk


@pytest.fixture
def desk() -> Desk:
    """Cards in memory."""
    return Desk(FakeDocuments())


@pytest.fixture(params=["sqlite", "mongo"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Documents]:
    """Each real engine in turn, empty."""
    engine: Documents
    if request.param == "sqlite":
        engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    else:
        engine = MongoDocuments(f"{request.getfixturevalue('mongo_uri')}/test_{secrets.token_hex(4)}")
    yield engine
    engine.close()


@pytest.fixture
def stored_desk(engine: Documents) -> Desk:
    """Cards on a real engine."""
    return Desk(engine)
