"""Canvas's OAuth2 and its tokens made by hand."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest

from sandbox.campus import Campus
from sandbox.grants import Grants
from sandbox.people import PEOPLE
from sandbox.state import State
from tests.campus_server import CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, CampusServer

VERIFIER = "v" * 43
CHALLENGE = "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM"


def test_consent_leads_to_tokens_that_work(campus: CampusServer) -> None:
    grant = campus.grant("canvas", "diego")

    assert grant["user"] == {"id": 1102, "name": "Diego Ramos", "global_id": "10000000001102", "effective_locale": "en"}
    assert (grant["token_type"], grant["expires_in"]) == ("Bearer", 3600)
    assert whoami(campus, grant["access_token"]).json()["name"] == "Diego Ramos"


def test_denying_comes_back_with_the_refusal_and_the_state(campus: CampusServer) -> None:
    location = campus.press(authorize_address(campus), "maya", "Deny")

    fields = parse_qs(urlsplit(location).query)
    assert (fields["error"], fields["state"]) == (["access_denied"], ["s"])


def test_a_refresh_token_gives_a_new_access_token_and_stays_the_same(campus: CampusServer) -> None:
    grant = campus.grant("canvas")

    answer = token(campus, grant_type="refresh_token", refresh_token=grant["refresh_token"])

    assert "refresh_token" not in answer.json()
    assert answer.json()["access_token"] != grant["access_token"]
    assert whoami(campus, answer.json()["access_token"]).status_code == 200


def test_revoking_ends_the_access_token_and_its_refresh_token(campus: CampusServer) -> None:
    grant = campus.grant("canvas")
    address = f"{campus.url}/canvas/login/oauth2/token"
    headers = {"authorization": f"Bearer {grant['access_token']}"}

    revoked = campus.http.delete(address, headers=headers)

    assert revoked.status_code == 200
    assert whoami(campus, grant["access_token"]).status_code == 401
    assert campus.http.delete(address, headers=headers).status_code == 401
    refused = token(campus, grant_type="refresh_token", refresh_token=grant["refresh_token"])
    assert (refused.status_code, refused.json()["error_description"]) == (400, "refresh_token not found")


def test_a_code_works_once(campus: CampusServer) -> None:
    code = campus.consent(authorize_address(campus))

    first, second = (token(campus, grant_type="authorization_code", code=code) for _ in range(2))

    assert first.status_code == 200
    assert (second.status_code, second.json()["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize(("verifier", "status"), [(VERIFIER, 200), ("w" * 43, 400), (None, 400)])
def test_a_challenge_must_be_met(campus: CampusServer, verifier: str | None, status: int) -> None:
    address = authorize_address(campus, code_challenge=CHALLENGE, code_challenge_method="S256")
    proof = {"code_verifier": verifier} if verifier else {}

    answer = token(campus, grant_type="authorization_code", code=campus.consent(address), **proof)

    assert answer.status_code == status


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"client_id": "other"}, 401),
        ({"redirect_uri": "https://evil.example/connections"}, 400),
        ({"redirect_uri": "http://localhost:8501/oauth2callback"}, 400),
    ],
)
def test_an_unknown_client_or_address_is_never_redirected_to(
    campus: CampusServer, wrong: dict[str, str], status: int
) -> None:
    answer = campus.http.get(authorize_address(campus, **wrong))

    assert (answer.status_code, "location" in answer.headers) == (status, False)


@pytest.mark.parametrize(
    ("wrong", "status", "error"),
    [
        ({"client_secret": "guess"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"code": ""}, 400, "invalid_request"),
        ({"redirect_uri": "http://localhost:9/connections"}, 400, "invalid_grant"),
    ],
)
def test_a_wrong_exchange_is_refused(campus: CampusServer, wrong: dict[str, str], status: int, error: str) -> None:
    fields = {"grant_type": "authorization_code", "code": campus.consent(authorize_address(campus)), **wrong}

    answer = token(campus, **fields)

    assert (answer.status_code, answer.json()["error"]) == (status, error)


def test_a_token_made_by_hand_works_until_it_is_deleted(campus: CampusServer) -> None:
    pasted = campus.pasted_token("maya")
    address = f"{campus.url}/canvas/profile/settings"
    listed = campus.http.get(address).text
    grant_id = listed.partition('name="delete" value="')[2].partition('"')[0]

    before = whoami(campus, pasted)
    campus.http.post(address, data={"delete": grant_id})

    assert before.json()["name"] == "Maya Chen"
    assert pasted not in listed
    assert whoami(campus, pasted).status_code == 401


def test_tokens_end_when_their_time_is_over(tmp_path: Path) -> None:
    state = State(tmp_path / "campus.sqlite")
    today, later = (
        Grants(Campus(origin="http://x/sandbox", state=state, people=PEOPLE, shift=timedelta(days=days)), "canvas")
        for days in (0, 121)
    )
    grant = today.open(person="maya")
    pasted = today.token(grant, "access", lifetime_s=120 * 86400)
    refresh = today.token(grant, "refresh", lifetime_s=None)

    assert today.holder(pasted) == grant
    assert later.holder(pasted) is None
    assert later.holder(refresh, "refresh") == grant
    assert later.holder(refresh, "access") is None


def authorize_address(campus: CampusServer, **fields: str) -> str:
    """A correct authorization request, with some fields replaced."""
    right = {"client_id": CLIENT_ID, "redirect_uri": REDIRECT_URI, "response_type": "code", "state": "s"}
    return f"{campus.url}/canvas/login/oauth2/auth?{urlencode({**right, **fields})}"


def token(campus: CampusServer, **fields: Any) -> httpx.Response:
    """A request to the token endpoint by Homeroom, with some fields replaced."""
    right = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uri": REDIRECT_URI}
    return campus.http.post(f"{campus.url}/canvas/login/oauth2/token", data={**right, **fields})


def whoami(campus: CampusServer, access_token: str) -> httpx.Response:
    """What Canvas says to this token."""
    return campus.http.get(
        f"{campus.url}/canvas/api/v1/users/self", headers={"authorization": f"Bearer {access_token}"}
    )
