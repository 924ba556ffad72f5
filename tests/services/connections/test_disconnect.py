"""The laws of disconnecting: erased here at once, ended at the service as soon as it answers."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from services.connections.connection import Connection, Health
from services.connections.connections import Connections
from services.connections.connector import Account
from services.connections.revocations import Revocations
from services.errors import ReconnectRequired, ServiceUnavailable
from services.integrations.base import Integration
from services.storage.store import Store
from tests.fakes import FakeClock, FakeService

Connect = Callable[..., Connection]
Integrations = dict[str, Integration]
DOWN = ServiceUnavailable("Fake", "Fake is down.")


def test_disconnecting_erases_here_and_ends_the_grant_there(
    connect: Connect, connections: Connections, service: FakeService, store: Store
) -> None:
    connect()

    ended = connections.disconnect("maya", "fake")

    assert ended
    assert service.revoked == ["access-Maya-1"]
    assert connections.all("maya") == {}
    assert store.for_student("maya").find("revocations", {}) == []
    with pytest.raises(ReconnectRequired, match="not connected"):
        connections.client("maya", "fake")


@pytest.mark.parametrize("is_leaving", [False, True], ids=["one", "all"])
def test_a_grant_that_was_refreshed_meanwhile_is_the_one_that_is_ended(
    connect: Connect,
    connections: Connections,
    service: FakeService,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    is_leaving: bool,
) -> None:
    connect()
    queue, queued = Revocations.queue, list[str]()

    def slowly(self: Revocations, *arguments: Any, **named: Any) -> str:
        if not queued:
            queued.append("")
            connections.refresh_grant("maya", "fake")
        return queue(self, *arguments, **named)

    monkeypatch.setattr(Revocations, "queue", slowly)

    if is_leaving:
        connections.disconnect_all("maya")
        connections.end_queued("maya")
    else:
        connections.disconnect("maya", "fake")

    assert service.revoked == ["access-Maya-2"]
    assert connections.all("maya") == {}
    assert store.for_student("maya").find("revocations", {}) == []


def test_while_the_service_is_down_the_credential_is_erased_and_the_end_is_queued(
    connect: Connect, connections: Connections, service: FakeService, store: Store, clock: FakeClock
) -> None:
    connect()
    service.failure = DOWN

    ended = connections.disconnect("maya", "fake")

    assert not ended
    assert connections.all("maya") == {}
    assert store.for_student("maya").get("connections", "fake") is None
    (kept,) = store.for_student("maya").find("revocations", {})
    assert "access-Maya" not in str(kept)

    service.failure = None
    clock.advance(minutes=2)
    assert connections.retry_revocations() == 1
    assert service.revoked == ["access-Maya-1"]
    assert store.for_student("maya").find("revocations", {}) == []
    assert connections.retry_revocations() == 0


def test_a_queued_end_is_tried_less_and_less_often_and_given_up_after_thirty_days(
    connect: Connect, connections: Connections, service: FakeService, store: Store, clock: FakeClock
) -> None:
    connect()
    service.failure = DOWN
    connections.disconnect("maya", "fake")

    tries = 0
    for _ in range(29 * 24):
        clock.advance(hours=1)
        before = store.for_student("maya").find("revocations", {})[0]["tries"]
        connections.retry_revocations()
        tries += store.for_student("maya").find("revocations", {})[0]["tries"] - before

    assert 29 * 4 - 10 <= tries <= 29 * 4 + 20
    clock.advance(days=2)
    assert store.for_student("maya").find("revocations", {}) == []


def test_a_grant_that_the_service_no_longer_knows_counts_as_ended(
    connect: Connect, connections: Connections, service: FakeService, store: Store
) -> None:
    connect()
    service.failure = ReconnectRequired("Fake", "Fake does not know you.")

    assert connections.disconnect("maya", "fake")
    assert store.for_student("maya").find("revocations", {}) == []


def test_disconnecting_what_is_not_connected_is_fine(connections: Connections, service: FakeService) -> None:
    assert connections.disconnect("maya", "fake")
    assert service.revoked == []


def test_disconnecting_touches_nobody_elses_grant(
    connect: Connect, connections: Connections, service: FakeService
) -> None:
    connect("maya", "Maya")
    connect("diego", "Diego")

    connections.disconnect("maya", "fake")

    assert service.revoked == ["access-Maya-1"]
    assert "Diego" in connections.client("diego", "fake").access_token


def test_a_pasted_token_is_ended_where_the_service_allows_it(
    connections: Connections, service: FakeService, integrations: Integrations
) -> None:
    service.people["pasted"] = "Maya"
    integrations["fake"] = service.integration(revoke_token=service.revoke)
    connections.connect_with_token("maya", "fake", origin=FakeService.ORIGIN, token="pasted")

    assert connections.disconnect("maya", "fake")
    assert service.revoked == ["pasted"]


def test_a_pasted_token_that_only_the_student_can_end_is_erased_here(
    connections: Connections, service: FakeService, store: Store
) -> None:
    service.people["pasted"] = "Maya"
    connections.connect_with_token("maya", "fake", origin=FakeService.ORIGIN, token="pasted")

    assert connections.disconnect("maya", "fake")
    assert service.revoked == []
    assert store.for_student("maya").find("revocations", {}) == []


def test_a_replaced_grant_is_ended_and_the_new_one_lives(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    connect()
    clock.advance(minutes=5)
    connect()
    at_once = list(service.revoked)

    clock.advance(minutes=2)
    connections.retry_revocations()

    assert at_once == []
    assert service.revoked == ["access-Maya-1"]
    assert connections.test_connection("maya", "fake").health is Health.HEALTHY


@pytest.mark.parametrize(("person", "ended"), [("Maya", []), ("Somebody", ["access-Maya-1"])])
def test_where_a_revocation_ends_the_whole_account_only_another_accounts_grant_is_ended(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock, person: str, ended: list[str]
) -> None:
    service.ends_account = True
    connect()
    clock.advance(minutes=5)
    connect(person=person)

    clock.advance(minutes=2)
    connections.retry_revocations()

    assert service.revoked == ended
    assert connections.test_connection("maya", "fake").health is Health.HEALTHY


def test_an_end_that_waits_is_dropped_when_the_same_account_comes_back_and_would_end_with_it(
    connect: Connect, connections: Connections, service: FakeService, clock: FakeClock
) -> None:
    service.ends_account = True
    connect()
    service.failure = DOWN
    connections.disconnect("maya", "fake")
    service.failure = None
    connect()

    clock.advance(minutes=2)
    connections.retry_revocations()

    assert service.revoked == []
    assert connections.test_connection("maya", "fake").health is Health.HEALTHY


def test_a_crash_before_the_new_grant_was_kept_ends_nothing(
    connect: Connect, connections: Connections, service: FakeService, store: Store, clock: FakeClock
) -> None:
    connect()
    before = store.for_student("maya").get("connections", "fake") or {}
    clock.advance(minutes=5)
    connect()
    store.for_student("maya").put("connections", before)

    clock.advance(minutes=2)
    connections.retry_revocations()

    assert service.revoked == []
    assert store.for_student("maya").find("revocations", {}) == []


def test_pasting_the_same_token_again_does_not_end_it(
    connections: Connections, service: FakeService, integrations: Integrations, clock: FakeClock
) -> None:
    integrations["fake"] = replace(integrations["fake"], revoke_token=service.revoke)
    service.people |= {"one": "Maya", "two": "Maya"}
    for token in ("one", "one", "two"):
        clock.advance(minutes=5)
        connections.connect_with_token("maya", "fake", origin=service.ORIGIN, token=token)

    clock.advance(minutes=2)
    connections.retry_revocations()

    assert service.revoked == ["one"]
    assert connections.test_connection("maya", "fake").health is Health.HEALTHY


def test_a_grant_that_cannot_be_named_does_not_take_along_what_the_student_has(
    connect: Connect, connections: Connections, service: FakeService, integrations: Integrations
) -> None:
    service.ends_account = True
    connect()

    def fails(grant: object) -> Account:
        raise DOWN

    integrations["fake"] = replace(integrations["fake"], identify=fails)
    with pytest.raises(ServiceUnavailable):
        connect()

    assert service.revoked == []
