"""Several accounts after one yes: each by a sign-in of its own, and what fails leaves the others alone (T50)."""

from urllib.parse import parse_qs, urlsplit

import pytest

from services.connections.batch_flow import BatchStep, ChosenAccount
from services.connections.connections import Connections, ConnectStep
from services.connections.oauth_states import OAuthStates
from services.connections.vault import Vault
from services.errors import ConsentRequired, RequestRefused
from services.integrations.base import Integration
from services.safety.earlier_consents import ACCOUNT_PURPOSES
from services.storage.store import Store
from tests.consents import ASKED
from tests.fakes import FakeClock, FakeService
from tests.services.connections.conftest import connections_over, state_of

IDS = ("board", "notes", "calendar")


@pytest.fixture
def services(clock: FakeClock) -> dict[str, FakeService]:
    return {id: FakeService(clock=clock, label=id.capitalize()) for id in IDS}


@pytest.fixture
def integrations(services: dict[str, FakeService]) -> dict[str, Integration]:
    return {id: service.integration(id) for id, service in services.items()}


@pytest.fixture
def connections(store: Store, vault: Vault, integrations: dict[str, Integration], clock: FakeClock) -> Connections:
    """Connections of a deployment that asks."""
    return connections_over(store, vault, integrations, clock, terms=ASKED)


def chosen(connections: Connections, *ids: str) -> list[ChosenAccount]:
    return [ChosenAccount(integration=id, agreed=connections.consents.terms(id)) for id in ids or IDS]


def begun(connections: Connections, *ids: str) -> BatchStep:
    return connections.begin_batch("maya", chosen(connections, *ids), login_hint="maya@x.example", begun_on="chat")


def came_back(connections: Connections, address: str, **answer: str) -> ConnectStep:
    return connections.finish_step("maya", state=state_of(address), **(answer or {"code": "Maya"}))


def next_step(connections: Connections, address: str, **answer: str) -> BatchStep:
    step = came_back(connections, address, **answer).batch
    assert step is not None
    return step


def outcomes(step: BatchStep) -> dict[str, bool]:
    return {outcome.integration: outcome.is_connected for outcome in step.outcomes}


def test_one_yes_leads_from_service_to_service_each_with_a_state_and_a_verifier_of_its_own(
    connections: Connections, services: dict[str, FakeService]
) -> None:
    step, addresses = begun(connections), []
    while step.address:
        addresses.append(step.address)
        assert connections.begun_on("maya", state_of(step.address)) == "chat"
        step = next_step(connections, step.address)

    verifiers = {service.exchanged[0]["verifier"] for service in services.values()}
    assert (len({state_of(address) for address in addresses}), len(verifiers)) == (3, 3)
    assert [parse_qs(urlsplit(address).query)["login_hint"] for address in addresses] == [["maya@x.example"]] * 3
    assert outcomes(step) == dict.fromkeys(IDS, True)
    connected = connections.all("maya")
    assert set(connected) == set(IDS)
    assert all(each.consent and each.consent.given_by == "student" for each in connected.values())


def test_a_refusal_at_one_goes_on_to_the_next_and_is_told_at_the_end(connections: Connections) -> None:
    step = next_step(connections, begun(connections).address)
    step = next_step(connections, step.address, error="access_denied")

    last = next_step(connections, step.address)

    assert outcomes(last) == {"board": True, "notes": False, "calendar": True}
    assert last.outcomes[1].reason == "You did not allow it, so Notes is not connected."
    assert set(connections.all("maya")) == {"board", "calendar"}


def test_a_service_that_is_down_is_passed_over(connections: Connections, services: dict[str, FakeService]) -> None:
    first = begun(connections)
    services["board"].failure = RequestRefused("Board", "Board is closed.")

    step = next_step(connections, first.address)

    assert outcomes(step) == {"board": False}
    assert state_of(step.address)


def test_nothing_is_begun_unless_each_was_agreed_to_as_it_is_today(
    connections: Connections, integrations: dict[str, Integration], services: dict[str, FakeService], store: Store
) -> None:
    accounts = chosen(connections)
    integrations["calendar"] = services["calendar"].integration("calendar", purposes=ACCOUNT_PURPOSES | {"figures"})

    with pytest.raises(ConsentRequired):
        connections.begin_batch("maya", accounts)

    assert store.for_student("maya").find("oauth_states", {}) == []


def test_an_account_whose_terms_change_on_the_way_is_left_out(
    connections: Connections, integrations: dict[str, Integration], services: dict[str, FakeService]
) -> None:
    first = begun(connections)
    integrations["notes"] = services["notes"].integration("notes", purposes=ACCOUNT_PURPOSES | {"figures"})

    step = next_step(connections, first.address)

    assert outcomes(step) == {"board": True, "notes": False}
    assert outcomes(next_step(connections, step.address))["calendar"]


