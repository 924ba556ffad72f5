"""A real store and vault, one fake outside service, and the connections over them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from services.connections.connection import Connection
from services.connections.connections import Connections
from services.connections.vault import KeyRing, Vault
from services.integrations.base import Integration
from services.storage.store import Store
from tests.consents import GIVEN
from tests.fakes import FakeClock, FakeService
from tests.room_fixtures import sqlite_with_tables


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def service(clock: FakeClock) -> FakeService:
    return FakeService(clock=clock)


@pytest.fixture
def store(tmp_path: Path, clock: FakeClock) -> Iterator[Store]:
    store = Store(sqlite_with_tables(tmp_path / "homeroom.sqlite", clock))
    yield store
    store.close()


@pytest.fixture
def vault() -> Vault:
    return Vault(KeyRing([("k1", b"1" * 32)]))


@pytest.fixture
def integrations(service: FakeService) -> dict[str, Integration]:
    """What the deployment offers; a test may change it."""
    return {"fake": service.integration()}


@pytest.fixture
def connections(store: Store, vault: Vault, integrations: dict[str, Integration], clock: FakeClock) -> Connections:
    return connections_over(store, vault, integrations, clock)


def connections_over(
    store: Store, vault: Vault, integrations: dict[str, Integration], clock: FakeClock, **more: Any
) -> Connections:
    """One replica's connections."""
    public_url = "https://homeroom.example"
    return Connections(
        store=store,
        vault=vault,
        integrations=integrations,
        clock=clock,
        public_url=public_url,
        **{"terms": GIVEN, **more},
    )


@pytest.fixture
def connect(connections: Connections) -> Callable[..., Connection]:
    """Connect a student to the fake service as a person, by the whole OAuth dance."""

    def connect(student: str = "maya", person: str = "Maya") -> Connection:
        return connections.finish_oauth(student, state=state_of(connections.begin_oauth(student, "fake")), code=person)

    return connect


def state_of(address: str) -> str:
    """The state in an address that a browser was sent to."""
    return parse_qs(urlsplit(address).query)["state"][0]
