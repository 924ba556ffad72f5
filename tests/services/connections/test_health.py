"""The laws of health: freshness, not existence; in words; never costing a credential."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from services.connections.connection import Connection, Health
from services.connections.connections import Connections
from services.connections.key_rotation import SealCheck
from services.connections.vault import KeyRing, Vault
from services.errors import (
    PermissionMissing,
    ReconnectRequired,
    SealBroken,
    ServiceUnavailable,
    SettingsError,
    Throttled,
)
from services.integrations.base import Integration
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments, FakeService
from tests.services.connections.conftest import connections_over, state_of

Connect = Callable[..., Connection]
Integrations = dict[str, Integration]
DOWN = ServiceUnavailable("Fake", "Fake is down.")


def test_all_connections_cost_one_read(vault: Vault, clock: FakeClock, integrations: Integrations) -> None:
    documents = FakeDocuments(clock=clock)
    connections = connections_over(Store(documents), vault, integrations, clock)
    connections.finish_oauth("maya", state=state_of(connections.begin_oauth("maya", "fake")), code="Maya")
    documents.reads = 0

    connections.all("maya")

    assert documents.reads == 1


def test_a_refused_credential_shows_as_revoked_with_the_reason(connect: Connect, connections: Connections) -> None:
    connect()

    connections.report_failure("maya", "fake", ReconnectRequired("Fake", "Fake no longer knows you."))

    connection = connections.all("maya")["fake"]
    assert (connection.health, connection.reason) == (Health.REVOKED, "Fake no longer knows you.")
    assert not connection.health.offers_tools


def test_an_unreachable_service_keeps_its_tools_and_recovers(connect: Connect, connections: Connections) -> None:
    connect()
    connections.report_failure("maya", "fake", DOWN)
    down = connections.all("maya")["fake"]

    connections.report_success("maya", "fake", down)

    assert (down.health, down.reason) == (Health.UNREACHABLE, "Fake is down.")
    assert down.health.offers_tools
    assert connections.all("maya")["fake"].health is Health.HEALTHY


def test_recovering_a_healthy_connection_and_repeating_a_report_write_nothing(
    vault: Vault, clock: FakeClock, integrations: Integrations
) -> None:
    documents = FakeDocuments(clock=clock)
    connections = connections_over(Store(documents), vault, integrations, clock)
    healthy = connections.finish_oauth("maya", state=state_of(connections.begin_oauth("maya", "fake")), code="Maya")
    connections.report_failure("maya", "fake", DOWN)
    documents.writes = 0

    connections.report_success("maya", "fake", healthy)
    connections.report_failure("maya", "fake", DOWN)

    assert documents.writes == 0


@pytest.mark.parametrize("error", [Throttled("Fake", "Slow down."), PermissionMissing("Fake", "Not for you.")])
def test_a_busy_service_or_a_closed_course_says_nothing_about_the_connection(
    connect: Connect, connections: Connections, error: ServiceUnavailable
) -> None:
    before = connect()

    connections.report_failure("maya", "fake", error)

    assert connections.all("maya")["fake"] == before


def test_a_late_report_about_the_old_credential_does_not_end_the_new_one(
    connect: Connect, connections: Connections
) -> None:
    old = connect()
    connect()

    connections.report_failure("maya", "fake", ReconnectRequired("Fake", "Fake no longer knows you."), seen=old)

    assert connections.all("maya")["fake"].health is Health.HEALTHY


def test_every_change_raises_the_version(connect: Connect, connections: Connections) -> None:
    versions = [connect().version]
    connections.report_failure("maya", "fake", DOWN)
    versions.append(connections.all("maya")["fake"].version)
    versions.append(connections.test_connection("maya", "fake").version)
    versions.append(connections.refresh_grant("maya", "fake").version)

    assert versions == sorted(set(versions))


def test_a_version_never_comes_twice_after_a_disconnect(
    connect: Connect, connections: Connections, clock: FakeClock
) -> None:
    connect()
    last = connections.refresh_grant("maya", "fake").version
    connections.disconnect("maya", "fake")
    clock.advance(seconds=5)

    assert connect().version > last


def test_the_test_button_learns_the_account_and_heals(connect: Connect, connections: Connections) -> None:
    connect()
    connections.report_failure("maya", "fake", DOWN)

    connection = connections.test_connection("maya", "fake")

    assert (connection.health, connection.account) == (Health.HEALTHY, "Maya")


def test_the_test_button_finds_a_grant_that_was_ended_at_the_service(
    connect: Connect, connections: Connections, service: FakeService
) -> None:
    connect()
    service.end(connections.client("maya", "fake"))

    connection = connections.test_connection("maya", "fake")

    assert (connection.health, connection.reason) == (Health.REVOKED, "Fake ended your access.")


def test_the_test_button_renews_an_access_token_that_ended_early(
    connect: Connect, connections: Connections, service: FakeService
) -> None:
    connect()
    service.people.clear()

    assert connections.test_connection("maya", "fake").health is Health.HEALTHY
    assert len(service.refreshes) == 1


def test_the_test_button_finds_a_service_that_is_down(
    connect: Connect, connections: Connections, service: FakeService
) -> None:
    connect()
    service.failure = DOWN

    assert connections.test_connection("maya", "fake").health is Health.UNREACHABLE


def test_a_wrong_key_locks_and_deletes_nothing_and_the_right_one_heals(
    connect: Connect, connections: Connections, store: Store, clock: FakeClock, integrations: Integrations
) -> None:
    connect()
    before = store.for_student("maya").get("connections", "fake")
    wrong = connections_over(store, Vault(KeyRing([("k1", b"2" * 32)])), integrations, clock)

    locked = wrong.all("maya")["fake"]
    tested = wrong.test_connection("maya", "fake")
    with pytest.raises(SealBroken):
        wrong.client("maya", "fake")

    assert (locked.health, tested.health) == (Health.LOCKED, Health.LOCKED)
    assert "Nothing was deleted, and nothing needs to be done" in locked.reason
    assert "connect" not in locked.reason.lower().replace("reconnect", "")
    assert store.for_student("maya").get("connections", "fake") == before
    assert connections.all("maya")["fake"].health is Health.HEALTHY


def test_the_wrong_keys_are_told_to_the_operator_until_the_right_ones_are_back(
    connect: Connect, store: Store, vault: Vault, caplog: pytest.LogCaptureFixture
) -> None:
    """In the log and in what `/ready` asks (R63)."""
    nothing_yet = SealCheck(store, Vault(KeyRing([("k1", b"2" * 32)])))
    assert nothing_yet.run()
    for student in ("maya", "diego", "priya"):
        connect(student, student.title())
    wrong, other, right = (
        SealCheck(store, Vault(KeyRing(keys)))
        for keys in ([("k1", b"2" * 32)], [("k2", b"1" * 32)], [("k1", b"1" * 32)])
    )

    assert [check.run() for check in (wrong, wrong, other, right)] == [False, False, False, True]
    for check in (wrong, other):
        with pytest.raises(SettingsError, match="HOMEROOM_VAULT_KEYS"):
            check.require()
    right.require()
    assert caplog.text.count("vault_keys_do_not_open broken=3 of=3") == 2


def test_one_damaged_seal_among_others_says_nothing_about_the_keys(
    connect: Connect, store: Store, vault: Vault
) -> None:
    for student in ("maya", "diego", "priya"):
        connect(student, student.title())
    store.for_student("maya").compare_and_set("connections", "fake", {}, {"sealed": {"grant": "v1.k1.damaged"}})
    check = SealCheck(store, vault)

    assert check.run()
    check.require()


def test_a_credential_swapped_between_students_does_not_open(
    connect: Connect, connections: Connections, store: Store
) -> None:
    connect("maya", "Maya")
    connect("diego", "Diego")
    theirs = store.for_student("diego").get("connections", "fake")
    assert theirs is not None
    store.for_student("maya").put("connections", theirs)

    assert connections.all("maya")["fake"].health is Health.LOCKED


def test_a_credential_is_not_sent_to_an_address_that_was_changed_beside_it(
    connect: Connect, connections: Connections, store: Store
) -> None:
    connection = connect()
    store.for_student("maya").compare_and_set("connections", "fake", {}, {"origin": "https://second.example"})

    with pytest.raises(SealBroken):
        connections.client("maya", "fake")

    assert connections.all("maya")["fake"].health is Health.LOCKED
    assert connection.origin == FakeService.ORIGIN


def test_an_address_that_the_operator_took_away_gets_no_token(
    connect: Connect, connections: Connections, service: FakeService, integrations: Integrations
) -> None:
    connect()
    integrations["fake"] = service.integration(origins=("https://second.example",))

    connection = connections.all("maya")["fake"]

    assert connection.health is Health.REVOKED
    assert "no longer uses" in connection.reason
    with pytest.raises(ReconnectRequired):
        connections.client("maya", "fake", connection)


def test_an_address_that_the_operator_took_away_and_gave_back_works_again(
    connect: Connect, connections: Connections, integrations: Integrations, service: FakeService
) -> None:
    connect()
    before = integrations["fake"]
    integrations["fake"] = service.integration(origins=("https://second.example",))

    for refused in (connections.client, connections.refresh_grant):
        with pytest.raises(ReconnectRequired):
            refused("maya", "fake")
    connections.report_failure("maya", "fake", ReconnectRequired("Fake", "Reconnect."))
    connections.test_connection("maya", "fake")
    integrations["fake"] = before

    assert connections.all("maya")["fake"].health is Health.HEALTHY
    assert service.refreshes == []


def test_testing_an_expired_token_asks_nobody_and_says_when_it_ended(
    connections: Connections, integrations: Integrations, service: FakeService, clock: FakeClock
) -> None:
    service.people["pasted"] = "Maya"
    integrations["fake"] = service.integration(token_lifetime=timedelta(days=120))
    connections.connect_with_token("maya", "fake", origin=FakeService.ORIGIN, token="pasted")
    clock.advance(days=121)

    tested = connections.test_connection("maya", "fake")

    assert tested.health is Health.EXPIRED
    assert connections.all("maya")["fake"] == tested


def test_an_integration_that_is_no_longer_offered_is_not_listed(
    connect: Connect, connections: Connections, integrations: Integrations
) -> None:
    connect()
    integrations.clear()

    assert connections.all("maya") == {}
