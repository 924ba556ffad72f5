"""What a student's data goes through asks its own address, whatever proxies the environment names (R58)."""

import asyncio
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from authlib.integrations.starlette_client import OAuth

from api.app_factory import sign_in_client
from services.connections.connector import Grant
from services.discovery.client_transport import HomeroomTransport
from services.errors import HomeroomError
from services.integrations.canvas.oauth import CanvasOAuth
from services.integrations.canvas.transport import CanvasTimeouts
from services.integrations.github.client import github_of
from services.integrations.google_calendar.oauth import GoogleOAuth, endpoints_at
from services.integrations.kit.http_client import shared_client
from services.integrations.search.claude import ClaudeEngine
from services.llm.anthropic_model import AnthropicModel
from services.llm.chat_model import ModelRequest
from services.runtime.clock import utc_now
from services.safety.fetch import SafeFetch
from tests.agent_fakes import ask
from tests.model_budgets import unlimited_budget
from tests.rooms import campus_settings
from tests.services.safety.fetch.raw_server import RawServer, answer

DANCE = {"redirect_uri": "http://localhost/back", "code": "c", "verifier": "v" * 43}
SPENT = Grant(origin="https://www.googleapis.com", access_token="a", refresh_token="r")
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


def _model(origin: str) -> None:
    words = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    request = ModelRequest(model="m", system=[{"type": "text", "text": "x"}], tools=[], messages=[words])
    with closing(AnthropicModel(api_key="key", base_url=origin, sleep=lambda _: None)) as model:
        ask(model, request)


def _search(origin: str) -> None:
    engine = ClaudeEngine(api_key="key", base_url=origin, model="m", on_paid=lambda *_: None, budget=unlimited_budget)
    engine.search("library", most=1, since=None)


def _google(origin: str) -> GoogleOAuth:
    return GoogleOAuth(client_id="c", client_secret="s", endpoints=endpoints_at(origin), clock=utc_now)


def _canvas(origin: str) -> None:
    oauth = CanvasOAuth(client_id="c", client_secret="s", timeouts=CanvasTimeouts(tries=1))
    oauth.exchange(origin=origin, **DANCE)


def _program(origin: str) -> None:
    with closing(HomeroomTransport(origin, "hr_key", timeout_s=5)) as homeroom:
        homeroom.get("/api/tools", {})


def _sign_in(origin: str) -> None:
    given = sign_in_client(campus_settings(Path(tempfile.gettempdir()), origin))
    client = OAuth().register("us", client_id="c", client_secret="s", client_kwargs=given["client_kwargs"],
                              server_metadata_url=f"{origin}/.well-known/openid-configuration")  # fmt: skip
    asyncio.run(client.load_server_metadata())


CLIENTS: dict[str, Callable[[str], Any]] = {
    "the model": _model,
    "Claude's search": _search,
    "the consent at Google": lambda origin: _google(origin).exchange(origin=origin, **DANCE),
    "a fresh grant of Google": lambda origin: _google(origin).refresh(SPENT),
    "Canvas": _canvas,
    "GitHub": lambda origin: github_of({"TOKEN": "t", "API_BASE_URL": origin}).repository("a", "b"),
    "Notion and Google": lambda origin: shared_client("proxies", 5.0).get(origin),
    "any page": lambda origin: SafeFetch(allow=frozenset((origin,))).get(origin),
    "a student's program": _program,
    "the sign-in": _sign_in,
}


@pytest.mark.parametrize("ask", CLIENTS.values(), ids=CLIENTS)
def test_no_proxy_and_no_password_of_the_environment_is_used(
    ask: Callable[[str], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = answer(b"{}", content_type="application/json", connection="close")
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login somebody password netrc-secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with RawServer(reply) as proxy, RawServer(reply) as origin:
        for variable in VARIABLES:
            monkeypatch.setenv(variable, proxy.origin)

        with suppress(HomeroomError):
            ask(origin.origin)

        assert (proxy.connections, len(origin.requests) >= 1) == (0, True)
        assert not any("basic c29tZWJvZHk6" in head.lower() for head in origin.requests)
