"""What a message needs comes from what the student has, whatever they have not connected."""

from collections.abc import Callable, Sequence

import pytest

from services.connections.connection import Health
from services.discovery.contexts import CONTEXT_NAMES, filter_by_context
from services.discovery.detector import Detector
from services.discovery.fallbacks import FALLBACKS, fallback_contexts, select_tools
from services.discovery.tool_search import rank_tools
from services.integrations import catalog
from services.tools.resolution import resolve
from services.tools.tool import Tool
from tests.mcp_tools import mcp_tool
from tests.rooms import demo_settings
from tests.services.tools.conftest import connection

DUE = ("What is due this week?", "¿Qué tengo que entregar esta semana?")
REMIND = ("Remind me to read chapter 7 by Friday", "Recuérdame leer el capítulo 7 antes del viernes")
CANVAS, SAMPLE, FEED, GOOGLE, NOTION = "canvas", "sample_course", "calendar_feed", "google_calendar", "notion"
Has = Callable[..., Sequence[Tool]]


@pytest.fixture(scope="module")
def has(tmp_path_factory: pytest.TempPathFactory) -> Has:
    """The tools of a student who has connected these."""
    found = catalog.load_catalog(demo_settings(tmp_path_factory.mktemp("stand_ins")))

    def enabled(*connected: str) -> Sequence[Tool]:
        connections = {id: connection(Health.HEALTHY, integration=id) for id in connected}
        tools = found.tools(found.integrations)
        return resolve(connections, found.integrations, tools, capabilities=found.capabilities).tools

    return enabled


def brought(tools: Sequence[Tool], message: str) -> set[str]:
    return {
        tool.name for tool in select_tools(tools, [context.name for context in Detector().detect(message, tools=tools)])
    }


def of(category: str, names: set[str], tools: Sequence[Tool]) -> set[str]:
    return {tool.name for tool in tools if tool.name in names and tool.category == category} - {"planner_ask_student"}


@pytest.mark.parametrize(
    ("connected", "due", "remind"),
    [
        ((), "planner_list_tasks", "planner_create_task"),
        ((SAMPLE,), "sample_list_assignments", "planner_create_task"),
        ((FEED,), "calendar_list_events", "planner_create_task"),
        ((SAMPLE, FEED), "calendar_list_events", "planner_create_task"),
        ((GOOGLE,), "calendar_list_events", "calendar_create_event"),
        ((SAMPLE, GOOGLE), "calendar_list_events", "calendar_create_event"),
        ((CANVAS,), "canvas_list_assignments", "planner_create_task"),
        ((CANVAS, FEED), "canvas_list_assignments", "planner_create_task"),
        ((CANVAS, GOOGLE, NOTION), "canvas_list_assignments", "calendar_create_event"),
        ((NOTION,), "planner_list_tasks", "planner_create_task"),
    ],
)
def test_what_is_due_and_a_reminder_find_a_tool_whatever_is_connected(
    has: Has, connected: tuple[str, ...], due: str, remind: str
) -> None:
    tools = has(*connected)

    assert [message for message in DUE if due not in brought(tools, message)] == []
    assert [message for message in REMIND if remind not in brought(tools, message)] == []


def test_nothing_stands_in_for_what_is_there(has: Has) -> None:
    everything = has(CANVAS, GOOGLE, NOTION)

    for name in CONTEXT_NAMES:
        assert select_tools(everything, [name]) == filter_by_context(everything, [name])
    assert of("calendar", brought(has(CANVAS, FEED), DUE[0]), everything) == set()
    alike = {tool.name for tool in filter_by_context(everything, ["calendar"])}
    assert of("planner", brought(has(GOOGLE), REMIND[0]), everything) <= alike


def test_what_can_only_be_read_is_there_beside_what_takes_changes(has: Has) -> None:
    assert fallback_contexts(has(FEED), ["calendar"]) == {"planner": "calendar"}
    assert "calendar_list_events" in brought(has(FEED), "What is on my calendar tomorrow?")


def test_public_repositories_are_found_on_the_web_without_github(has: Has) -> None:
    message = "Summarise the readme of streamlit/streamlit on GitHub"
    tools = [tool for tool in has() if tool.category != "github"]

    assert {"web_read_page", "web_search"} <= brought(tools, message)


def test_notes_and_documents_stand_in_for_each_other(has: Has) -> None:
    vault = mcp_tool("obsidian", "read_note", contexts=("notes",))
    drive = mcp_tool("drive", "read_doc", contexts=("documents",))

    assert vault in select_tools([*has(), vault], ["documents"])
    assert drive in select_tools([*has(), drive], ["notes"])
    assert fallback_contexts(has(), ["notes", "documents"]) == {}


def test_what_a_server_seems_to_be_about_keeps_nothing_away(has: Has) -> None:
    fetching = mcp_tool("fetch", "fetch", contexts=("courses", "calendar"))

    assert "calendar_list_events" in {tool.name for tool in select_tools([fetching, *has(FEED)], ["courses"])}
    assert "planner_create_task" in {tool.name for tool in select_tools([fetching, *has()], ["calendar"])}


@pytest.mark.parametrize("message", [*DUE, *REMIND])
def test_a_search_in_the_students_words_finds_what_stands_in(has: Has, message: str) -> None:
    tools = has()

    found = [tool.name for tool in rank_tools(tools, message, [context.name for context in Detector().detect(message)])]

    assert {"planner_list_tasks", "planner_create_task"} & set(found)


def test_the_table_speaks_of_contexts_that_there_are_and_of_each_once() -> None:
    assert {name for fallback in FALLBACKS for name in (fallback.context, *fallback.instead)} <= set(CONTEXT_NAMES)
    assert len({fallback.context for fallback in FALLBACKS}) == len(FALLBACKS)
    assert fallback_contexts((), CONTEXT_NAMES) == {}
    assert select_tools((), ()) == ()
