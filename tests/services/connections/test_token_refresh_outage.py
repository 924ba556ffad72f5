"""A grant that the service has rotated is kept although the store fails just then: the old one is spent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.connections.connection import Connection
from services.connections.vault import Vault
from services.errors import StorageUnavailable
from services.integrations.base import Integration
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from tests.fakes import FakeClock, FakeService
from tests.services.connections.conftest import connections_over

Connect = Callable[..., Connection]
Integrations = dict[str, Integration]


@pytest.mark.parametrize("is_lost", [False, True], ids=["not written", "written, not confirmed"])
def test_a_store_that_fails_for_some_seconds_costs_no_rotated_token(
    connect: Connect,
    tmp_path: Path,
    vault: Vault,
    service: FakeService,
    integrations: Integrations,
    clock: FakeClock,
    is_lost: bool,
) -> None:
    connect()
    clock.advance(hours=2)
    engine, waits = SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock), list[float]()
    writes = engine.compare_and_set

    def failing(collection: str, id: str, expected: Any, changes: Any) -> Any:
        is_down = "sealed" in changes and sum(waits) < 20
        swapped = writes(collection, id, expected, changes) if is_lost or not is_down else None
        if is_down:
            raise StorageUnavailable("The store does not answer.")
        return swapped

    def pause(seconds: float) -> None:
        waits.append(seconds)
        clock.advance(seconds=seconds)

    engine.compare_and_set = failing  # type: ignore[method-assign]
    connections = connections_over(Store(engine), vault, integrations, clock, pause=pause)

    tokens = [connections.client("maya", "fake").access_token for _ in range(2)]

    engine.close()
    assert tokens == ["access-Maya-2"] * 2
    assert service.refreshes == ["refresh-Maya-1"]


def test_a_store_that_stays_away_is_not_waited_for_longer_than_the_lease(
    connect: Connect, tmp_path: Path, vault: Vault, integrations: Integrations, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    engine, waits = SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock), list[float]()
    writes = engine.compare_and_set

    def failing(collection: str, id: str, expected: Any, changes: Any) -> Any:
        if "sealed" in changes:
            raise StorageUnavailable("The store does not answer.")
        return writes(collection, id, expected, changes)

    engine.compare_and_set = failing  # type: ignore[method-assign]
    connections = connections_over(Store(engine), vault, integrations, clock, pause=waits.append)

    with pytest.raises(StorageUnavailable):
        connections.client("maya", "fake")

    engine.close()
    assert 20 < sum(waits) <= 30
