"""Libraries over a school in memory."""

from pathlib import Path

import pytest

from tests.fakes import FakeDocuments
from tests.services.materials.school import LibraryRoom


@pytest.fixture
def room(tmp_path: Path) -> LibraryRoom:
    return LibraryRoom(FakeDocuments(), tmp_path)
