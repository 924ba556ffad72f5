"""Who is let in to /mcp: by the checks of the other routes, never another site's page, and no session for a key."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2
import pytest

from api.body import MOST_BYTES
from api.key_limits import RequestLimits
from services.errors import StorageUnavailable
from tests.api.room import ApiRoom, Program, error_of

HOST = {"host": "localhost:8501"}
ACCEPT = {"accept": "application/json, text/event-stream"}


def message(method: str, params: Mapping[str, Any] | None = None, id: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": dict(params or {})}


def send(who: Program, method: str = "tools/list", params: Mapping[str, Any] | None = None, **headers: str) -> Any:
    given = {**HOST, **ACCEPT, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return who.post("/mcp", message(method, params), headers=given)


def test_a_request_stands_alone(api: ApiRoom) -> None:
    """No handshake first: any replica can answer any request."""
    answer = send(api.maya)

    assert answer.status_code == 200
    assert "board_read" in {tool["name"] for tool in answer.json()["result"]["tools"]}
    assert "mcp-session-id" not in answer.headers
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8501", "localhost", "localhost:80", "localhost.evil:1", ""]
)
def test_another_name_of_this_machine_gets_nothing(api: ApiRoom, host: str) -> None:
    answer = send(api.maya, host=host)

    assert (answer.status_code, error_of(answer)) == (421, "wrong_host")


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501", "LOCALHOST:8501"])
def test_the_names_of_one_machine_are_one(api: ApiRoom, host: str) -> None:
    assert send(api.maya, host=host).status_code == 200


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://localhost:6274", "https://localhost:8501", "http://localhost:8501.evil"],
)
def test_a_page_of_another_site_gets_nothing(api: ApiRoom, origin: str) -> None:
    answer = send(api.maya, origin=origin)

    assert (answer.status_code, error_of(answer)) == (403, "wrong_origin")


def test_a_page_of_ours_may_ask(api: ApiRoom) -> None:
    assert send(api.maya, origin="http://localhost:8501").status_code == 200


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "PUT"])
def test_nothing_is_answered_without_a_key(api: ApiRoom, method: str) -> None:
    answer = api.client.request(method, "/mcp", headers=HOST)

    assert (answer.status_code, error_of(answer)) == (401, "missing_key")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer hr_wrong"},
        {"authorization": "Basic bWF5YTpw"},
        {"x-api-key": "hr_wrong"},
        {"cookie": "_streamlit_user=maya"},
    ],
)
def test_nothing_else_stands_for_a_key(api: ApiRoom, headers: Mapping[str, str]) -> None:
    answer = api.client.post("/mcp", json=message("tools/list"), headers={**HOST, **ACCEPT, **headers})

    assert answer.status_code == 401


def test_both_forms_of_the_key_pass_the_same_check(api: ApiRoom) -> None:
    headers = {**HOST, **ACCEPT, "x-api-key": api.maya.key.secret}

    assert api.client.post("/mcp", json=message("tools/list"), headers=headers).status_code == 200
    api.services.keys.revoke(api.maya.student.id, api.maya.key.key.id)
    assert api.client.post("/mcp", json=message("tools/list"), headers=headers).status_code == 401


def test_a_session_id_of_another_student_changes_nothing(api: ApiRoom) -> None:
    """Sessions do not exist here, so none can be stolen; without a key an id is worth nothing."""
    stolen = "0123456789abcdef"

    diegos = send(api.diego, mcp_session_id=stolen)
    nobodys = api.client.post("/mcp", json=message("tools/list"), headers={**HOST, **ACCEPT, "mcp-session-id": stolen})

    assert "board_read" not in {tool["name"] for tool in diegos.json()["result"]["tools"]}
    assert nobodys.status_code == 401


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_there_are_no_streams_and_no_sessions_to_end(api: ApiRoom, method: str) -> None:
    answer = api.maya.call(method, "/mcp", headers={**HOST, **ACCEPT})

    assert (answer.status_code, error_of(answer)) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


def test_the_limits_are_those_of_the_other_routes(make_api: Callable[..., ApiRoom]) -> None:
    api = make_api(limits=RequestLimits(burst=3, per_second=0.001))

    statuses = [send(api.maya).status_code, api.maya.get("/api/tools").status_code, send(api.maya).status_code]

    assert statuses == [200, 200, 200]
    refused = send(api.maya)
    assert (refused.status_code, error_of(refused)) == (429, "too_many_requests")
    assert int(refused.headers["retry-after"]) > 0
    assert send(api.diego).status_code == 200


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"a": NaN}', "application/json", 400),
        (b'{"a": "\\ud800"}', "application/json", 400),
        (b"[" * 5_000, "application/json", 400),
        (b"{}", "text/plain", 415),
        (b'"' + b"x" * MOST_BYTES + b'"', "application/json", 413),
        (b"{}", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "no/such"}', "application/json", 200),
    ],
)
def test_whatever_is_sent_is_answered_in_json(api: ApiRoom, content: bytes, kind: str, status: int) -> None:
    answer = api.maya.call("POST", "/mcp", content=content, headers={**HOST, **ACCEPT, "content-type": kind})

    assert answer.status_code == status
    assert answer.json()["error"]
    assert "Traceback" not in answer.text


def test_a_store_that_is_down_is_told_calmly(api: ApiRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: object, **__: object) -> None:
        raise StorageUnavailable("The store does not answer.")

    monkeypatch.setattr(api.services.connections, "all", down)

    listed = send(api.maya).json()["error"]
    called = send(api.maya, "tools/call", {"name": "board_read", "arguments": {}}).json()["result"]

    assert listed["message"] == "The store does not answer. Nothing is lost. Try again in a moment."
    assert called["isError"] is True
    assert called["structuredContent"]["error_kind"] == "unavailable"


def test_a_mistake_of_ours_is_an_error_without_a_trace(api: ApiRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("canary")

    monkeypatch.setattr(api.services.gateway, "list_tools", broken)

    answer = send(api.maya)

    assert "canary" not in answer.text
    assert "mistake of ours (reference" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-authorization-server/mcp",
    ],
)
def test_clients_that_look_for_another_way_in_are_told_that_there_is_none(api: ApiRoom, path: str) -> None:
    answer: httpx2.Response = api.client.get(path)

    assert (answer.status_code, error_of(answer)) == (404, "not_found")


@pytest.mark.parametrize("through", ["board_read", "call_tool"])
def test_a_call_that_would_read_an_account_without_consent_is_403(api: ApiRoom, through: str) -> None:
    api.services.consents.withdraw(api.maya.student, "board")
    arguments = {} if through == "board_read" else {"name": "board_read", "arguments": {}}

    answer = send(api.maya, "tools/call", {"name": through, "arguments": arguments})
    own = send(api.maya, "tools/call", {"name": "planner_list_tasks", "arguments": {}})

    assert answer.status_code == 403
    told = {"code": "consent_required", "agree_at": "http://localhost:8501/connections"}
    assert answer.json()["error"]["data"] == told
    assert told["agree_at"] in answer.json()["error"]["message"]
    assert own.status_code == 200
