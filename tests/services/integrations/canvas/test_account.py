"""Pasted tokens over real HTTP, and what a deployment's settings offer."""

from datetime import UTC, datetime, timedelta

import pytest

from services.connections.connections import Connections
from services.connections.connector import Grant
from services.errors import (
    BadArguments,
    RequestRefused,
    ServiceError,
    ServiceUnavailable,
    SettingsError,
)
from services.integrations.base import Integration
from services.integrations.canvas import integration
from services.integrations.canvas.oauth import LONGEST_ID
from services.safety.text import plain
from tests.campus_server import CampusServer
from tests.fakes import FakeClock
from tests.services.integrations.canvas.conftest import HASTY, canvas_at


def test_a_pasted_token_connects_for_120_days_at_most(
    campus: CampusServer, canvas: Integration, connections: Connections, clock: FakeClock
) -> None:
    token = campus.token("canvas", "diego")

    connection = connections.connect_with_token("diego", "canvas", origin=canvas.origins[0], token=token)

    assert (connection.account, connection.is_refreshable) == ("Diego Ramos", False)
    assert connection.expires_at == clock() + timedelta(days=120)
    assert connections.disconnect("diego", "canvas")
    with pytest.raises(RequestRefused, match="does not know this token"):
        connections.connect_with_token("diego", "canvas", origin=canvas.origins[0], token=token)


def test_the_end_of_a_pasted_token_is_taken_from_a_canvas_that_tells_it(
    campus: CampusServer, canvas: Integration
) -> None:
    told = {"status": 200, "body": {"expires_at": "2026-12-24T00:00:00Z", "workflow_state": "active"}}
    campus.fault(service="canvas", fault="status", path="/api/v1/users/self/tokens/*", **told)

    account = canvas.identify(Grant(origin=canvas.origins[0], access_token=campus.token("canvas", "maya")))

    assert account.expires_at == datetime(2026, 12, 24, tzinfo=UTC)
    assert account.timezone == "America/Chicago"


@pytest.mark.parametrize(
    ("fault", "reaction", "words"),
    [
        ({"fault": "status", "status": 401}, RequestRefused, "does not know this token"),
        ({"fault": "status", "status": 403}, ServiceError, "does not let this account see"),
        ({"fault": "status", "status": 500}, ServiceUnavailable, "error 500"),
        ({"fault": "html"}, ServiceUnavailable, "in maintenance"),
        ({"fault": "redirect_loop"}, ServiceUnavailable, "in a circle"),
        ({"fault": "hang"}, ServiceUnavailable, "did not answer in time"),
        ({"fault": "truncate"}, ServiceUnavailable, "broke off"),
    ],
)
def test_each_failed_try_of_a_token_has_its_own_sentence_and_stores_nothing(
    campus: CampusServer,
    canvas: Integration,
    connections: Connections,
    fault: dict[str, object],
    reaction: type[ServiceError],
    words: str,
) -> None:
    token = campus.token("canvas", "maya")
    campus.fault(service="canvas", path="/api/v1/users/self/profile", times=0, **fault)

    with pytest.raises(reaction, match=words):
        connections.connect_with_token("maya", "canvas", origin=canvas.origins[0], token=token)

    assert connections.all("maya") == {}


def test_a_token_is_tried_at_the_operators_addresses_only(campus: CampusServer, connections: Connections) -> None:
    before = len(campus.log(service="canvas"))

    with pytest.raises(BadArguments, match="not a Canvas address"):
        connections.connect_with_token("maya", "canvas", origin="https://canvas.evil.example", token="canary")

    assert len(campus.log(service="canvas")) == before


def test_several_addresses_are_offered_in_order(campus: CampusServer) -> None:
    canvas = canvas_at(f"{campus.url}/canvas/, https://canvas.other.example https://canvas.other.example")

    assert canvas.origins == (f"{campus.url}/canvas", "https://canvas.other.example")


def test_without_a_key_there_are_only_tokens() -> None:
    only_tokens = integration({"BASE_URL": "https://canvas.example"}, timeouts=HASTY)

    assert only_tokens.oauth is None
    assert only_tokens.accepts_token


def test_an_address_with_a_query_is_named() -> None:
    with pytest.raises(SettingsError, match="CANVAS_BASE_URL"):
        integration({"BASE_URL": "https://canvas.example?x"}, timeouts=HASTY)


@pytest.mark.parametrize(
    "body", ['{"id": ' + "9" * 10_000 + "}", "[" * 200_000, '{"id": "'], ids=["endless number", "deep", "broken"]
)
def test_an_answer_that_no_parser_takes_is_a_refusal_in_words(
    campus: CampusServer, canvas: Integration, body: str
) -> None:
    campus.fault(service="canvas", fault="status", path="/api/v1/users/self/profile", status=200, body=body)

    with pytest.raises(ServiceUnavailable):
        canvas.identify(Grant(origin=canvas.origins[0], access_token=campus.token("canvas", "maya")))


def test_a_name_and_an_id_without_measure_are_cut(campus: CampusServer, canvas: Integration) -> None:
    profile = {"id": "9\x00" * 100_000, "name": "n\u200b" * 100_000}
    campus.fault(service="canvas", fault="status", path="/api/v1/users/self/profile", status=200, body=profile)

    account = canvas.identify(Grant(origin=canvas.origins[0], access_token=campus.token("canvas", "maya")))

    assert (len(account.id), len(account.name)) == (LONGEST_ID, 80)
    assert f"{account.id}{account.name}" == plain(f"{account.id}{account.name}")
