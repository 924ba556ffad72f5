"""A student who takes quizzes, on each storage engine or in memory."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeDocuments
from tests.services.study.assessment.desk import QuizDesk


@pytest.fixture
def desk() -> QuizDesk:
    return QuizDesk(FakeDocuments())


@pytest.fixture(params=["sqlite", "mongo"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Documents]:
    """Each real engine in turn, empty."""
    if request.param == "sqlite":
        engine: Documents = SqliteDocuments(tmp_path / "homeroom.sqlite")
    else:
        engine = MongoDocuments(f"{request.getfixturevalue('mongo_uri')}/test_{secrets.token_hex(4)}")
    yield engine
    engine.close()
