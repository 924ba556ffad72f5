"""The campus's sign-in, driven by the same Authlib client that `st.login` uses."""

import asyncio
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from authlib.integrations.starlette_client import OAuth, OAuthError
from starlette.requests import Request

from tests.campus_server import CLIENT_ID, CLIENT_SECRET, CampusServer

CALLBACK = "http://localhost:8501/oauth2callback"
VERIFIER = "v" * 43
CHALLENGE = "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM"


class SignIn:
    """One sign-in by Authlib, from the redirect to the checked claims, with the browser's session in between."""

    def __init__(self, campus: CampusServer) -> None:
        oauth = OAuth()
        oauth.register(
            name="campus",
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            server_metadata_url=f"{campus.url}/oidc/.well-known/openid-configuration",
            client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256", "trust_env": False},
        )
        self._client: Any = oauth.campus
        self._session: dict[str, Any] = {}

    def begin(self) -> str:
        """The address of the page that the browser is sent to."""
        answer = asyncio.run(self._client.authorize_redirect(self._request(""), CALLBACK))
        return str(answer.headers["location"])

    def finish(self, location: str) -> dict[str, Any]:
        """The claims, after the browser came back to `location`."""
        token = asyncio.run(self._client.authorize_access_token(self._request(urlsplit(location).query)))
        return dict(token["userinfo"])

    def _request(self, query: str) -> Request:
        scope = {"type": "http", "method": "GET", "path": "/oauth2callback", "headers": [], "session": self._session}
        return Request({**scope, "query_string": query.encode()})


def test_a_person_who_is_chosen_is_signed_in_with_code_pkce_and_nonce(campus: CampusServer) -> None:
    sign_in = SignIn(campus)
    address = sign_in.begin()

    claims = sign_in.finish(press_person(campus, address, "maya"))

    assert "code_challenge_method=S256" in address
    assert claims["iss"] == f"{campus.url}/oidc"
    assert (claims["sub"], claims["email"], claims["email_verified"]) == ("maya", "maya.chen@campus.example", True)
    assert (claims["name"], claims["zoneinfo"]) == ("Maya Chen", "America/Chicago")


def test_a_sign_in_that_another_browser_began_is_refused(campus: CampusServer) -> None:
    location = press_person(campus, SignIn(campus).begin(), "maya")

    with pytest.raises(OAuthError, match="mismatching_state"):
        SignIn(campus).finish(location)


def test_cancelling_comes_back_as_access_denied(campus: CampusServer) -> None:
    sign_in = SignIn(campus)
    location = campus.press(sign_in.begin(), "", "Cancel")

    with pytest.raises(OAuthError, match="access_denied"):
        sign_in.finish(location)


def test_userinfo_repeats_the_claims_for_the_access_token_only(campus: CampusServer) -> None:
    token = exchange(campus, code_of(campus)).json()["access_token"]
    address = f"{campus.url}/oidc/userinfo"

    claims = campus.http.get(address, headers={"authorization": f"Bearer {token}"}).json()
    refused = campus.http.get(address, headers={"authorization": "Bearer wrong"})

    assert claims["sub"] == "diego"
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"


def test_a_code_works_once(campus: CampusServer) -> None:
    code = code_of(campus)

    first, second = exchange(campus, code), exchange(campus, code)

    assert first.status_code == 200
    assert (second.status_code, second.json()["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize(
    ("wrong", "status", "error"),
    [
        ({"code_verifier": "w" * 43}, 400, "invalid_grant"),
        ({"code_verifier": None}, 400, "invalid_grant"),
        ({"redirect_uri": "http://localhost:8501/other"}, 400, "invalid_grant"),
        ({"client_secret": "guess"}, 401, "invalid_client"),
        ({"client_id": "someone"}, 401, "invalid_client"),
        ({"grant_type": "password"}, 400, "unsupported_grant_type"),
        ({"code": "guess"}, 400, "invalid_grant"),
    ],
)
def test_a_wrong_exchange_gets_no_token(campus: CampusServer, wrong: dict[str, Any], status: int, error: str) -> None:
    answer = exchange(campus, code_of(campus), **wrong)

    assert (answer.status_code, answer.json()["error"]) == (status, error)


@pytest.mark.parametrize(
    "wrong",
    [
        {"redirect_uri": "https://evil.example/oauth2callback"},
        {"redirect_uri": "http://localhost:8501/oauth2callback/.."},
        {"redirect_uri": "http://localhost:8501/oauth2callback?next=x"},
        {"redirect_uri": "http://localhost@evil.example/oauth2callback"},
        {"redirect_uri": "http://user@localhost:8501/oauth2callback"},
        {"redirect_uri": "http://localhost:x/oauth2callback"},
        {"client_id": "someone"},
    ],
)
def test_an_unknown_client_or_address_is_never_redirected_to(campus: CampusServer, wrong: dict[str, str]) -> None:
    answer = campus.http.get(authorize_address(campus, **wrong))

    assert answer.status_code == 400
    assert "location" not in answer.headers


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "email"}, "invalid_scope"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"prompt": "none"}, "login_required"),
    ],
)
def test_a_wrong_request_is_sent_back_with_its_error_and_state(
    campus: CampusServer, wrong: dict[str, str], error: str
) -> None:
    answer = campus.http.get(authorize_address(campus, **wrong))

    fields = parse_qs(urlsplit(answer.headers["location"]).query)
    assert (fields["error"], fields["state"]) == ([error], ["s"])


def test_the_signing_key_outlives_a_reset(campus: CampusServer) -> None:
    before = campus.http.get(f"{campus.url}/oidc/jwks").json()

    campus.reset()

    assert campus.http.get(f"{campus.url}/oidc/jwks").json() == before
    assert not {"d", "p", "q"} & set(before["keys"][0])


def press_person(campus: CampusServer, address: str, person: str) -> str:
    """Where the page sends the browser after the person's button."""
    fields = {**{name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}, "person": person}
    return str(campus.http.post(f"{campus.url}/oidc/authorize", data=fields).headers["location"])


def authorize_address(campus: CampusServer, **fields: str) -> str:
    """A correct authorization request, with some fields replaced."""
    right = {
        "client_id": CLIENT_ID,
        "redirect_uri": CALLBACK,
        "response_type": "code",
        "scope": "openid email profile",
        "state": "s",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return f"{campus.url}/oidc/authorize?{urlencode({**right, **fields})}"


def code_of(campus: CampusServer) -> str:
    """A fresh code for Diego."""
    location = press_person(campus, authorize_address(campus), "diego")
    return parse_qs(urlsplit(location).query)["code"][0]


def exchange(campus: CampusServer, code: str, /, **fields: str | None) -> httpx.Response:
    """A correct exchange, with some fields replaced, or left out when None."""
    right = {"client_id": CLIENT_ID, "client_secret": CLIENT_SECRET, "redirect_uri": CALLBACK}
    form: dict[str, str | None] = {
        **right,
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": VERIFIER,
        **fields,
    }
    return campus.http.post(
        f"{campus.url}/oidc/token", data={key: value for key, value in form.items() if value is not None}
    )
