"""The laws of refreshing: once for all who wait, the newer token wins, a refusal is remembered with its reason."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from services.connections.connection import Connection, Health
from services.connections.connections import Connections
from services.connections.connector import Grant
from services.connections.vault import Vault
from services.errors import ReconnectRequired, ServiceUnavailable
from services.integrations.base import Integration
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from tests.fakes import FakeClock, FakeService
from tests.services.connections.conftest import connections_over, state_of

Connect = Callable[..., Connection]
Integrations = dict[str, Integration]


def test_twenty_threads_on_two_replicas_refresh_an_expired_grant_once(
    connect: Connect,
    connections: Connections,
    tmp_path: Path,
    vault: Vault,
    service: FakeService,
    clock: FakeClock,
    integrations: Integrations,
) -> None:
    connection = connect()
    other_store = Store(SqliteDocuments(tmp_path / "homeroom.sqlite", clock=clock))
    replicas = [connections, connections_over(other_store, vault, integrations, clock)]
    clock.advance(hours=2)

    with ThreadPoolExecutor(20) as pool:
        clients = list(pool.map(lambda n: replicas[n % 2].client("maya", "fake", connection), range(20)))

    other_store.close()
    assert service.refreshes == ["refresh-Maya-1"]
    assert {client.access_token for client in clients} == {"access-Maya-2"}


def test_a_grant_that_is_still_good_is_not_refreshed(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connection = connect()
    clock.advance(minutes=58)

    client = connections.client("maya", "fake", connection)

    assert client.access_token == "access-Maya-1"
    assert service.refreshes == []


def test_rotated_tokens_are_used_from_then_on(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    for _ in range(3):
        clock.advance(hours=2)
        connections.client("maya", "fake")

    assert service.refreshes == ["refresh-Maya-1", "refresh-Maya-2", "refresh-Maya-3"]
    assert connections.all("maya")["fake"].health is Health.HEALTHY


def test_a_refused_refresh_is_remembered_with_its_reason_and_not_repeated(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    service.end(connections.client("maya", "fake"))
    clock.advance(hours=2)

    for _ in range(3):
        with pytest.raises(ReconnectRequired, match="ended your access"):
            connections.client("maya", "fake")

    assert len(service.refreshes) == 1
    assert connections.all("maya")["fake"].health is Health.REVOKED
    assert connections.all("maya")["fake"].reason == "Fake ended your access."


def test_a_service_that_is_down_costs_no_credential(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    service.failure = ServiceUnavailable("Fake", "Fake is down.")
    with pytest.raises(ServiceUnavailable):
        connections.client("maya", "fake")
    service.failure = None

    client = connections.client("maya", "fake")

    assert client.access_token == "access-Maya-2"


def test_a_grant_with_some_seconds_left_is_used_when_its_refresh_fails(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(minutes=59, seconds=30)
    service.failure = ServiceUnavailable("Fake", "Fake is down.")

    client = connections.client("maya", "fake")

    assert client.access_token == "access-Maya-1"


def test_those_who_wait_share_a_failure_instead_of_asking_one_after_another(
    connect: Connect, store: Store, vault: Vault, service: FakeService, integrations: Integrations, clock: FakeClock
) -> None:
    connection, asked, waiting = connect(), list[Grant](), set[int]()
    everybody_waits = threading.Event()
    clock.advance(hours=2)

    def down(grant: Grant) -> Grant:
        asked.append(grant)
        everybody_waits.wait(5)
        raise ServiceUnavailable("Fake", "Fake is down.")

    def pause(seconds: float) -> None:
        waiting.add(threading.get_ident())
        if len(waiting) == 7:
            everybody_waits.set()
        time.sleep(0.005)

    service.refresh = down  # type: ignore[method-assign]
    connections = connections_over(store, vault, integrations, clock, pause=pause)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(connections.client, "maya", "fake", connection) for _ in range(8)]

    assert [type(call.exception()) for call in calls] == [ServiceUnavailable] * 8
    assert len(asked) == 1


def test_a_lease_whose_holder_died_is_taken_over(
    connect: Connect, connections: Connections, store: Store, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    service.refresh = _crash  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        connections.client("maya", "fake")
    del service.refresh
    clock.advance(seconds=31)

    client = connections.client("maya", "fake")

    assert client.access_token == "access-Maya-2"


def _crash(grant: Grant) -> Grant:
    raise KeyboardInterrupt


def test_reconnecting_during_a_refresh_wins(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    refresh = service.refresh

    def slow(grant: Grant) -> Grant:
        fresh = refresh(grant)
        connect(person="Newer")
        return fresh

    service.refresh = slow  # type: ignore[method-assign]

    client = connections.client("maya", "fake")

    assert "Newer" in client.access_token
    assert connections.all("maya")["fake"].account == "Newer"


def test_disconnecting_during_a_refresh_is_not_undone_by_it(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    refresh = service.refresh

    def slow(grant: Grant) -> Grant:
        fresh = refresh(grant)
        connections.disconnect("maya", "fake")
        return fresh

    service.refresh = slow  # type: ignore[method-assign]

    with pytest.raises(ReconnectRequired, match="not connected"):
        connections.client("maya", "fake")

    assert connections.all("maya") == {}


def test_a_grant_that_comes_after_the_disconnect_is_ended_too(
    connect: Connect, connections: Connections, service: FakeService, store: Store, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    refresh = service.refresh

    def slow(grant: Grant) -> Grant:
        fresh = refresh(grant)
        connections.disconnect("maya", "fake")
        return fresh

    service.refresh = slow  # type: ignore[method-assign]

    with pytest.raises(ReconnectRequired, match="not connected"):
        connections.client("maya", "fake")

    assert service.revoked == ["access-Maya-1", "access-Maya-2"]
    assert store.for_student("maya").find("revocations", {}) == []


def test_a_refresh_that_leaves_out_what_did_not_change_keeps_it(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(hours=2)
    refresh = service.refresh
    service.refresh = lambda grant: replace(  # type: ignore[method-assign]
        refresh(grant), refresh_token=None, scopes=(), origin="https://elsewhere.example"
    )

    client = connections.client("maya", "fake")

    assert client.refresh_token == "refresh-Maya-1"
    assert client.scopes == ("read",)
    assert client.origin == FakeService.ORIGIN


def test_renewing_a_grant_that_was_renewed_since_it_was_seen_asks_nobody(
    connect: Connect, connections: Connections, service: FakeService
) -> None:
    seen = connect()
    first = connections.refresh_grant("maya", "fake", seen=seen)

    second = connections.refresh_grant("maya", "fake", seen=seen)

    assert first == second
    assert len(service.refreshes) == 1


def test_an_unknown_state_and_a_refresh_never_meet_across_students(
    connect: Connect, connections: Connections, clock: FakeClock
) -> None:
    connect("maya", "Maya")
    connections.finish_oauth("diego", state=state_of(connections.begin_oauth("diego", "fake")), code="Diego")
    clock.advance(hours=2)

    assert "Maya" in connections.client("maya", "fake").access_token
    assert "Diego" in connections.client("diego", "fake").access_token
    with pytest.raises(ReconnectRequired, match="not connected"):
        connections.client("okafor", "fake")
