"""An answer of Notion's that is none is "unavailable" and never "there is nothing"; a write is looked up then."""

from collections.abc import Callable
from typing import Any

import pytest

from services.connections.connector import Grant
from services.errors import ServiceUnavailable
from services.integrations.notion.client import NotionClient, NotionTimeouts
from services.integrations.notion.oauth import notion_account
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, connect, grant_of, text_of
from tests.services.integrations.notion.test_failures import CALLS
from tests.spoiled_bodies import SPOILED, called_unavailable, fault_of, spoiled_bodies
from tests.tool_calls import ToolCalls

READS: tuple[Callable[[NotionClient], Any], ...] = (
    notion_account,
    lambda client: client.search("", most=10),
    lambda client: client.page("p"),
    lambda client: client.markdown("p"),
    lambda client: client.data_source("d"),
    lambda client: client.database("d"),
    lambda client: client.rows("d", most=10),
    lambda client: client.children("p"),
)


@pytest.fixture
def once(campus: CampusServer) -> ToolCalls:
    """Maya's calls without time for a second try."""
    return ToolCalls(integration=connect(campus, NotionTimeouts(request_s=0.6, call_s=0.6)), grant=grant_of(campus))


@spoiled_bodies()
def test_nothing_of_notion_is_empty_by_a_spoiled_answer(campus: CampusServer, once: ToolCalls, body: str) -> None:
    campus.fault(service="notion", path="/v1/*", **fault_of(body))

    for number, read in enumerate(READS):
        with called_unavailable(f"read {number}, {body!r}"):
            read(client_of(once))


@spoiled_bodies()
def test_no_tool_believes_a_spoiled_answer(campus: CampusServer, once: ToolCalls, body: str) -> None:
    campus.fault(service="notion", path="/v1/*", **fault_of(body))

    for name, arguments in CALLS.items():
        with called_unavailable(f"{name}, {body!r}"):
            once.run(name, arguments)


@spoiled_bodies()
def test_a_page_whose_answer_is_spoiled_is_created_once(campus: CampusServer, maya: ToolCalls, body: str) -> None:
    campus.fault(service="notion", method="POST", path="/v1/pages", fault="replace_response", body=SPOILED[body])

    result = maya.run("notion_create_page", {"title": "Osmosis", "parent": "Fall semester"}, operation_id="op")

    assert len(campus.log(service="notion", method="POST", writes=1)) == 1
    maya.undo("notion_create_page", result)


@spoiled_bodies()
def test_text_whose_answer_is_spoiled_is_added_once(
    campus: CampusServer, maya: ToolCalls, notes: dict[str, Any], body: str
) -> None:
    campus.fault(service="notion", method="PATCH", fault="replace_response", body=SPOILED[body])

    maya.run("notion_append_to_page", {"page": notes["id"], "content": "Membranes"}, operation_id="op")

    assert text_of(maya, notes["id"]).count("Membranes") == 1


@spoiled_bodies()
def test_a_sign_in_is_not_made_from_a_spoiled_answer(campus: CampusServer, maya: ToolCalls, body: str) -> None:
    campus.fault(service="notion", path="/v1/oauth/token", **fault_of(body))
    oauth = maya.integration.oauth
    assert oauth is not None

    with pytest.raises(ServiceUnavailable):
        oauth.exchange(origin=maya.grant.origin, redirect_uri="x", code="y", verifier="z")
    with pytest.raises(ServiceUnavailable):
        oauth.refresh(Grant(origin=maya.grant.origin, access_token="a", refresh_token="b"))


def test_pages_whose_place_cannot_be_looked_up_say_so(campus: CampusServer, maya: ToolCalls) -> None:
    whole = maya.run("notion_search", {"query": ""})
    campus.fault(service="notion", method="GET", path="/v1/*", fault="status", status=503, times=0)

    result = maya.run("notion_search", {"query": ""})

    assert "could not be looked up" not in whole.output
    assert "Note: where some of these stand could not be looked up just now" in result.output
    assert result.is_partial
