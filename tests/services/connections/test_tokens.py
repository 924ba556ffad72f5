"""The laws of pasted tokens: tried first, stored sealed, ended in time."""

from datetime import timedelta

import pytest

from services.connections.connection import Health
from services.connections.connections import Connections
from services.connections.connector import Account
from services.errors import BadArguments, ReconnectRequired, RequestRefused, ServiceUnavailable
from services.integrations.base import Integration
from services.storage.store import Store
from tests.fakes import FakeClock, FakeService

ORIGIN = FakeService.ORIGIN
Integrations = dict[str, Integration]


def test_a_token_that_the_service_knows_connects(connections: Connections, service: FakeService) -> None:
    service.people["good-token"] = "Maya"

    connection = connections.connect_with_token("maya", "fake", origin=ORIGIN, token="  good-token\n")

    assert (connection.account, connection.health) == ("Maya", Health.HEALTHY)
    assert connections.client("maya", "fake").access_token == "good-token"


def test_a_wrong_token_is_told_and_nothing_is_stored(connections: Connections) -> None:
    with pytest.raises(RequestRefused, match="does not know this token") as raised:
        connections.connect_with_token("maya", "fake", origin=ORIGIN, token="wrong")

    assert raised.value.next_step == "Make one in your Fake settings."
    assert connections.all("maya") == {}


def test_a_wrong_token_leaves_the_working_connection_alone(connections: Connections, service: FakeService) -> None:
    service.people["good-token"] = "Maya"
    before = connections.connect_with_token("maya", "fake", origin=ORIGIN, token="good-token")

    with pytest.raises(RequestRefused):
        connections.connect_with_token("maya", "fake", origin=ORIGIN, token="wrong")

    assert connections.all("maya")["fake"] == before


def test_a_token_goes_to_no_address_that_the_operator_did_not_list(
    connections: Connections, service: FakeService
) -> None:
    service.people["good-token"] = "Maya"

    with pytest.raises(BadArguments):
        connections.connect_with_token("maya", "fake", origin="https://fake.example.evil.example", token="good-token")

    assert connections.all("maya") == {}


@pytest.mark.parametrize("token", ["", "   ", "two words", "line\nbreak", "ümlaut", "nul\x00", "x" * 1001])
def test_what_cannot_be_a_token_is_never_sent(connections: Connections, service: FakeService, token: str) -> None:
    service.failure = AssertionError("asked")  # type: ignore[assignment]

    with pytest.raises(BadArguments):
        connections.connect_with_token("maya", "fake", origin=ORIGIN, token=token)


@pytest.mark.parametrize(
    "copied",
    [
        "Bearer good-token",
        "\u200bgood-\u200btoken\ufeff",
        "\u00a0good-token\u00a0",
        "Authorization: Bearer good-token",
        "“good-token”",
    ],
)
def test_what_copying_brings_along_is_taken_off(connections: Connections, service: FakeService, copied: str) -> None:
    service.people["good-token"] = "Maya"

    connections.connect_with_token("maya", "fake", origin=ORIGIN, token=copied)

    assert connections.client("maya", "fake").access_token == "good-token"


def test_a_friends_token_does_not_replace_the_account(connections: Connections, service: FakeService) -> None:
    service.people |= {"good-token": "Maya", "newer-token": "Maya", "friends-token": "Diego"}
    connections.connect_with_token("maya", "fake", origin=ORIGIN, token="good-token")

    with pytest.raises(RequestRefused, match="belongs to Diego, and you are connected as Maya") as raised:
        connections.connect_with_token("maya", "fake", origin=ORIGIN, token="friends-token")

    assert "disconnect Fake first" in raised.value.next_step
    assert connections.client("maya", "fake").access_token == "good-token"
    connections.connect_with_token("maya", "fake", origin=ORIGIN, token="newer-token")
    assert connections.client("maya", "fake").access_token == "newer-token"
    connections.disconnect("maya", "fake")
    assert connections.connect_with_token("maya", "fake", origin=ORIGIN, token="friends-token").account == "Diego"


def test_a_service_that_is_down_stores_nothing(connections: Connections, service: FakeService) -> None:
    service.failure = ServiceUnavailable("Fake", "Fake is down.")

    with pytest.raises(ServiceUnavailable):
        connections.connect_with_token("maya", "fake", origin=ORIGIN, token="good-token")

    assert connections.all("maya") == {}


def test_a_pasted_token_ends_when_the_service_says_so_else_at_the_longest_life_it_gives(
    store: Store, connections: Connections, service: FakeService, clock: FakeClock, integrations: Integrations
) -> None:
    told = clock() + timedelta(days=30)
    answers = [Account(id="1", name="Maya", expires_at=told), Account(id="1", name="Maya")]
    integration = service.integration(token_lifetime=timedelta(days=120), identify=lambda grant: answers.pop(0))
    integrations["fake"] = integration

    first = connections.connect_with_token("maya", "fake", origin=ORIGIN, token="one")
    second = connections.connect_with_token("maya", "fake", origin=ORIGIN, token="two")

    assert first.expires_at == told
    assert second.expires_at == clock() + timedelta(days=120)


@pytest.mark.parametrize(
    ("days", "health", "words"),
    [
        (100, Health.HEALTHY, ""),
        (113, Health.EXPIRING, "in 7 days"),
        (118.5, Health.EXPIRING, "in 1 day"),
        (119.9, Health.EXPIRING, "within a day"),
        (120, Health.EXPIRED, "ended on Tuesday, 23 March 2027"),
    ],
)
def test_the_end_of_a_token_is_announced_in_words(
    connections: Connections,
    service: FakeService,
    clock: FakeClock,
    days: float,
    health: Health,
    words: str,
    integrations: Integrations,
) -> None:
    service.people["good-token"] = "Maya"
    integrations["fake"] = service.integration(token_lifetime=timedelta(days=120))
    connections.connect_with_token("maya", "fake", origin=ORIGIN, token="good-token")
    clock.advance(days=days)

    connection = connections.all("maya")["fake"]

    assert connection.health is health
    assert words in connection.reason


def test_an_expired_token_gives_no_client(
    connections: Connections, service: FakeService, clock: FakeClock, integrations: Integrations
) -> None:
    service.people["good-token"] = "Maya"
    integrations["fake"] = service.integration(token_lifetime=timedelta(days=120))
    connection = connections.connect_with_token("maya", "fake", origin=ORIGIN, token="good-token")
    clock.advance(days=121)

    with pytest.raises(ReconnectRequired, match="ended on"):
        connections.client("maya", "fake", connection)


def test_a_refused_pasted_token_needs_a_new_one(connections: Connections, service: FakeService) -> None:
    service.people["good-token"] = "Maya"
    connections.connect_with_token("maya", "fake", origin=ORIGIN, token="good-token")

    with pytest.raises(ReconnectRequired):
        connections.refresh_grant("maya", "fake")

    revoked = connections.all("maya")["fake"]
    assert revoked.health is Health.REVOKED
    assert "no longer accepts" in revoked.reason
