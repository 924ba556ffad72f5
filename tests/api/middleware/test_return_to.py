"""The page that was wanted before sign-in is the page after it, once, and never somebody else's."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api.auth import SIGN_IN_COOKIE
from api.middleware.return_to import COOKIE, ReturnToPage


async def _page(_request: Request) -> Response:
    return PlainTextResponse("here")


def _client() -> TestClient:
    app = Starlette(routes=[Route("/{path:path}", _page)], middleware=[Middleware(ReturnToPage)])
    return TestClient(app, base_url="http://localhost:8501", follow_redirects=False)


@pytest.mark.parametrize("wanted", ["/connections", "/settings", "/?c=abc"])
def test_after_sign_in_the_wanted_page_opens_once(wanted: str) -> None:
    client = _client()
    client.get(wanted)

    client.cookies.set(SIGN_IN_COOKIE, "sealed")
    first, second = client.get("/"), client.get("/")

    assert (first.status_code, first.headers.get("location")) == (303, wanted)
    assert second.text == "here"


def test_codes_and_states_are_never_kept() -> None:
    client = _client()

    answer = client.get("/connections?code=secret&state=secret")

    assert "secret" not in answer.headers["set-cookie"]


@pytest.mark.parametrize("wanted", ["https://evil.test/", "//evil.test", "/auth/logout", "/?c=x&confirm=1"])
def test_a_cookie_that_leads_elsewhere_leads_home(wanted: str) -> None:
    client = _client()
    client.cookies.set(SIGN_IN_COOKIE, "sealed")
    client.cookies.set(COOKIE, f'"{wanted}"')

    location = client.get("/").headers.get("location", "")

    assert location in ("", "/") or location.startswith("/?c=")


@pytest.mark.parametrize("begun_on", ["/week", "/?c=abc"])
def test_whose_session_was_ended_comes_back_to_the_page_they_sign_in_from(begun_on: str) -> None:
    client = _client()
    client.cookies.set(SIGN_IN_COOKIE, "of an ended session")

    client.get("/auth/login?provider=x", headers={"referer": f"http://localhost:8501{begun_on}"})

    assert client.get("/").headers["location"] == begun_on


@pytest.mark.parametrize("begun_on", ["https://evil.test/week", "http://localhost:8501/?signin=ended", "//", ""])
def test_a_sign_in_begun_elsewhere_changes_nothing(begun_on: str) -> None:
    answer = _client().get("/auth/login?provider=x", headers={"referer": begun_on})

    assert "set-cookie" not in answer.headers
