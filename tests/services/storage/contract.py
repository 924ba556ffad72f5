"""The laws of `Documents`: every engine inherits them, the fake included."""

from datetime import UTC, datetime

import pytest

from tests.fakes import FakeClock
from tests.services.storage.contract_queries import QueriesContract
from tests.services.storage.contract_time import ExpiryContract, RacesContract
from tests.services.storage.contract_writes import WritesContract


class DocumentsContract(WritesContract, QueriesContract, RacesContract, ExpiryContract):
    """A subclass brings a fixture `documents`: an empty engine on `clock` that keeps `shelf.COLLECTIONS`."""

    @pytest.fixture
    def clock(self) -> FakeClock:
        # Far in the future, so that a server's own sweeper, which looks at the real time, never takes part.
        return FakeClock(datetime(2040, 1, 2, tzinfo=UTC))
