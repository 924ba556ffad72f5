"""Streamlit's doors that Homeroom does not use stay shut, and no option of Streamlit's lets a request name its user."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_path_security_middleware import PathSecurityMiddleware

from api.auth import SIGN_IN_COOKIE, SignInCookie
from api.middleware.streamlit_guard import StreamlitGuard, require_safe_options
from services.errors import SettingsError
from services.settings import ROOT
from tests.api.sealed import SECRET, sealed

INSIDE = Middleware(StreamlitGuard, cookie=SignInCookie(SECRET), held=lambda tab: 0)


async def _streamlit(_request: Request) -> Response:
    return PlainTextResponse("numbers")


@pytest.fixture
def client() -> TestClient:
    methods = ["GET", "POST", "PUT", "DELETE"]
    routes = [Route("/{path:path}", _streamlit, methods=methods)]
    return TestClient(Starlette(routes=routes, middleware=[INSIDE]), client=("127.0.0.1", 50_000))


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/_stcore/metrics/",
        "/_stcore/metrics?families=session_state",
        "/%5Fstcore/m%65trics",
        "/chat/_stcore/metrics",
        "/_stcore//metrics",
        "/_stcore/agent",
        "/_stcore/agent/interact",
        "/_stcore/agent/openapi.json",
        "/chat/_stcore/agent/mcp",
    ],
)
def test_what_homeroom_does_not_use_is_not_there(client: TestClient, method: str, path: str) -> None:
    assert client.request(method, path).status_code == 404


@pytest.mark.parametrize("path", ["/_stcore/health", "/_stcore/host-config", "/metrics", "/_stcore/upload_file/a/b"])
def test_what_pages_need_is_there(client: TestClient, path: str) -> None:
    assert client.get(path).text == "numbers"


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/api/%00", "/api/tools/a%00b", "/api/..%2fweek", "/tools/%2e%2e/week", "/api/..%5c..%5cx"]
)
def test_a_program_is_refused_in_json_also_where_streamlit_would_refuse_the_path(method: str, path: str) -> None:
    routes = [Route("/{path:path}", _streamlit, methods=[method])]
    app = Starlette(routes=routes, middleware=[INSIDE, Middleware(PathSecurityMiddleware)])

    refused = TestClient(app).request(method, path)

    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "not_found")


def test_a_path_of_a_page_is_left_to_streamlit() -> None:
    app = Starlette(routes=[], middleware=[INSIDE, Middleware(PathSecurityMiddleware)])

    assert [TestClient(app).get(path).status_code for path in ("/static/%00", "/apis/..%2fx")] == [400, 400]


def test_a_file_is_taken_only_of_who_has_signed_in(client: TestClient) -> None:
    address = "/_stcore/upload_file/session/file"
    stranger, liar = (
        client.put(address, content=b"x", headers=sent) for sent in ({}, {"cookie": f"{SIGN_IN_COOKIE}=maya"})
    )
    student = client.put(address, content=b"x", headers={"cookie": f"{SIGN_IN_COOKIE}={sealed()}"})

    assert [(response.status_code, response.headers["connection"]) for response in (stranger, liar)] == [
        (403, "close")
    ] * 2
    assert student.text == "numbers"


def test_the_options_that_homeroom_ships_are_safe() -> None:
    require_safe_options(st.get_option)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("server.trustedUserHeaders", {"X-User": "email"}),
        ("server.enableAgentApi", True),
        ("server.enableXsrfProtection", False),
        ("server.enableCORS", False),
    ],
)
def test_an_option_that_opens_a_door_is_refused(name: str, value: object) -> None:
    with pytest.raises(SettingsError, match=name):
        require_safe_options(lambda asked: value if asked == name else st.get_option(asked))


def test_an_operator_who_lets_requests_name_their_user_is_told_and_nothing_starts(tmp_path: Path) -> None:
    variables = {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path / "data"), "PATH": os.environ["PATH"]}
    variables |= {"HOME": str(tmp_path), "STREAMLIT_SERVER_TRUSTED_USER_HEADERS": json.dumps({"X-User": "email"})}
    program = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", "0"]

    ended = subprocess.run(program, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60)

    assert (ended.returncode, "STREAMLIT_SERVER_TRUSTED_USER_HEADERS" in ended.stderr) == (2, True), ended.stderr
    assert not (tmp_path / "data").exists()
