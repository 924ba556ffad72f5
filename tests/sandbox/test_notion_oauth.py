"""Consent, tokens and revocation of the campus's Notion, driven by notion-client."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from notion_client import Client

from tests.campus_server import CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, CampusServer
from tests.sandbox.notion_clients import Raw, notion, reason, refusal


@pytest.fixture
def nobody(campus: CampusServer) -> Iterator[Client]:
    """A client without a token."""
    with notion(campus, token="") as client:
        yield client


def address(campus: CampusServer, **change: str) -> str:
    """Where Homeroom sends the browser."""
    query = {
        "client_id": CLIENT_ID,
        "redirect_uri": REDIRECT_URI,
        "response_type": "code",
        "owner": "user",
        "state": "s1",
    }
    return f"{campus.url}/notion/v1/oauth/authorize?{urlencode(query | change)}"


def trade(client: Client, code: str, **change: Any) -> dict[str, Any]:
    """The answer of the token endpoint for a code."""
    wish = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT_URI}
    answer: Any = client.oauth.token(CLIENT_ID, CLIENT_SECRET, **{**wish, **change})
    return dict(answer)


def test_allowing_returns_a_code_and_the_state(campus: CampusServer) -> None:
    query = parse_qs(urlsplit(campus.press(address(campus), "maya", "Allow")).query)

    assert query["state"] == ["s1"]
    assert query["code"]


def test_denying_returns_access_denied_and_the_state(campus: CampusServer) -> None:
    query = parse_qs(urlsplit(campus.press(address(campus), "maya", "Deny")).query)

    assert query == {"error": ["access_denied"], "state": ["s1"]}


def test_a_code_gives_a_token_that_names_the_workspace_and_its_owner(campus: CampusServer, nobody: Client) -> None:
    answer = trade(nobody, campus.consent(address(campus), "diego"))

    assert answer["token_type"] == "bearer"
    assert answer["workspace_name"] == "Diego's notebook"
    assert answer["owner"]["user"]["person"]["email"] == "diego.ramos@campus.example"
    with notion(campus, token=answer["access_token"]) as client:
        me: Any = client.users.me()
        assert (me["type"], me["bot"]["owner"]["user"]["name"]) == ("bot", "Diego Ramos")
        assert me["id"] == answer["bot_id"]


def test_a_code_works_once_and_only_for_its_redirect_uri(campus: CampusServer, nobody: Client) -> None:
    code = campus.consent(address(campus))
    trade(nobody, code)

    assert refusal(trade, nobody, code)[0] == 400
    other = campus.consent(address(campus))
    assert refusal(trade, nobody, other, redirect_uri="http://localhost:8501/elsewhere")[0] == 400


def test_a_wrong_client_secret_is_refused(campus: CampusServer, nobody: Client) -> None:
    code = campus.consent(address(campus))

    status, _, _ = refusal(nobody.oauth.token, CLIENT_ID, "wrong", grant_type="authorization_code", code=code)

    assert status == 401


def test_a_refresh_token_is_good_once(campus: CampusServer, nobody: Client) -> None:
    first = trade(nobody, campus.consent(address(campus)))
    wish = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}

    second: Any = nobody.oauth.token(CLIENT_ID, CLIENT_SECRET, **wish)

    assert second["refresh_token"] != first["refresh_token"]
    assert refusal(nobody.oauth.token, CLIENT_ID, CLIENT_SECRET, **wish)[0] == 400
    with notion(campus, token=second["access_token"]) as client:
        assert client.users.me()


def test_a_revoked_token_is_unauthorized_and_inactive(campus: CampusServer, nobody: Client) -> None:
    token = campus.token("notion")
    before: Any = nobody.oauth.introspect(CLIENT_ID, CLIENT_SECRET, token=token)
    nobody.oauth.revoke(CLIENT_ID, CLIENT_SECRET, token=token)
    after: Any = nobody.oauth.introspect(CLIENT_ID, CLIENT_SECRET, token=token)

    assert (before["active"], after["active"]) == (True, False)
    with notion(campus, token=token) as client:
        assert refusal(client.users.me) == (401, "unauthorized", "API token is invalid.")


def test_revoking_a_person_at_the_campus_ends_the_grant(campus: CampusServer) -> None:
    token = campus.token("notion", "maya")

    campus.fault(service="notion", fault="revoke_tokens", person="maya")

    with notion(campus, token=token) as client:
        assert refusal(client.users.me)[0] == 401


@pytest.mark.parametrize(
    "change",
    [
        {"client_id": "someone-else"},
        {"redirect_uri": "https://attacker.example/connections"},
        {"response_type": "token"},
        {"owner": "workspace"},
    ],
)
def test_a_bad_authorization_request_never_leaves_notion(campus: CampusServer, change: dict[str, str]) -> None:
    answer = httpx.get(address(campus, **change))

    assert answer.status_code == 400
    assert "Homeroom cannot be connected" in answer.text


def test_a_request_without_a_version_is_refused(campus: CampusServer) -> None:
    raw = Raw(campus, campus.token("notion"))

    assert reason(raw.send("GET", "/users/me", leave_out="notion-version"))[:2] == (400, "missing_version")
    old = raw.send("GET", "/users/me", headers={"notion-version": "2022-06-28"})
    assert reason(old)[:2] == (400, "validation_error")


def test_no_secret_reaches_the_log(campus: CampusServer, nobody: Client) -> None:
    answer = trade(nobody, campus.consent(address(campus)))

    text = str(campus.log(service="notion"))
    assert answer["access_token"] not in text
    assert answer["refresh_token"] not in text
    assert CLIENT_SECRET not in text
