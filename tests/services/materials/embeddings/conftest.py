"""A scripted Voyage."""

from collections.abc import Iterator

import pytest

from tests.services.materials.embeddings.voyage_server import VoyageServer, voyage_server


@pytest.fixture
def voyage() -> Iterator[VoyageServer]:
    with voyage_server() as server:
        yield server
