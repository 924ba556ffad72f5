"""A student who has quizzes made, in memory or on a storage engine."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeDocuments
from tests.services.study.generation.desk import MakingDesk


@pytest.fixture
def desk() -> MakingDesk:
    return MakingDesk(FakeDocuments())


@pytest.fixture(params=["sqlite", pytest.param("mongo", marks=pytest.mark.soak)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Documents]:
    """Each real engine in turn, empty; `test_kill` holds the one without transactions in every run."""
    if request.param == "sqlite":
        engine: Documents = SqliteDocuments(tmp_path / "homeroom.sqlite")
    else:
        engine = MongoDocuments(f"{request.getfixturevalue('mongo_uri')}/test_{secrets.token_hex(4)}")
    yield engine
    engine.close()
