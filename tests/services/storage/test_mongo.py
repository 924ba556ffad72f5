"""MongoDB keeps the laws of `Documents`, and its own: outages, passwords, a start while it is down."""

import secrets
from collections.abc import Iterator

import pytest

from services.storage.mongo import MongoDocuments
from tests.fakes import FakeClock
from tests.services.storage.contract import DocumentsContract
from tests.services.storage.shelf import COLLECTIONS


class TestMongoDocuments(DocumentsContract):
    @pytest.fixture
    def documents(self, clock: FakeClock, mongo_uri: str) -> Iterator[MongoDocuments]:
        engine = MongoDocuments(f"{mongo_uri}/test_{secrets.token_hex(4)}", clock=clock)
        engine.ensure(COLLECTIONS)
        yield engine
        engine.close()
