"""What every tool of ours says of itself beside what it does."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from services.i18n import LANGUAGES, gettext, locale_scope
from services.integrations import catalog
from services.integrations.canvas import client
from services.safety.provenance import Provenance
from services.tools.tool import Tool
from tests.api.every_tool import a_task, arguments_for, root
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.rooms import demo_settings
from ui.toolbox.tool_card import LONGEST_SUMMARY

ROOT = Path(__file__).parents[3]
BY_OTHERS = {Provenance.OTHERS, Provenance.ASSISTANT}
BY_ANYBODY = {Provenance.STRANGERS, Provenance.PUBLIC}
REPEAT_OTHERS = {
    *("calendar_list_events", "calendar_find_free_time", "calendar_find_conflicts", "canvas_list_announcements"),
    *("canvas_list_discussions", "canvas_get_discussion", "canvas_list_todo", "notion_search", "notion_read_page"),
    *("documents_get", "planner_list_tasks"),
}
REPEAT_STRANGERS = {"web_search", "web_read_page", "rss_feed", "github_api", "link_validator", "research_summarise"}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tool, ...]:
    found = catalog.load_catalog(demo_settings(Path(tmp_path_factory.mktemp("home"))))
    return found.tools(found.integrations)


@pytest.fixture(scope="module")
def everything(running_campus: CampusServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampusRoom]:
    """Maya's Homeroom with all accounts, and the sample course beside them."""
    running_campus.reset()
    running_campus.clear_faults()
    room = CampusRoom(running_campus, tmp_path_factory.mktemp("everything"))
    room.connect(*(id for id, integration in room.services.integrations.items() if integration.oauth))
    offered = room.services.integrations
    offered["sample_course"] = replace(offered["sample_course"], gives_way_to="")  # type: ignore[index]
    room.services.connections.connect_without_account(room.maya.id, "sample_course")
    a_task()(room)
    yield room
    room.close()
    running_campus.clear_faults()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_has_a_line_for_students_in_their_language(tools: tuple[Tool, ...], language: str) -> None:
    with locale_scope(language):
        lines = {tool.name: gettext(tool.summary) for tool in tools}

    assert [name for name, line in lines.items() if not 0 < len(line) <= LONGEST_SUMMARY] == []
    assert [name for name, line in lines.items() if "student" in line or "estudiante" in line] == []
    assert language == "en" or not [tool.name for tool in tools if tool.summary == lines[tool.name]]


CLIENTS = re.compile(
    r"^\s*(?:import|from) (?:anthropic|canvasapi|github|googleapiclient|httpx2?|notion_client|requests)\b", re.M
)
NO_FIELDS = re.compile(r"(?:/oauth|/errors|/transport|google_calendar/__init__|notion/__init__|github/__init__)\.py$")
"""Sign-in, errors and sockets: no field of an answer goes from these into a result."""


def test_whoever_asks_a_service_declares_who_may_have_written_its_fields() -> None:
    """`SafeFetch` declares by itself."""
    files = [path for path in (ROOT / "services/integrations").rglob("*.py") if "/kit/" not in str(path)]
    asking = [path for path in files if CLIENTS.search(path.read_text()) and not NO_FIELDS.search(str(path))]

    assert len(asking) >= 4
    assert [path.name for path in asking if "services.safety.field_log" not in path.read_text()] == []


def test_no_field_without_an_author_reaches_a_result(everything: CampusRoom) -> None:
    """Every tool that reads, on the campus: what it gives was declared where it was read."""
    reading = [tool for tool in root().values() if not (tool.effect.needs_approval or tool.asks_student)]
    asked = [(tool.name, arguments_for(tool, everything)) for tool in reading]

    results = everything.services.gateway.call_all(everything.maya, asked, asked_by="the test")

    found = {name: result for (name, _), result in zip(asked, results, strict=True)}
    assert {name: result.error for name, result in found.items() if not result.success} == {}
    writers = {name: result.provenance.writers for name, result in found.items()}
    assert [name for name, by in writers.items() if not by or Provenance.UNDECLARED in by] == []
    assert {name for name, by in writers.items() if by & BY_OTHERS} >= REPEAT_OTHERS
    assert {name for name, by in writers.items() if by & BY_ANYBODY} >= REPEAT_STRANGERS


def test_a_field_that_is_not_declared_is_not_told(everything: CampusRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = partial(everything.services.gateway.call, everything.maya, "canvas_get_syllabus", asked_by="the test")
    declared = ask({"course": "biology"}).data["syllabus"]
    without = {name: by for name, by in client.COURSES.items() if name != "syllabus_body"}
    monkeypatch.setattr(client, "COURSES", without)

    # With another argument, so that no earlier answer is given again.
    undeclared = ask({"course": "BIOL 201"}).data["syllabus"]

    assert declared
    assert "Canvas has no syllabus text" in undeclared
