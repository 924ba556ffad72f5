"""The real Notion client, pointed at the campus, and what its refusals say."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from notion_client import Client
from notion_client.errors import HTTPResponseError

from tests.campus_server import CampusServer


@contextmanager
def notion(campus: CampusServer, person: str = "maya", *, token: str | None = None) -> Iterator[Client]:
    """The client of a person's workspace."""
    auth = token if token is not None else campus.token("notion", person)
    client = Client(auth=auth, base_url=f"{campus.url}/notion", retry=False, log_level=100)
    try:
        yield client
    finally:
        client.close()


class Raw:
    """Plain HTTP with a person's token, for what the client library would not send."""

    def __init__(self, campus: CampusServer, token: str) -> None:
        self._base = f"{campus.url}/notion/v1"
        self._headers = {"authorization": f"Bearer {token}", "notion-version": "2025-09-03"}
        self._http = httpx.Client(trust_env=False, verify=False, limits=httpx.Limits(max_keepalive_connections=0))

    def send(self, method: str, path: str, *, leave_out: str = "", **more: Any) -> httpx.Response:
        """One request; `path` begins after /v1, `leave_out` names a header not to send."""
        headers = {name: value for name, value in self._headers.items() if name != leave_out}
        return self._http.request(method, self._base + path, headers=headers | more.pop("headers", {}), **more)


def refusal(call: Callable[..., Any], *args: Any, **more: Any) -> tuple[int, str, str]:
    """Status, code and message of the error that a client call raises."""
    with pytest.raises(HTTPResponseError) as caught:
        call(*args, **more)
    code = caught.value.code
    return caught.value.status, getattr(code, "value", code), str(caught.value)


def reason(answer: httpx.Response) -> tuple[int, str, str]:
    """Status, code and message of a raw refusal."""
    body = answer.json()
    assert (body["object"], body["status"]) == ("error", answer.status_code)
    assert body["request_id"]
    return answer.status_code, body["code"], body["message"]


def find(client: Client, title: str, kind: str = "page") -> dict[str, Any]:
    """The page or data source with exactly this title."""
    found: Any = client.search(query=title, filter={"property": "object", "value": kind})
    (match,) = [item for item in found["results"] if title_of(item) == title]
    result: dict[str, Any] = match
    return result


def title_of(item: dict[str, Any]) -> str:
    """A page's or data source's title as text."""
    if item["object"] == "data_source":
        return "".join(run["plain_text"] for run in item["title"])
    (runs,) = [value["title"] for value in item["properties"].values() if value["type"] == "title"]
    return "".join(run["plain_text"] for run in runs)


def text(words: str) -> list[dict[str, Any]]:
    """Rich text for a request."""
    return [{"type": "text", "text": {"content": words}}]
