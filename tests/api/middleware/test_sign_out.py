"""The welcome page tells of a sign-out from everywhere once, and only when a page of ours began it (T24)."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api.auth import SIGN_IN_COOKIE
from api.middleware.sign_in import COOKIE, NOTICE_ADDRESS, SIGN_OUT_NOTICES, SignOutNotice

OURS = {"sec-fetch-site": "same-origin"}


async def _logout(_request: Request) -> Response:
    """As Streamlit's: the identity goes, and the way leads home."""
    answer = RedirectResponse("/", status_code=302)
    answer.delete_cookie(SIGN_IN_COOKIE, path="/")
    return answer


async def _home(_request: Request) -> Response:
    return PlainTextResponse("welcome")


@pytest.fixture
def client() -> TestClient:
    app = Starlette(routes=[Route("/auth/logout", _logout), Route("/", _home)], middleware=[Middleware(SignOutNotice)])
    return TestClient(app, base_url="http://localhost:8501", follow_redirects=False)


@pytest.mark.parametrize("mark", SIGN_OUT_NOTICES)
def test_it_is_told_once(client: TestClient, mark: str) -> None:
    client.cookies.set(SIGN_IN_COOKIE, "sealed", domain="localhost.local", path="/")
    left = client.get(f"/auth/logout?{mark}", headers=OURS)
    home, told, again = client.get("/"), client.get(NOTICE_ADDRESS + SIGN_OUT_NOTICES[mark]), client.get("/")

    assert (left.status_code, left.headers["location"]) == (302, "/")
    assert (home.status_code, home.headers["location"]) == (303, NOTICE_ADDRESS + SIGN_OUT_NOTICES[mark])
    assert (told.text, again.text) == ("welcome", "welcome")


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("/auth/logout", OURS),
        ("/auth/logout?everywhere", {}),
        ("/auth/logout?everywhere", {"sec-fetch-site": "cross-site"}),
        ("/auth/logout?everywhere", {"sec-fetch-site": "none"}),
    ],
)
def test_a_strangers_link_and_an_ordinary_sign_out_tell_nothing(
    client: TestClient, address: str, headers: dict[str, str]
) -> None:
    client.get(address, headers=headers)

    assert COOKIE not in client.cookies
    assert client.get("/").status_code == 200


def test_whoever_is_signed_in_again_is_told_nothing(client: TestClient) -> None:
    client.get("/auth/logout?everywhere", headers=OURS)

    assert client.get("/", headers={"cookie": f"{COOKIE}=1; {SIGN_IN_COOKIE}=sealed"}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("address", ["/auth/logout", "/auth/logout?everywhere", "/auth/logout/", "/auth/%6cogout"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_another_sites_page_signs_nobody_out(client: TestClient, method: str, address: str, site: str) -> None:
    answer = client.request(method, address, headers={"sec-fetch-site": site, "sec-fetch-mode": "navigate"})

    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("headers", [OURS, {"sec-fetch-site": "none"}, {}])
def test_the_student_signs_out_from_a_page_by_hand_and_with_an_old_browser(
    client: TestClient, headers: dict[str, str]
) -> None:
    answer = client.get("/auth/logout", headers=headers)

    assert answer.status_code == 302
    assert SIGN_IN_COOKIE in answer.headers["set-cookie"]
