"""An answer of the sign-in provider that is none signs nobody in, and keeps nobody from signing out."""

import json
import re
from collections.abc import Iterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.testclient import TestClient
from streamlit.auth_util import encode_provider_token
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette.starlette_auth_routes import create_auth_routes

from api.app_factory import sign_in_client
from api.auth import SIGN_IN_COOKIE
from api.middleware.sign_in import CALLBACK, FAILED, LOGIN, LOGOUT, SignInErrors
from services.settings import read
from tests.campus_server import CampusServer
from tests.sandbox.test_oidc import press_person
from tests.spoiled_bodies import fault_of, spoiled_bodies
from tests.telling import telling

ORIGIN = "http://localhost:8501"


@pytest.fixture
def browser(campus: CampusServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A browser before Streamlit's own routes, which the app serves within this middleware."""
    settings = read(
        {
            "ANTHROPIC_API_KEY": "key",
            "OIDC_METADATA_URL": f"{campus.url}/oidc/.well-known/openid-configuration",
            "OIDC_CLIENT_ID": "homeroom",
            "OIDC_CLIENT_SECRET": "homeroom-demo-secret",
            "HOMEROOM_PUBLIC_URL": ORIGIN,
            "HOMEROOM_COOKIE_SECRET": "c" * 40,
            "HOMEROOM_VAULT_KEYS": "k1:" + "A" * 43 + "=",
        }
    )
    monkeypatch.setattr(secrets_singleton, "_secrets", {"auth": sign_in_client(settings)})
    layers = [Middleware(SessionMiddleware, secret_key="c" * 40), Middleware(SignInErrors)]
    app = Starlette(routes=create_auth_routes(""), middleware=layers)
    with TestClient(app, base_url=ORIGIN, follow_redirects=False) as client:
        yield client


def begin(browser: TestClient) -> str:
    """Where the browser is sent to choose a person."""
    return str(browser.get(f"{LOGIN}?provider={encode_provider_token('default')}").headers["location"])


def finish(campus: CampusServer, browser: TestClient, address: str) -> httpx.Response:
    return browser.get(CALLBACK, params=httpx.URL(press_person(campus, address, "maya")).params)


def test_a_sound_provider_signs_in(campus: CampusServer, browser: TestClient) -> None:
    answer = finish(campus, browser, begin(browser))

    assert answer.headers["location"] == "/"
    assert browser.cookies.get(SIGN_IN_COOKIE)


@spoiled_bodies(tells=("null",))
def test_a_spoiled_configuration_begins_no_sign_in(campus: CampusServer, browser: TestClient, body: str) -> None:
    campus.fault(service="oidc", path="/.well-known/openid-configuration", **fault_of(body))

    assert begin(browser) == FAILED


@spoiled_bodies(tells=("empty object",))
@pytest.mark.parametrize("path", ["/token", "/jwks"])
def test_a_spoiled_answer_to_the_code_signs_nobody_in(
    campus: CampusServer, browser: TestClient, path: str, body: str
) -> None:
    address = begin(browser)
    campus.fault(service="oidc", path=path, **fault_of(body))

    answer = finish(campus, browser, address)

    assert answer.headers["location"] == FAILED
    assert not browser.cookies.get(SIGN_IN_COOKIE)


UNSIGNED = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtYXlhIn0."
TOKENS = (None, 0, [], {}, "", "null", "x", "a.b.c", UNSIGNED)


@pytest.mark.parametrize("id_token", telling(TOKENS, lambda token: token == UNSIGNED))
def test_a_token_that_names_nobody_signs_nobody_in(campus: CampusServer, browser: TestClient, id_token: object) -> None:
    address = begin(browser)
    body = json.dumps({"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": id_token})
    headers = {"content-type": "application/json"}
    campus.fault(service="oidc", path="/token", fault="status", status=200, body=body, headers=headers, times=0)

    answer = finish(campus, browser, address)

    assert answer.headers["location"] == FAILED
    assert not browser.cookies.get(SIGN_IN_COOKIE)


@pytest.mark.soak
@spoiled_bodies()
def test_signing_out_works_without_the_provider(campus: CampusServer, browser: TestClient, body: str) -> None:
    finish(campus, browser, begin(browser))
    campus.fault(service="oidc", path="/.well-known/openid-configuration", **fault_of(body))

    answer = browser.get(LOGOUT)

    assert re.fullmatch(r"/|http://127\.0\.0\.1:\d+/.*", answer.headers["location"])
    assert not browser.cookies.get(SIGN_IN_COOKIE)
