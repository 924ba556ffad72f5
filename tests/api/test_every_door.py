"""Row D5 on the doors of programs: neither /mcp nor the HTTP route runs what is excluded there, whatever is set."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.key_limits import RequestLimits
from api.routes import routes
from services.assistants.assistant import DEFAULT_ASSISTANT, Assistant
from services.connections.connection import Health
from services.identity.api_keys import ApiKey, Caller, KeyScope
from services.identity.students import Student
from services.runtime.clock import Clock, utc_now
from services.runtime.rate_limiter import RateLimiter
from services.settings import Settings
from services.storage.store import Store
from services.tools.availability import Exclusion
from services.tools.gateway import ToolGateway
from services.tools.providers.local import LocalToolsProvider
from services.tools.tool import Tool
from tests.fakes import FakeDocuments
from tests.rooms import demo_settings
from tests.services.tools.conftest import connection
from tests.services.tools.test_every_door import DISPATCHER, SIZE, assistants, changes, healths
from tests.tool_roots import MAYA, FakeAccounts, FakeAssistants, Root

KEY = ApiKey(
    id="k", student_id=MAYA.id, label="Her laptop", prefix="hr_", scopes=frozenset(KeyScope), created_at=utc_now()
)
HEADERS = {
    "host": "localhost:8501",
    "authorization": "Bearer hr_any",
    "accept": "application/json, text/event-stream",
}


class AnyKey:
    """Every key is Maya's: who may come in is another test's."""

    def authenticate(self, secret: str) -> Caller:
        return Caller(student=MAYA, key=KEY)

    def is_instructor(self, student: Student) -> bool:
        return False


class QuietStore:
    def ping(self) -> None:
        """It answers."""


class QuietTurns:
    draining = threading.Event()

    def refuse_while_draining(self) -> None:
        """It takes everything."""


class NoSchool:
    lti = SimpleNamespace(completion=None)


class QuietMetrics:
    def report(self) -> str:
        return ""


@dataclass(frozen=True)
class Services:
    """What these two doors use of a `ServiceContainer`."""

    gateway: ToolGateway
    settings: Settings
    keys: AnyKey = field(default_factory=AnyKey)
    store: QuietStore = field(default_factory=QuietStore)
    turns: QuietTurns = field(default_factory=QuietTurns)
    published_metrics: QuietMetrics = field(default_factory=QuietMetrics)
    budgets: None = None
    classroom: NoSchool = field(default_factory=NoSchool)
    students: None = None
    study: None = None
    clock: Clock = utc_now
    rate_limiter: RateLimiter = field(default_factory=lambda: RateLimiter(Store(FakeDocuments()).shared, utc_now))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return demo_settings(tmp_path_factory.mktemp("doors"))


@settings(max_examples=25)
@given(healths=healths, assistant=assistants, changes=changes)
def test_programs_run_and_see_nothing_that_is_excluded_for_them(
    demo: Settings, healths: dict[str, Health], assistant: Assistant, changes: dict[str, dict[str, object]]
) -> None:
    root, picked = Root(SIZE), replace(assistant, id=DEFAULT_ASSISTANT)
    tools = tuple(replace(tool, **changes.get(tool.name, {})) for tool in root.tools)  # type: ignore[arg-type]
    connections = {id: connection(health, integration=id) for id, health in healths.items()}
    toolboxes = root.toolboxes(FakeAccounts(connections), tools)
    door = ToolGateway(
        root=LocalToolsProvider(tools),
        toolboxes=toolboxes,
        assistants=FakeAssistants(picked),  # type: ignore[arg-type]
        dispatcher=DISPATCHER,
        approvals=root.approvals,
    )
    app = Starlette(routes=routes(Services(door, demo), limits=RequestLimits(burst=10**6, at_once=99)))  # type: ignore[arg-type]
    client = TestClient(app, raise_server_exceptions=False)
    by_default, lacking = toolboxes.resolution(connections, picked), toolboxes.resolution(connections)

    listed = {tool["name"] for tool in _rpc(client, "tools/list", {})["tools"]}
    offered = {tool["name"]: tool["reason"] for tool in client.get("/api/tools", headers=HEADERS).json()["tools"]}
    for tool in tools:
        # /mcp names the default assistant; a call that names none is bound by what the student lacks alone.
        _is_bound(root, tool, by_default.reason(tool), picked, lambda name: _by_mcp(client, name))
        _is_bound(root, tool, lacking.reason(tool), None, lambda name: _by_http(client, name))

    assert listed == by_default.names
    assert {name for name, reason in offered.items() if reason is None} == lacking.names
    assert all(reason["sentence"] and reason["next_step"] for reason in offered.values() if reason)


def _is_bound(root: Root, tool: Tool, reason: Exclusion | None, named: Assistant | None, call: Any) -> None:
    root.ran.clear()
    root.approvals.proposed.clear()

    success, words = call(tool.name)

    waits = tool.effect.needs_approval or (named is not None and tool.name in named.confirm)
    assert root.ran + root.approvals.proposed == ([] if reason else [tool.name])
    assert not (waits and root.ran)
    assert success is (reason is None)
    assert reason is None or reason.sentence in words


def _by_mcp(client: TestClient, name: str) -> tuple[bool, str]:
    answer = _ask(client, "tools/call", {"name": name, "arguments": {}})
    if "error" in answer:
        return False, answer["error"]["message"]
    result = answer["result"]
    return not result["isError"], result["content"][0]["text"]


def _by_http(client: TestClient, name: str) -> tuple[bool, str]:
    answer = client.post(f"/api/tools/execute/{name}", json={"arguments": {}}, headers=HEADERS).json()
    if isinstance(answer["error"], dict):
        return False, answer["error"]["message"]
    return answer["success"], answer["error"] or ""


def _rpc(client: TestClient, method: str, params: Mapping[str, Any]) -> Any:
    return _ask(client, method, params)["result"]


def _ask(client: TestClient, method: str, params: Mapping[str, Any]) -> Any:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return client.post("/mcp", json=message, headers=HEADERS).json()
