"""The HTTP door over a whole Homeroom, and two students' programs in front of it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.key_limits import RequestLimits
from api.routes import routes
from services.identity.api_keys import CreatedKey
from services.identity.students import Student
from services.runtime.clock import Clock, utc_now
from services.storage.sqlite import SqliteDocuments
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeModel, says
from tests.rooms import Room

ALL = ("read", "write", "open", "approve")
PIN = "/api/tools/execute/board_pin"


def door(services: ServiceContainer, limits: RequestLimits | None = None) -> TestClient:
    """A client of these services' routes; a crash behind them stays behind them."""
    app = Starlette(routes=routes(services, limits=limits or RequestLimits(burst=10_000, at_once=100)))
    return TestClient(app, raise_server_exceptions=False, follow_redirects=False)


class Program:
    """What a student runs: their key, and requests with it."""

    def __init__(self, client: TestClient, services: ServiceContainer, student: Student, *scopes: str) -> None:
        self.client, self.student = client, student
        self.key: CreatedKey = services.keys.create(student, label=f"{student.name}'s laptop", scopes=scopes or ALL)

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.call("GET", path, **options)

    def post(self, path: str, body: Mapping[str, Any], **options: Any) -> httpx2.Response:
        return self.call("POST", path, json=body, **options)

    def call(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **options: Any
    ) -> httpx2.Response:
        bearer = {"authorization": f"Bearer {self.key.secret}"}
        return self.client.request(method, path, headers={**bearer, **(headers or {})}, **options)

    def execute(self, tool: str, arguments: Mapping[str, Any] | None = None) -> httpx2.Response:
        return self.post(f"/api/tools/execute/{tool}", {"arguments": dict(arguments or {})})

    def ask_to_pin(self, text: str) -> str:
        """The id of the approval that a write became."""
        answer = self.execute("board_pin", {"text": text})
        assert answer.status_code == 202, answer.text
        approval_id: str = answer.json()["approval_request_id"]
        return approval_id

    def decide(self, approval_id: str, decision: str = "approve", **more: Any) -> httpx2.Response:
        return self.post(f"/api/approvals/{approval_id}", {"decision": decision, **more})


class ApiRoom:
    """Maya has connected the board, Diego has nothing; each has a program with every scope."""

    def __init__(
        self,
        data_dir: Path,
        *,
        clock: Clock = utc_now,
        limits: RequestLimits | None = None,
        model: FakeModel | None = None,
        settings: Mapping[str, str] = {},
    ) -> None:
        engine = SqliteDocuments(data_dir / "homeroom.sqlite", clock=clock)
        chosen = model or FakeModel(says("Hello."))
        self.room = Room(engine=engine, data_dir=data_dir, model=chosen, clock=clock, settings=settings)
        self.services = self.room.services
        self.board = self.room.board
        self.room.connect()
        self.client = door(self.services, limits)
        self.maya = self.program(self.room.maya)
        self.diego = self.program(self.room.sign_in("diego"))

    def program(self, student: Student, *scopes: str) -> Program:
        return Program(self.client, self.services, student, *scopes)

    def replica(self, limits: RequestLimits | None = None) -> TestClient:
        """The door of another process over the same store."""
        return door(self.room.replica().services, limits)

    def close(self) -> None:
        self.services.turns.drain(5)
        self.services.store.close()


def error_of(answer: httpx2.Response) -> str:
    """The code of an error, whose whole body must have its one shape; one for a missing consent has an address."""
    body = answer.json()
    assert set(body) == {"error"}, body
    more = {"agree_at"} if body["error"]["code"] == "consent_required" else set()
    assert set(body["error"]) == {"code", "message", *more}, body
    assert "Traceback" not in answer.text
    code: str = body["error"]["code"]
    return code
