"""Inherited laws explain their failures as tests do; stores on every engine."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeDocuments

pytest.register_assert_rewrite(
    "tests.services.storage.contract_writes",
    "tests.services.storage.contract_queries",
    "tests.services.storage.contract_time",
)


@pytest.fixture(params=["fake", "sqlite", "mongo"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Documents]:
    """Each engine in turn, empty, with nothing ensured yet."""
    if request.param == "fake":
        engine: Documents = FakeDocuments()
    elif request.param == "sqlite":
        engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    else:
        engine = MongoDocuments(f"{request.getfixturevalue('mongo_uri')}/test_{secrets.token_hex(4)}")
    yield engine
    engine.close()
