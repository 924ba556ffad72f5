"""A student's browser in front of the live routes: its cookie, its headers, and the events that it reads."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

from api.auth import SIGN_IN_COOKIE
from services.wiring.container import ServiceContainer

ISSUER = "https://id.example"


@dataclass(frozen=True)
class LiveEvent:
    id: int
    name: str
    data: Mapping[str, Any]


def events_of(body: str) -> list[LiveEvent]:
    """The events of a stream, heartbeats left out; each has exactly an id, a name and one line of data."""
    found = []
    for part in body.split("\n\n"):
        if not part or part.startswith(":"):
            continue
        id, name, data = part.split("\n")
        found.append(
            LiveEvent(
                int(id.removeprefix("id: ")), name.removeprefix("event: "), json.loads(data.removeprefix("data: "))
            )
        )
    return found


def text_of(events: Sequence[LiveEvent]) -> str:
    """The words that the events brought, as plain text, for answers of one text."""
    return "".join(event.data["text"] for event in events if event.name == "text")


class LiveBrowser:
    def __init__(self, client: TestClient, services: ServiceContainer, subject: str = "maya", session: int = 0) -> None:
        self.client = client
        self.origin = services.settings.public_url
        claims = {"origin": self.origin, "is_logged_in": True, "iss": ISSUER, "sub": subject, "iat": session}
        self.cookie = create_signed_value(services.settings.cookie_secret, SIGN_IN_COOKIE, json.dumps(claims)).decode()

    @property
    def headers(self) -> dict[str, str]:
        return {"cookie": f"{SIGN_IN_COOKIE}={self.cookie}", "origin": self.origin, "x-requested-with": "homeroom"}

    def send(self, text: str, conversation: str = "", *, key: str = "a-random-key", **more: Any) -> httpx2.Response:
        path = f"/live/{conversation}/messages" if conversation else "/live/messages"
        headers = {**self.headers, "idempotency-key": key, **more.pop("headers", {})}
        options = more or {"json": {"text": text, "assistant": "homeroom", "effort": None}}
        return self.client.post(path, headers=headers, **options)

    def follow(self, conversation: str, **headers: str) -> httpx2.Response:
        return self.client.get(f"/live/{conversation}", headers={**self.headers, **headers})

    def stop(self, conversation: str) -> httpx2.Response:
        return self.client.post(f"/live/{conversation}/stop", headers=self.headers)
