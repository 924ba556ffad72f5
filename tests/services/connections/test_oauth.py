"""The laws of the OAuth dance: one use, ten minutes, one student."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from services.connections.connection import Connection, Health
from services.connections.connections import Connections
from services.connections.connector import Grant
from services.errors import BadArguments, RequestRefused, ServiceError, ServiceUnavailable
from services.integrations.base import Integration
from services.storage.store import Store
from tests.fakes import FakeClock, FakeService
from tests.services.connections.conftest import state_of

Connect = Callable[..., Connection]
Integrations = dict[str, Integration]


def test_a_finished_dance_is_a_healthy_connection(connect: Connect, connections: Connections) -> None:
    connection = connect(person="Maya")

    assert connection.account == "Maya"
    assert connection.health is Health.HEALTHY
    assert connections.all("maya") == {"fake": connection}


def test_the_exchange_gets_the_origin_verifier_and_redirect_of_its_own_beginning(
    connections: Connections, service: FakeService
) -> None:
    address = connections.begin_oauth("maya", "fake", origin="https://second.example")

    connection = connections.finish_oauth("maya", state=state_of(address), code="Maya")

    assert connection.origin == "https://second.example"
    (exchanged,) = service.exchanged
    assert exchanged["origin"] == "https://second.example"
    assert exchanged["redirect_uri"] == "https://homeroom.example/connections"
    assert len(exchanged["verifier"]) >= 43


def test_an_address_that_the_operator_did_not_list_is_refused(connections: Connections) -> None:
    with pytest.raises(BadArguments, match=r"https://fake\.example"):
        connections.begin_oauth("maya", "fake", origin="https://evil.example")


def test_an_integration_without_a_client_cannot_begin(connections: Connections) -> None:
    with pytest.raises(RequestRefused, match="not offered"):
        connections.begin_oauth("maya", "unheard_of")


def test_another_students_state_stores_nothing_and_stays_usable_for_its_owner(connections: Connections) -> None:
    state = state_of(connections.begin_oauth("diego", "fake"))

    with pytest.raises(RequestRefused, match="not started by you"):
        connections.finish_oauth("maya", state=state, code="Maya")

    assert connections.all("maya") == {}
    assert connections.finish_oauth("diego", state=state, code="Diego").account == "Diego"


@pytest.mark.parametrize("state", ["", "made-up", "x" * 5000, "ümlaut/../\x00"])
def test_a_state_that_nobody_was_given_is_refused(connections: Connections, state: str) -> None:
    with pytest.raises(RequestRefused):
        connections.finish_oauth("maya", state=state, code="Maya")

    assert connections.all("maya") == {}


def test_a_state_works_once(connections: Connections, service: FakeService) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))
    connections.finish_oauth("maya", state=state, code="Maya")

    with pytest.raises(RequestRefused, match="already used"):
        connections.finish_oauth("maya", state=state, code="Mallory")

    assert connections.all("maya")["fake"].account == "Maya"
    assert len(service.exchanged) == 1


def test_of_ten_simultaneous_callbacks_one_wins(connections: Connections, service: FakeService) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))

    def finish(_: int) -> bool:
        try:
            return bool(connections.finish_oauth("maya", state=state, code="Maya"))
        except RequestRefused:
            return False

    with ThreadPoolExecutor(10) as pool:
        wins = list(pool.map(finish, range(10)))

    assert wins.count(True) == 1
    assert len(service.exchanged) == 1


def test_a_state_lives_ten_minutes(connections: Connections, clock: FakeClock) -> None:
    late, in_time = (state_of(connections.begin_oauth("maya", "fake")) for _ in range(2))
    clock.advance(minutes=9, seconds=59)
    connections.finish_oauth("maya", state=in_time, code="Maya")
    clock.advance(seconds=1)

    with pytest.raises(RequestRefused, match="ten minutes"):
        connections.finish_oauth("maya", state=late, code="Mallory")


def test_a_denial_is_told_calmly_and_uses_the_state_up(connections: Connections) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))

    with pytest.raises(RequestRefused, match="You did not allow it, so Fake is not connected"):
        connections.finish_oauth("maya", state=state, error="access_denied")

    with pytest.raises(RequestRefused, match="already used"):
        connections.finish_oauth("maya", state=state, code="Maya")
    assert connections.all("maya") == {}


def test_a_key_that_lacks_a_scope_is_for_the_operator_to_mend(connections: Connections) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))

    with pytest.raises(RequestRefused, match="does not let Homeroom ask for all") as refused:
        connections.finish_oauth("maya", state=state, error="invalid_scope")

    assert "its key at Fake lacks a scope" in refused.value.next_step


@pytest.mark.parametrize(
    ("error", "reaction"), [("temporarily_unavailable", ServiceUnavailable), ("<b>buy now</b>", RequestRefused)]
)
def test_an_error_from_the_address_bar_is_never_repeated(
    connections: Connections, error: str, reaction: type[ServiceError]
) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))

    with pytest.raises(reaction) as raised:
        connections.finish_oauth("maya", state=state, error=error)

    assert error not in str(raised.value)


def test_the_answer_of_another_service_is_not_taken(connections: Connections, service: FakeService) -> None:
    """RFC 9207: a code that another service gave out is never sent on to this one."""
    state = state_of(connections.begin_oauth("maya", "fake"))

    with pytest.raises(RequestRefused, match="came from another service than Fake"):
        connections.finish_oauth("maya", state=state, code="Maya", issuer="https://evil.example")

    assert (service.exchanged, connections.all("maya")) == ([], {})
    state = state_of(connections.begin_oauth("maya", "fake"))
    assert connections.finish_oauth("maya", state=state, code="Maya", issuer=service.ORIGIN).account == "Maya"


def test_a_grant_that_ends_within_the_hour_is_not_kept(
    connections: Connections, service: FakeService, integrations: Integrations
) -> None:
    class Fleeting(FakeService):
        def exchange(self, **fields: str) -> Grant:
            return replace(super().exchange(**fields), refresh_token=None)

    fleeting = Fleeting(clock=service._clock)
    integrations["fake"] = fleeting.integration()
    state = state_of(connections.begin_oauth("maya", "fake"))

    with pytest.raises(RequestRefused, match="for an hour only") as raised:
        connections.finish_oauth("maya", state=state, code="Maya")

    assert "Remove Homeroom" in raised.value.next_step
    assert connections.all("maya") == {}
    assert len(fleeting.revoked) == 1


def test_a_callback_with_neither_code_nor_error_is_refused(connections: Connections) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))

    with pytest.raises(RequestRefused):
        connections.finish_oauth("maya", state=state)


def test_a_grant_that_cannot_be_named_is_ended_and_not_stored(
    connections: Connections, service: FakeService, integrations: Integrations
) -> None:
    state = state_of(connections.begin_oauth("maya", "fake"))
    unnamed = ServiceUnavailable("Fake", "Fake is down.")

    def exchanged_but_down(grant: object) -> None:
        raise unnamed

    integration = service.integration(identify=exchanged_but_down)
    integrations["fake"] = integration

    with pytest.raises(ServiceUnavailable, match="down"):
        connections.finish_oauth("maya", state=state, code="Maya")

    assert connections.all("maya") == {}
    assert service.revoked == ["access-Maya-1"]


def test_connecting_again_replaces_the_account_and_raises_the_version(connect: Connect) -> None:
    first, second = connect(person="Maya"), connect(person="Maya C.")

    assert second.account == "Maya C."
    assert second.version > first.version


def test_the_store_holds_no_token_verifier_or_state(connections: Connections, connect: Connect, store: Store) -> None:
    connect(person="Canary")
    state = state_of(connections.begin_oauth("maya", "fake"))

    kept = str([store.for_student("maya").find(name, {}) for name in ("connections", "oauth_states")])

    assert "access-Canary" not in kept
    assert "refresh-Canary" not in kept
    assert state not in kept
