"""A service that hangs is named before the tool's own time-out; what it said earlier is given with its time (R22)."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from services import bootstrap
from services.integrations import canvas, google_calendar, notion
from services.integrations.canvas.transport import CanvasTimeouts
from services.integrations.github import client as github_client
from services.integrations.google_calendar.client import GoogleTimeouts as GoogleLimits
from services.integrations.notion.client import NotionTimeouts
from services.llm.anthropic_model import AnthropicModel
from services.tools.result import ToolResult
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.services.integrations.canvas.every_tool import CALLS as CANVAS_CALLS
from tests.services.tools.test_outage import Later

REQUEST_S, CALL_S = 1.2, 2.5
GIVEN_UP_S = 14.0
"""Below any tool's time-out, and far above what is waited for here."""
PAGE = {"page": "Lab 6: Onion root tips"}
CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "canvas": list({name: (name, arguments) for name, arguments in CANVAS_CALLS}.values()),
    "google": [
        (f"calendar_{name}", {})
        for name in ("list_events", "list_calendars", "find_free_time", "suggest_times", "find_conflicts")
    ],
    "notion": [
        ("notion_search", {"query": "lab"}),
        ("notion_list_pages", {}),
        ("notion_read_page", PAGE),
        ("notion_query_database", {"database": "Assignment tracker"}),
        ("documents_get", {"document": PAGE["page"]}),
        ("documents_summarise", {"document": PAGE["page"]}),
    ],
}
LABELS = {"canvas": "Canvas", "google": "Google Calendar", "notion": "Notion"}


@pytest.fixture
def clock() -> Later:
    return Later()


@pytest.fixture
def maya(campus: CampusServer, tmp_path: Path, clock: Later) -> Iterator[CampusRoom]:
    """Maya's Homeroom with all services, and little patience for them."""
    room = CampusRoom(campus, tmp_path, clock=clock)
    made = {
        "canvas": canvas.integration(
            room.settings.extension("canvas"),
            timeouts=CanvasTimeouts(connect_s=REQUEST_S, read_s=REQUEST_S, total_s=CALL_S),
        ),
        "google_calendar": google_calendar.integration(
            room.settings.extension("google_calendar"), GoogleLimits(request_s=REQUEST_S, call_s=CALL_S)
        ),
        "notion": notion.integration(
            room.settings.extension("notion"), NotionTimeouts(request_s=REQUEST_S, call_s=CALL_S)
        ),
    }
    hasty = {id: integration for id, integration in made.items() if integration is not None}
    room.connect(*hasty)
    room.services.store.close()
    model = AnthropicModel(api_key="demo", base_url=room.settings.anthropic_base_url, idle_s=1.0)
    room.services = bootstrap.build(room.settings, model=model, clock=clock, integrations=hasty)
    yield room
    campus.clear_faults()
    room.close()
    model.close()


def ask_all(room: CampusRoom, service: str) -> list[tuple[str, ToolResult, float]]:
    """Every tool that reads there, side by side, with the seconds that it took."""

    def ask(call: tuple[str, dict[str, Any]]) -> tuple[str, ToolResult, float]:
        began = time.monotonic()
        result = room.services.gateway.call(room.maya, *call, asked_by="Laptop")
        return call[0], result, time.monotonic() - began

    with ThreadPoolExecutor(len(CALLS[service])) as pool:
        return list(pool.map(ask, CALLS[service]))


@pytest.mark.parametrize("service", CALLS)
def test_a_service_that_hangs_is_named_in_time_by_every_tool(
    campus: CampusServer, maya: CampusRoom, service: str
) -> None:
    campus.fault(service=service, fault="hang", times=0)

    for name, result, seconds in ask_all(maya, service):
        assert (result.success, result.error_kind) == (False, "unavailable"), (name, result)
        assert LABELS[service] in (result.error or ""), (name, result.error)
        assert seconds < GIVEN_UP_S, name


@pytest.mark.parametrize("service", CALLS)
def test_while_a_service_hangs_every_tool_gives_its_older_answer_with_its_time(
    campus: CampusServer, maya: CampusRoom, clock: Later, service: str
) -> None:
    before = {
        name: maya.services.gateway.call(maya.maya, name, given, asked_by="Laptop") for name, given in CALLS[service]
    }
    assert [name for name, result in before.items() if not result.success or result.is_partial] == []
    clock.by += timedelta(minutes=2)
    campus.fault(service=service, fault="hang", times=0)

    for name, result, seconds in ask_all(maya, service):
        assert result.success, (name, result.error)
        assert result.is_partial, name
        assert "this is from" in result.output.split("\n")[1], (name, result.output[:300])
        assert LABELS[service] in result.output.split("\n")[1], name
        assert {**result.data, "notes": []} == {**before[name].data, "notes": []}, name
        assert seconds < GIVEN_UP_S, name


def test_no_client_goes_on_until_its_tools_time_is_over(maya: CampusRoom) -> None:
    """How long a call may take at most, when a last request begins right before its deadline and hangs."""
    asks, tells = NotionTimeouts(), GoogleLimits()
    longest = {
        "canvas": CanvasTimeouts().total_s,
        "calendar": tells.call_s,
        "notes": asks.call_s + asks.request_s,
        "documents": asks.call_s + asks.request_s,
        "github": github_client.CALL_S + github_client.REQUEST_S,
    }
    names = {"courses": "canvas"}
    tools = [offer.tool for offer in maya.services.gateway.list_tools(maya.maya.id)]
    outside = [tool for tool in tools if names.get(tool.category, tool.category) in longest]
    late = [tool.name for tool in outside if longest[names.get(tool.category, tool.category)] >= tool.timeout_s]

    assert len(outside) > 30
    assert late == []
