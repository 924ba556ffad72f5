"""The OAuth dance with Canvas over real HTTP, refresh and revocation."""

from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import pytest

from services.connections.connection import Connection, Health
from services.connections.connections import Connections
from services.errors import (
    ReconnectRequired,
    RequestRefused,
    ServiceUnavailable,
)
from services.integrations.canvas.oauth import SCOPES, CanvasOAuth
from tests.campus_server import CampusServer
from tests.fakes import FakeClock

TOKEN = "/login/oauth2/token"


def connect(campus: CampusServer, connections: Connections, student: str, button: str = "Allow") -> Connection:
    """Through the consent page, as a browser does."""
    back = campus.press(connections.begin_oauth(student, "canvas"), student, button)
    answer = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}
    return connections.finish_oauth(student, state=answer["state"], code=answer.get("code"), error=answer.get("error"))


def refreshes(campus: CampusServer) -> int:
    return len([entry for entry in campus.log(service="canvas", method="POST") if entry["path"] == TOKEN]) - 1


def test_the_dance_connects_the_person_who_allowed_it(campus: CampusServer, connections: Connections) -> None:
    connection = connect(campus, connections, "maya")

    assert (connection.account, connection.health) == ("Maya Chen", Health.HEALTHY)
    assert connection.is_refreshable
    assert len(connections.client("maya", "canvas").courses()) == 5


def test_canvas_is_asked_for_what_the_tools_need_and_nothing_else(
    campus: CampusServer, connections: Connections
) -> None:
    query = parse_qs(urlsplit(connections.begin_oauth("maya", "canvas")).query)

    assert query["scope"] == [" ".join(SCOPES)]
    assert all(scope.startswith("url:GET|/api/v1/") for scope in SCOPES)
    assert query["code_challenge_method"] == ["S256"]
    assert query["redirect_uri"] == ["http://localhost:8501/connections"]


def test_pressing_deny_connects_nothing(campus: CampusServer, connections: Connections) -> None:
    with pytest.raises(RequestRefused, match="You did not allow it"):
        connect(campus, connections, "maya", button="Deny")

    assert connections.all("maya") == {}


def test_a_code_brought_by_another_student_connects_nothing(campus: CampusServer, connections: Connections) -> None:
    back = campus.press(connections.begin_oauth("maya", "canvas"), "maya", "Allow")
    answer = {name: values[0] for name, values in parse_qs(urlsplit(back).query).items()}

    with pytest.raises(RequestRefused, match="not started by you"):
        connections.finish_oauth("diego", state=answer["state"], code=answer["code"])

    assert connections.all("diego") == {}


def test_a_made_up_code_is_refused_in_words(connections: Connections) -> None:
    state = parse_qs(urlsplit(connections.begin_oauth("maya", "canvas")).query)["state"][0]

    with pytest.raises(RequestRefused, match="Canvas did not accept this sign-in"):
        connections.finish_oauth("maya", state=state, code="made-up")


def test_a_code_that_somebody_else_began_fails_without_their_verifier(
    campus: CampusServer, connections: Connections
) -> None:
    stolen = campus.press(connections.begin_oauth("maya", "canvas"), "maya", "Allow")
    code = parse_qs(urlsplit(stolen).query)["code"][0]
    state = parse_qs(urlsplit(connections.begin_oauth("diego", "canvas")).query)["state"][0]

    with pytest.raises(RequestRefused):
        connections.finish_oauth("diego", state=state, code=code)

    assert connections.all("diego") == {}


def test_twenty_threads_refresh_an_expired_grant_once(
    campus: CampusServer, connections: Connections, clock: FakeClock
) -> None:
    connection = connect(campus, connections, "maya")
    clock.advance(hours=2)

    with ThreadPoolExecutor(20) as pool:
        clients = list(pool.map(lambda _: connections.client("maya", "canvas", connection), range(20)))

    assert len(clients) == 20
    assert refreshes(campus) == 1
    assert len(clients[0].courses()) == 5


