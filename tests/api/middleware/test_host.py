"""A browser is led to the host that sign-in knows; programs are left alone."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from api.middleware.host import CanonicalHost, KnownHost

BROWSER = {"accept": "text/html,application/xhtml+xml"}


async def _page(_request: Request) -> Response:
    return PlainTextResponse("here")


def _get(address: str, *, public_url: str = "http://localhost:8501", headers: dict[str, str] | None = None) -> str:
    """Where the browser is sent, or "here"."""
    routes = [Route("/{path:path}", _page)]
    app = Starlette(routes=routes, middleware=[Middleware(CanonicalHost, public_url=public_url)])
    answer = TestClient(app).get(address, headers=BROWSER if headers is None else headers, follow_redirects=False)
    return answer.headers.get("location", answer.text)


@pytest.mark.parametrize("host", ["127.0.0.1:8501", "[::1]:8501"])
def test_a_visit_by_number_goes_to_localhost_with_its_whole_address(host: str) -> None:
    assert _get(f"http://{host}/connections?a=%C3%A1&b=2") == "http://localhost:8501/connections?a=%C3%A1&b=2"


@pytest.mark.parametrize("path", ["/health", "/ready", "/api/tools", "/sandbox/canvas/courses/1", "/_stcore/health"])
def test_routes_answer_under_any_name(path: str) -> None:
    assert _get(f"http://127.0.0.1:8501{path}") == "here"


@pytest.mark.parametrize(
    ("address", "public_url", "headers"),
    [
        ("http://localhost:8501/", "http://localhost:8501", BROWSER),
        ("http://127.0.0.1:8501/", "http://localhost:8501", {"accept": "*/*"}),
        ("http://127.0.0.1:8501/", "https://homeroom.example.edu", BROWSER),
        ("http://10.0.0.5:8501/", "http://localhost:8501", BROWSER),
    ],
)
def test_everybody_else_stays(address: str, public_url: str, headers: dict[str, str]) -> None:
    assert _get(address, public_url=public_url, headers=headers) == "here"


def test_a_redirect_never_leaves_for_another_host() -> None:
    assert _get("http://127.0.0.1:8501//evil.test/x").startswith("http://localhost:8501/evil.test")


def _asked(host: str, path: str = "/", *, public_url: str = "https://homeroom.example.edu") -> int:
    routes = [Route("/{path:path}", _page)]
    app = Starlette(routes=routes, middleware=[Middleware(KnownHost, public_url=public_url)])
    return TestClient(app).get(path, headers={"host": host}).status_code


@pytest.mark.parametrize(
    "host",
    [
        "homeroom.example.edu",
        "HOMEROOM.example.edu:443",
        "homeroom.example.edu.",
        "localhost:8501",
        "127.0.0.1",
        "[::1]:1",
    ],
)
def test_the_public_address_and_this_machine_are_answered(host: str) -> None:
    assert _asked(host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8501",
        "homeroom.example.edu.evil.example",
        "evil.example@homeroom.example.edu",
        "homeroom.example.edu/evil.example",
        "localhost.evil.example",
        "10.0.0.5:8501",
        "[::ffff:127.0.0.1",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/", "/connections", "/api/tools", "/mcp", "/_stcore/stream", "/sandbox/log"])
def test_any_other_name_is_refused_for_every_path(host: str, path: str) -> None:
    assert _asked(host, path) == 421


@pytest.mark.parametrize("path", ["/health", "/ready", "/_stcore/health"])
def test_a_load_balancer_asks_for_health_by_number(path: str) -> None:
    assert _asked("10.0.0.5:8501", path) == 200


def test_a_refusal_names_the_setting() -> None:
    app = Starlette(middleware=[Middleware(KnownHost, public_url="https://homeroom.example.edu")])
    answer = TestClient(app).get("/", headers={"host": "evil.example"})

    assert "HOMEROOM_PUBLIC_URL" in answer.text
    assert "evil.example" not in answer.text