def test_a_callback_that_comes_twice_goes_on_once(connections: Connections, store: Store) -> None:
    first = begun(connections)
    step = next_step(connections, first.address)

    with pytest.raises(RequestRefused):
        came_back(connections, first.address)

    assert len(store.for_student("maya").find("oauth_states", {})) == 1
    assert outcomes(next_step(connections, step.address)) == {"board": True, "notes": True}


def test_another_student_goes_on_with_nothing(connections: Connections, store: Store) -> None:
    first = begun(connections)

    with pytest.raises(RequestRefused):
        connections.finish_step("diego", state=state_of(first.address), code="Diego")

    assert store.for_student("diego").find("oauth_states", {}) == []
    assert connections.all("diego") == {}
    assert outcomes(next_step(connections, first.address)) == {"board": True}


@pytest.mark.parametrize("issuer", ["https://evil.example", ""])
def test_the_answer_of_another_service_connects_nothing_and_the_others_have_their_turn(
    connections: Connections, issuer: str
) -> None:
    step = connections.finish_step("maya", state=state_of(begun(connections).address), code="Maya", issuer=issuer)

    assert step.connection is None
    assert step.batch is not None
    assert outcomes(step.batch) == {"board": False}
    assert urlsplit(step.batch.address).netloc == "fake.example"


def test_after_a_death_between_two_what_is_connected_stays_and_the_rest_can_be_begun_anew(
    connections: Connections,
    store: Store,
    vault: Vault,
    integrations: dict[str, Integration],
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = begun(connections)

    def die(*_: object, **__: object) -> None:
        raise SystemExit

    monkeypatch.setattr(OAuthStates, "create", die)
    with pytest.raises(SystemExit):
        came_back(connections, first.address)
    monkeypatch.undo()
    again = connections_over(store, vault, integrations, clock, terms=ASKED)

    assert set(again.all("maya")) == {"board"}
    assert store.for_student("maya").find("oauth_states", {}) == []
    step = next_step(again, begun(again, "notes", "calendar").address)
    assert outcomes(next_step(again, step.address)) == {"notes": True, "calendar": True}


def test_an_account_that_was_connected_elsewhere_meanwhile_is_not_asked_for_again(
    connections: Connections, services: dict[str, FakeService]
) -> None:
    first = begun(connections)
    alone = connections.begin_oauth("maya", "notes", agreed=connections.consents.terms("notes"))
    connections.finish_oauth("maya", state=state_of(alone), code="Maya")

    step = next_step(connections, first.address)

    assert outcomes(step) == {"board": True, "notes": True}
    assert len(services["notes"].exchanged) == 1


def test_an_account_with_a_token_is_connected_before_the_sign_ins(
    connections: Connections, integrations: dict[str, Integration], services: dict[str, FakeService]
) -> None:
    integrations["notes"] = services["notes"].integration("notes", oauth=None)
    services["notes"].people["pasted"] = "Maya"
    terms = connections.consents.terms
    accounts = [
        ChosenAccount(integration="board", agreed=terms("board")),
        ChosenAccount(integration="notes", agreed=terms("notes"), token="pasted"),
    ]

    step = connections.begin_batch("maya", accounts)

    assert outcomes(step) == {"notes": True}
    assert outcomes(next_step(connections, step.address)) == {"notes": True, "board": True}
    with pytest.raises(RequestRefused):
        connections.begin_batch("maya", chosen(connections, "notes"))
    wrong = ChosenAccount(integration="notes", agreed=terms("notes"), token="wrong")
    assert outcomes(connections.begin_batch("maya", [wrong])) == {"notes": False}


def test_an_address_that_nobody_listed_is_never_gone_to(connections: Connections) -> None:
    (account, *_) = chosen(connections, "board")
    elsewhere = ChosenAccount(integration="board", agreed=account.agreed, origin="https://evil.example")

    step = connections.begin_batch("maya", [elsewhere])

    assert (step.address, outcomes(step)) == ("", {"board": False})


def test_a_single_sign_in_ends_as_before(connections: Connections) -> None:
    alone = connections.begin_oauth("maya", "notes", agreed=connections.consents.terms("notes"))

    step = came_back(connections, alone)

    assert step.connection is not None
    assert step.batch is None
    again = connections.begin_oauth("maya", "notes", agreed=connections.consents.terms("notes"))
    with pytest.raises(RequestRefused):
        came_back(connections, again, error="access_denied")
