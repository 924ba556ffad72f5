"""Consent to an account: required to connect it, stored with it, and gone with it."""

import pytest

from services.connections.connection import COLLECTION, Health
from services.connections.connections import Connections
from services.connections.vault import Vault
from services.errors import ConsentRequired, ReconnectRequired
from services.integrations.base import Integration
from services.safety.consent import ConsentStatus
from services.safety.earlier_consents import ACCOUNT_PURPOSES
from services.storage.store import Store
from tests.consents import ASKED
from tests.fakes import FakeClock, FakeService
from tests.services.connections.conftest import connections_over, state_of


@pytest.fixture
def asking(store: Store, vault: Vault, integrations: dict[str, Integration], clock: FakeClock) -> Connections:
    """Connections of a deployment that asks."""
    return connections_over(store, vault, integrations, clock, terms=ASKED)


def connected(asking: Connections) -> Connections:
    agreed = asking.consents.terms("fake")
    state = state_of(asking.begin_oauth("maya", "fake", agreed=agreed))
    asking.finish_oauth("maya", state=state, code="Maya")
    return asking


def test_nothing_is_connected_without_consent_to_the_terms_of_today(
    asking: Connections, store: Store, service: FakeService
) -> None:
    old = asking.consents.terms("fake")
    more = ACCOUNT_PURPOSES | {"figures"}
    asking._integrations["fake"] = service.integration(purposes=more)  # type: ignore[index]

    for agreed in (None, old):
        with pytest.raises(ConsentRequired):
            asking.begin_oauth("maya", "fake", agreed=agreed)
        with pytest.raises(ConsentRequired):
            asking.connect_with_token("maya", "fake", origin=service.ORIGIN, token="pasted", agreed=agreed)

    assert asking.all("maya") == {}
    assert store.for_student("maya").find("oauth_states", {}) == []


def test_other_words_for_the_same_ask_nobody_who_is_connected(asking: Connections, service: FakeService) -> None:
    connected(asking)
    shorter = service.integration(consent="Shorter.", reads_briefly="your board")
    asking._integrations["fake"] = shorter  # type: ignore[index]

    mine = asking.all("maya")["fake"]

    assert asking.consents.status(mine) is ConsentStatus.GIVEN
    assert asking.consents.terms("fake").lines[1] == "**What goes there:** what your question needs of your board."


def test_a_sign_in_that_was_begun_without_consent_is_not_finished(asking: Connections, store: Store) -> None:
    state = state_of(asking.begin_oauth("maya", "fake", agreed=asking.consents.terms("fake")))
    mine = store.for_student("maya")
    (begun,) = mine.find("oauth_states", {})
    mine.compare_and_set("oauth_states", begun["id"], {}, {"consent": None})

    with pytest.raises(ConsentRequired):
        asking.finish_oauth("maya", state=state, code="Maya")

    assert asking.all("maya") == {}


def test_the_consent_is_stored_with_the_connection_and_ends_with_it(asking: Connections, clock: FakeClock) -> None:
    connection = connected(asking).all("maya")["fake"]

    assert connection.consent is not None
    assert connection.consent.text == asking.consents.terms("fake").text
    assert (connection.consent.given_at, connection.consent.given_by) == (clock(), "student")
    asking.disconnect("maya", "fake")
    with pytest.raises(ConsentRequired):
        asking.begin_oauth("maya", "fake")


def test_an_account_without_consent_is_paused_for_models_and_gives_no_client(asking: Connections, store: Store) -> None:
    connected(asking)
    store.for_student("maya").compare_and_set(COLLECTION, "fake", {}, {"consent": None})

    mine = asking.all("maya")
    paused = asking.consents.for_model(mine)["fake"]

    assert asking.consents.status(mine["fake"]) is ConsentStatus.MISSING
    assert (mine["fake"].health, paused.health) == (Health.HEALTHY, Health.PAUSED)
    assert not paused.health.offers_tools
    assert asking.client("maya", "fake", mine["fake"])
    with pytest.raises(ReconnectRequired):
        asking.client("maya", "fake", paused)


def test_a_withdrawal_is_dated_and_another_consent_takes_its_place(asking: Connections, clock: FakeClock) -> None:
    connected(asking)
    clock.advance(days=1)

    asking.consents.withdraw("maya", "fake")
    withdrawn = asking.all("maya")["fake"]
    asking.consents.agree("maya", asking.consents.terms("fake"))

    assert withdrawn.consent is not None
    assert withdrawn.consent.withdrawn_at == clock()
    assert asking.consents.status(withdrawn) is ConsentStatus.WITHDRAWN
    assert asking.consents.status(asking.all("maya")["fake"]) is ConsentStatus.GIVEN
