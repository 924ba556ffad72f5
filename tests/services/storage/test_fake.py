"""The fake keeps the laws of the real engines."""

import pytest

from tests.fakes import FakeClock, FakeDocuments
from tests.services.storage.contract import DocumentsContract
from tests.services.storage.shelf import COLLECTIONS


class TestFakeDocuments(DocumentsContract):
    @pytest.fixture
    def documents(self, clock: FakeClock) -> FakeDocuments:
        engine = FakeDocuments(clock=clock)
        engine.ensure_collections(COLLECTIONS)
        return engine
