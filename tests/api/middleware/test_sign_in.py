"""A sign-in that fails leads back to the welcome page, which can say so; one that works is left alone."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api.auth import SIGN_IN_COOKIE
from api.middleware.sign_in import CALLBACK, CANCELLED, FAILED, LOGIN, SignInErrors


def _client(response: Response) -> TestClient:
    async def answer(_request: Request) -> Response:
        return response

    app = Starlette(routes=[Route("/{path:path}", answer)], middleware=[Middleware(SignInErrors)])
    return TestClient(app, base_url="http://localhost:8501", follow_redirects=False)


def _home(*, identity: str | None) -> Response:
    response = RedirectResponse("/", status_code=302)
    if identity is not None:
        response.set_cookie(SIGN_IN_COOKIE, identity)
    return response


def test_a_sign_in_that_cannot_begin_is_told() -> None:
    answer = _client(PlainTextResponse("Authentication error", status_code=400)).get(LOGIN)

    assert (answer.status_code, answer.headers["location"], answer.text) == (303, FAILED, "")


@pytest.mark.parametrize(
    ("query", "way"),
    [("state=s&code=c", FAILED), ("state=s&error=access_denied", CANCELLED), ("state=s&error=x", FAILED)],
)
@pytest.mark.parametrize("identity", [None, ""])
def test_a_callback_that_signs_nobody_in_is_told(query: str, way: str, identity: str | None) -> None:
    answer = _client(_home(identity=identity)).get(f"{CALLBACK}?{query}")

    assert answer.headers["location"] == way


def test_cookies_that_are_taken_away_on_the_way_back_stay_taken_away() -> None:
    response = _home(identity=None)
    response.delete_cookie(SIGN_IN_COOKIE)

    answer = _client(response).get(f"{CALLBACK}?state=s&code=c")

    assert answer.headers["location"] == FAILED
    assert SIGN_IN_COOKIE in answer.headers["set-cookie"]


@pytest.mark.parametrize("address", [f"{CALLBACK}?state=s&code=c", CALLBACK, "/", "/connections?state=s&error=x"])
def test_what_is_well_is_left_alone(address: str) -> None:
    answer = _client(_home(identity="signed" if "code" in address else None)).get(address)

    assert (answer.status_code, answer.headers["location"]) == (302, "/")


def test_a_sign_in_that_begins_is_left_alone() -> None:
    answer = _client(RedirectResponse("https://id.example/authorize", status_code=302)).get(LOGIN)

    assert answer.headers["location"] == "https://id.example/authorize"
