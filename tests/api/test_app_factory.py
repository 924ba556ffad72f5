"""The door is made of what the settings ask for: the campus stands in demo mode only."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from api.app_factory import AppArguments, create_app
from services import bootstrap
from services.settings import read
from services.tools.mcp.connection import ServerStatus
from tests.agent_fakes import WAIT_S
from tests.fakes import FakeDocuments
from tests.mcp.rooms import hostile

DEPLOYED = {
    "ANTHROPIC_API_KEY": "key",
    "OIDC_METADATA_URL": "https://id.example.edu/.well-known/openid-configuration",
    "OIDC_CLIENT_ID": "homeroom",
    "OIDC_CLIENT_SECRET": "secret",
    "HOMEROOM_PUBLIC_URL": "https://homeroom.example.edu",
    "HOMEROOM_COOKIE_SECRET": "c" * 40,
    "HOMEROOM_VAULT_KEYS": "k1:" + "A" * 43 + "=",
}


async def _index(_request: Request) -> Response:
    return PlainTextResponse("the campus")


def _campus(**_where: object) -> ASGIApp:
    return Starlette(routes=[Route("/", _index)])


def _refuses(**_where: object) -> ASGIApp:
    raise AssertionError("the campus was built")


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., AppArguments]:
    """A door for an environment, with documents in memory."""

    def opened(campus: Callable[..., ASGIApp], **environment: str) -> AppArguments:
        settings = read({"HOMEROOM_DATA_DIR": str(tmp_path), **environment})
        container = bootstrap.build(settings, engine=FakeDocuments())
        # `open_door` asks for the process's own container, which is made once and read from the real environment.
        monkeypatch.setattr(bootstrap, "container", lambda: container)
        return create_app(campus=campus, held=lambda tab: 0)

    return opened


def _client(door: AppArguments) -> TestClient:
    return TestClient(Starlette(routes=door.routes, middleware=door.middleware), base_url="http://localhost:8501")


def test_in_demo_mode_the_campus_is_reached_with_and_without_a_slash(door: Callable[..., AppArguments]) -> None:
    client = _client(door(_campus, HOMEROOM_DEMO="1"))

    answers = [client.get("/sandbox"), client.get("/sandbox/")]

    assert [answer.text for answer in answers] == ["the campus"] * 2
    assert all("content-security-policy" in answer.headers for answer in answers)


def test_a_deployment_has_no_campus(door: Callable[..., AppArguments]) -> None:
    client = _client(door(_refuses, **DEPLOYED))

    assert client.get("/sandbox/").status_code == 404
    assert client.get("/health").json() == {"status": "ok"}


def test_sign_in_comes_back_to_the_public_address(door: Callable[..., AppArguments]) -> None:
    secrets = door(_refuses, **DEPLOYED).secrets

    assert secrets["auth"]["redirect_uri"] == "https://homeroom.example.edu/oauth2callback"
    assert "c" * 40 not in repr(door(_refuses, **DEPLOYED))


def test_servers_that_nobody_knows_are_woken_with_the_app(door: Callable[..., AppArguments], tmp_path: Path) -> None:
    server = {"files": hostile(starts=str(tmp_path / "starts"))}
    opened = door(_campus, HOMEROOM_DEMO="1", HOMEROOM_MCP_SERVERS=json.dumps(server))
    mcp = bootstrap.container().mcp
    assert mcp is not None

    with TestClient(Starlette(routes=opened.routes, lifespan=opened.lifespan)):
        assert mcp.ready("files", timeout_s=WAIT_S)

    assert len((tmp_path / "starts").read_text().splitlines()) == 1
    assert mcp.servers()[0].status is ServerStatus.DOWN
