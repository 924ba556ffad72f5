"""A class's link leads to the page that asks before one joins, signed in or not, and tells nothing by itself."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from api.auth import SIGN_IN_COOKIE
from api.middleware.return_to import ReturnToPage
from api.routes import join_routes

CODE = "ABCD2345"
PAGE = f"/classroom?join={CODE}"


@pytest.fixture
def client() -> TestClient:
    page = Route("/{path:path}", lambda _request: PlainTextResponse("here"))
    app = Starlette(routes=[*join_routes(), page], middleware=[Middleware(ReturnToPage)])
    return TestClient(app, base_url="http://localhost:8501", follow_redirects=False)


def test_a_link_opens_the_page_that_asks(client: TestClient) -> None:
    answer = client.get(f"/join/{CODE}")

    assert (answer.status_code, answer.headers["location"]) == (303, PAGE)
    assert answer.headers["cache-control"] == "no-store"
    assert client.head(f"/join/{CODE}").status_code == 303
    assert client.post(f"/join/{CODE}").status_code == 405


@pytest.mark.parametrize("typed", ["abcd2345", "ABCD-2345", "abcd%202345", " ABCD2345"])
def test_a_code_is_read_as_people_write_it(client: TestClient, typed: str) -> None:
    assert client.get(f"/join/{typed}").headers["location"] == PAGE


@pytest.mark.parametrize(
    "odd",
    [
        "/join",
        "/join/x",
        "/join/%00",
        "/join/" + "A" * 3000,
        "/join/%0d%0aSet-Cookie:a",
    ],
)
def test_what_is_no_code_leads_to_the_field_for_one(client: TestClient, odd: str) -> None:
    answer = client.get(odd)

    assert (answer.status_code, answer.headers["location"]) == (303, "/classroom?join=-")
    assert "set-cookie" not in answer.headers


def test_who_signs_in_on_the_way_comes_back_to_the_class_once(client: TestClient) -> None:
    client.get(client.get(f"/join/{CODE}").headers["location"])
    client.get("/language/es")
    client.cookies.set(SIGN_IN_COOKIE, "sealed")

    first, second = client.get("/"), client.get("/")

    assert (first.status_code, first.headers["location"]) == (303, PAGE)
    assert second.text == "here"


def test_a_link_to_a_class_and_its_view_is_kept_through_sign_in_and_nothing_else(client: TestClient) -> None:
    client.get("/classroom?class=7f&view=materials&code=secret&state=secret")
    client.cookies.set(SIGN_IN_COOKIE, "sealed")

    assert client.get("/").headers["location"] == "/classroom?class=7f&view=materials"