def test_a_refreshed_grant_covers_what_it_did_before_and_no_more(
    campus: CampusServer, connections: Connections, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = SCOPES[-4:]
    with monkeypatch.context() as before:
        before.setattr(CanvasOAuth, "scopes", earlier)
        connect(campus, connections, "maya")
    clock.advance(hours=2)

    connections.client("maya", "canvas")

    assert refreshes(campus) == 1
    assert connections.all("maya")["canvas"].scopes == earlier


def test_a_grant_that_was_ended_in_canvas_needs_a_reconnect(
    campus: CampusServer, connections: Connections, clock: FakeClock
) -> None:
    connect(campus, connections, "maya")
    campus.fault(service="canvas", fault="revoke_tokens", person="maya")

    tested = connections.test_connection("maya", "canvas")
    clock.advance(hours=2)

    assert tested.health is Health.REVOKED
    assert "Canvas ended the access" in tested.reason
    with pytest.raises(ReconnectRequired):
        connections.client("maya", "canvas")


@pytest.mark.parametrize("fault", [{"fault": "status", "status": 503}, {"fault": "hang"}, {"fault": "html"}])
def test_a_canvas_that_is_down_while_refreshing_costs_no_connection(
    campus: CampusServer, connections: Connections, clock: FakeClock, fault: dict[str, object]
) -> None:
    connect(campus, connections, "maya")
    clock.advance(hours=2)
    campus.fault(service="canvas", path=TOKEN, times=0, **fault)
    with pytest.raises(ServiceUnavailable):
        connections.client("maya", "canvas")
    campus.clear_faults()

    assert len(connections.client("maya", "canvas").courses()) == 5
    assert connections.all("maya")["canvas"].health is Health.HEALTHY


def test_a_wrong_client_secret_ends_no_students_connection(
    campus: CampusServer, connections: Connections, clock: FakeClock
) -> None:
    connect(campus, connections, "maya")
    clock.advance(hours=2)
    refused = {"error": "invalid_client", "error_description": "invalid client"}
    campus.fault(service="canvas", fault="status", path=TOKEN, times=0, status=401, body=refused)

    with pytest.raises(ServiceUnavailable, match="does not know this Homeroom"):
        connections.client("maya", "canvas")

    assert connections.all("maya")["canvas"].health is Health.HEALTHY


@pytest.mark.parametrize("body", [{"access_token": None}, [], {"hello": "world"}])
def test_a_token_answer_without_a_token_stores_nothing(
    campus: CampusServer, connections: Connections, body: object
) -> None:
    campus.fault(service="canvas", fault="status", path=TOKEN, times=0, status=200, body=body)

    with pytest.raises(ServiceUnavailable, match="cannot be read"):
        connect(campus, connections, "maya")

    assert connections.all("maya") == {}


def test_disconnecting_ends_the_grant_in_canvas(campus: CampusServer, connections: Connections) -> None:
    connect(campus, connections, "maya")
    client = connections.client("maya", "canvas")

    assert connections.disconnect("maya", "canvas")
    with pytest.raises(ReconnectRequired):
        client.courses()


def test_disconnecting_after_the_access_token_ended_still_ends_the_refresh_token(
    campus: CampusServer, connections: Connections
) -> None:
    connect(campus, connections, "maya")
    client = connections.client("maya", "canvas")
    campus.fault(service="canvas", fault="status", method="DELETE", status=401)

    assert connections.disconnect("maya", "canvas")
    assert refreshes(campus) == 1
    with pytest.raises(ReconnectRequired):
        client.courses()


def test_disconnecting_while_canvas_is_down_is_finished_later(
    campus: CampusServer, connections: Connections, clock: FakeClock
) -> None:
    connect(campus, connections, "maya")
    client = connections.client("maya", "canvas")
    campus.fault(service="canvas", fault="status", method="DELETE", status=503)
    ended = connections.disconnect("maya", "canvas")
    clock.advance(minutes=5)

    assert not ended
    assert connections.all("maya") == {}
    assert connections.retry_revocations() == 1
    with pytest.raises(ReconnectRequired):
        client.courses()
