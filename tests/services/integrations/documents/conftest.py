"""Maya's calls to the tools of documents, which live in her Notion."""

from dataclasses import replace
from typing import Any

import pytest

from services.integrations import documents
from services.integrations.notion.client import NotionTimeouts
from tests.campus_server import CampusServer
from tests.services.integrations.notion.conftest import client_of, connect, grant_of, text_of
from tests.tool_calls import ToolCalls

DRAFT = "Dear library,\n## Claim\nThe library should open longer.\n## Evidence\n- Finals are near.\n- Rooms are full."


@pytest.fixture
def maya(campus: CampusServer) -> ToolCalls:
    integration = replace(connect(campus), tools=documents.TOOLS)
    return ToolCalls(integration=integration, grant=grant_of(campus))


@pytest.fixture
def hasty(campus: CampusServer) -> ToolCalls:
    """The same with little patience."""
    integration = replace(connect(campus, NotionTimeouts(request_s=0.5, call_s=2.5)), tools=documents.TOOLS)
    return ToolCalls(integration=integration, grant=grant_of(campus))


@pytest.fixture
def letter(maya: ToolCalls) -> dict[str, Any]:
    """A document with two parts and some words before them."""
    wish = {"title": "Open letter: draft", "content": DRAFT}
    made: dict[str, Any] = maya.run("documents_create", wish, operation_id="letter").data["page"]
    return made


def now(calls: ToolCalls, document: dict[str, Any]) -> str:
    return text_of(calls, str(document["id"]))


def write_there(calls: ToolCalls, document: dict[str, Any], text: str) -> None:
    """What the student adds in Notion itself."""
    client_of(calls).append(str(document["id"]), text)
