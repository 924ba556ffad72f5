"""The real Google client libraries, pointed at the campus, and checks of answers against the discovery document."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any

import httpx
import jsonschema
import pytest
from google.oauth2.credentials import Credentials
from google_auth_oauthlib.flow import Flow
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

from tests.campus_server import CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, CampusServer

EVENTS_SCOPE = "https://www.googleapis.com/auth/calendar.events"
FULL_SCOPE = "https://www.googleapis.com/auth/calendar"


def flow(campus: CampusServer, scopes: list[str], **more: Any) -> Flow:
    """An authorization flow as Homeroom runs it."""
    client = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "auth_uri": f"{campus.url}/google/o/oauth2/v2/auth",
        "token_uri": f"{campus.url}/google/token",
    }
    return Flow.from_client_config({"web": client}, scopes, redirect_uri=REDIRECT_URI, **more)


def credentials(campus: CampusServer, person: str = "maya", scopes: tuple[str, ...] = (FULL_SCOPE,)) -> Credentials:
    """What a person's consent gives, refresh token included."""
    dance = flow(campus, list(scopes))
    address, _ = dance.authorization_url(prompt="consent")
    dance.fetch_token(code=campus.consent(address, person))
    return dance.credentials


@contextmanager
def calendar(campus: CampusServer, grant: Credentials) -> Iterator[Any]:
    """The Calendar client of google-api-python-client."""
    options = {"api_endpoint": f"{campus.url}/google/calendar/v3/"}
    service = build("calendar", "v3", credentials=grant, static_discovery=True, client_options=options)
    try:
        yield service
    finally:
        service.close()


class Raw:
    """Plain HTTP with a person's token, for what the client library would refuse to send."""

    def __init__(self, campus: CampusServer, token: str) -> None:
        self.base = f"{campus.url}/google/calendar/v3"
        self.headers = {"authorization": f"Bearer {token}"}
        self._http = httpx.Client(trust_env=False, verify=False, limits=httpx.Limits(max_keepalive_connections=0))

    def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request; `path` begins after /calendar/v3."""
        return self._http.request(method, self.base + path, headers=self.headers, **more)


def refusal(call: Any) -> tuple[int, str]:
    """Status and reason of the error that a client call raises."""
    with pytest.raises(HttpError) as caught:
        call.execute()
    return caught.value.resp.status, caught.value.error_details[0]["reason"]


def reason(answer: httpx.Response) -> tuple[int, str]:
    """Status and reason of a raw refusal."""
    error = answer.json()["error"]
    assert error["code"] == answer.status_code
    assert error["message"]
    return answer.status_code, error["errors"][0]["reason"]


def check(schema: str, answer: dict[str, Any]) -> None:
    """Fail unless the answer fits the discovery document's schema, without a field that the schema does not know."""
    jsonschema.Draft7Validator({"$ref": f"#/definitions/{schema}", "definitions": _schemas()}).validate(answer)


@cache
def _schemas() -> dict[str, Any]:
    path = files("googleapiclient") / "discovery_cache" / "documents" / "calendar.v3.json"
    schemas: dict[str, Any] = _strict(json.loads(path.read_text("utf-8"))["schemas"])
    return schemas


def _strict(spec: Any) -> Any:
    if not isinstance(spec, dict):
        return spec
    kept = {key: _strict(value) for key, value in spec.items() if key not in ("id", "annotations", "default")}
    if isinstance(spec.get("id"), dict):
        kept["id"] = _strict(spec["id"])
    if isinstance(spec.get("$ref"), str):
        return {"$ref": f"#/definitions/{spec['$ref']}"}
    if spec.get("type") == "object" and "additionalProperties" not in spec:
        kept["additionalProperties"] = False
    return kept
