"""A Homeroom on the demo campus: the real client libraries over real HTTP, and the demo model."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx

from services import bootstrap
from services.conversations.items import AssistantText, ToolLine, TurnView
from services.identity.students import Student
from services.llm.anthropic_model import AnthropicModel
from services.runtime.clock import Clock, utc_now
from services.wiring.container import ServiceContainer
from tests.campus_server import CampusServer
from tests.rooms import campus_settings

IDLE_S = 20.0
"""How long the model may be silent: longer than a busy machine lets the campus wait."""
SOON_S = 1.0
"""The same for tests of silence, which last as long."""


class CampusRoom:
    """Maya's Homeroom on the demo campus, whose model speaks as fast as it can."""

    def __init__(
        self, server: CampusServer, data_dir: Path, *, clock: Clock = utc_now, idle_s: float = IDLE_S, **more: str
    ) -> None:
        self.server, self.data_dir = server, data_dir
        server.fault(service="anthropic", fault="pace", words_per_second=5_000, times=0)
        origin = server.url.removesuffix("/sandbox")
        self.settings = read = campus_settings(data_dir, origin, **more)
        self._model = model = AnthropicModel(api_key="demo", base_url=read.anthropic_base_url, idle_s=idle_s)
        self.services: ServiceContainer = bootstrap.build(read, model=model, clock=clock)
        self.maya: Student = self.services.students.sign_in(
            issuer="campus",
            subject="maya",
            name="Maya Chen",
            email="maya.chen@campus.example",
            timezone="America/Chicago",
        )

    def close(self) -> None:
        """Let what runs end, and let go of store and sockets."""
        self.services.turns.drain(5)
        self.services.store.close()
        self._model.close()

    def connect(self, *integrations: str) -> None:
        for integration in integrations:
            address = self.services.connections.begin_oauth(self.maya.id, integration)
            state = parse_qs(urlsplit(address).query)["state"][0]
            code = self.server.consent(address, "maya")
            self.services.connections.finish_oauth(self.maya.id, state=state, code=code)

    def ask(self, text: str, conversation: str | None = None) -> tuple[str, TurnView]:
        conversation = conversation or self.services.conversations.create(self.maya.id)
        self.services.turns.start_turn(self.maya, conversation, text)
        return conversation, self.watch(conversation)

    def watch(self, conversation: str) -> TurnView:
        *_, last = self.services.turns.follow(self.maya, conversation)
        return last

    def model_requests(self) -> list[dict[str, Any]]:
        return [e for e in self.server.log(service="anthropic") if e["path"].endswith("/v1/messages")]

    def events_titled(self, title: str) -> int:
        """How many such events are in her calendar, as Google itself says."""
        token = self.server.token("google", "maya")
        address = f"{self.server.url}/google/calendar/v3/calendars/primary/events"
        answer = httpx.get(address, params={"q": title}, headers={"Authorization": f"Bearer {token}"}, trust_env=False)
        return len([event for event in answer.json()["items"] if event["summary"] == title])

    def events_written(self) -> list[dict[str, Any]]:
        return [e for e in self.server.log(service="google", writes=1) if "/events" in e["path"]]


def words(view: TurnView) -> str:
    return " ".join(item.text for item in view.items if isinstance(item, AssistantText))


def lines(view: TurnView) -> list[ToolLine]:
    return [item for item in view.items if isinstance(item, ToolLine)]
