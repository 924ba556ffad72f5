"""A student whose Notion is connected to the campus."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from services.connections.connector import Grant
from services.integrations.base import Integration
from services.integrations.kit.writes import IN_FLIGHT_S, LONGEST_CALL_S
from services.integrations.notion import integration
from services.integrations.notion.client import NotionClient, NotionTimeouts
from tests.campus_server import CampusServer
from tests.tool_calls import ToolCalls


def connect(
    campus: CampusServer, limits: NotionTimeouts | None = None, secret: str = "homeroom-demo-secret"
) -> Integration:
    made = integration(
        {"CLIENT_ID": "homeroom", "CLIENT_SECRET": secret, "API_BASE_URL": f"{campus.url}/notion"},
        limits or NotionTimeouts(),
    )
    assert made is not None
    return made


def grant_of(campus: CampusServer, person: str = "maya") -> Grant:
    return Grant(origin=f"{campus.url}/notion", access_token=campus.token("notion", person))


@pytest.fixture
def notion(campus: CampusServer) -> Integration:
    return connect(campus)


@pytest.fixture
def maya(campus: CampusServer, notion: Integration) -> ToolCalls:
    """Maya's calls to Notion's tools."""
    return ToolCalls(integration=notion, grant=grant_of(campus))


@pytest.fixture
def hasty(campus: CampusServer) -> ToolCalls:
    """The same with little patience."""
    return ToolCalls(integration=connect(campus, NotionTimeouts(request_s=0.5, call_s=2.5)), grant=grant_of(campus))


@pytest.fixture
def database(maya: ToolCalls) -> dict[str, Any]:
    """One of Maya's databases, as notion_search gives it."""
    return next(found for found in search(maya) if found["kind"] == "database")


@pytest.fixture
def term(maya: ToolCalls) -> dict[str, Any]:
    """A page of Maya's that holds other pages, as notion_search gives it."""
    client = client_of(maya)
    pages = (found for found in search(maya) if found["kind"] == "page")
    return next(page for page in pages if "<page url=" in client.markdown(page["id"])["markdown"])


@pytest.fixture
def notes(maya: ToolCalls, term: dict[str, Any]) -> dict[str, Any]:
    """A page with two lines and nothing else on it."""
    page = {"parent": {"page_id": term["id"]}, "properties": {"title": {"title": [{"text": {"content": "My notes"}}]}}}
    made = client_of(maya).create(**page, markdown="First line\n- a point")
    return {"id": made["id"], "title": "My notes", "url": made["url"]}


def once_settled(calls: ToolCalls) -> ToolCalls:
    """The same student's calls when nothing that was sent until now can take effect any more."""
    return replace(calls, clock=lambda: calls.clock() + timedelta(seconds=LONGEST_CALL_S + IN_FLIGHT_S))


def search(calls: ToolCalls, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = calls.run("notion_search", {"query": query, "limit": 50}).data["results"]
    return found


def client_of(calls: ToolCalls) -> NotionClient:
    """Notion's own face: what the student does there without Homeroom."""
    client: NotionClient = calls.integration.client(calls.grant)
    return client


def text_of(calls: ToolCalls, page_id: str) -> str:
    return str(client_of(calls).markdown(page_id)["markdown"])


def writes(campus: CampusServer, method: str) -> list[dict[str, Any]]:
    return campus.log(service="notion", method=method, writes=1)
