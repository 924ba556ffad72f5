"""A message gets the few tools that it needs: the product's own by example messages, all others by their own words."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bench.plans import root_tools
from bench.recorded_conversations import FIRST_QUESTIONS
from services.discovery.contexts import FoundContext
from services.discovery.detector import Detector
from services.discovery.relevance.tool_classifier import shipped_tool_classifier
from services.discovery.relevance.tool_ranker import MOST_FOLLOWING, MOST_LOADED, ToolRanker
from services.discovery.usage import LearnedContextsToolsProvider, ServerUsage
from services.runtime.clock import utc_now
from services.storage.store import Store
from services.tools.providers.local import LocalToolsProvider
from services.tools.tool import Example, Tool
from tests.fakes import FakeDocuments
from tests.mcp_tools import mcp_tool
from training.tool_examples import fingerprint


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tool, ...]:
    """Those of a student who has connected everything."""
    return tuple(tool for tool in root_tools(tmp_path_factory.mktemp("root")) if not tool.is_sample)


def needed(message: str, tools: Sequence[Tool], history: Sequence[dict[str, str]] = ()) -> set[str]:
    contexts = Detector().detect(message, history, tools=tools)
    contexts = contexts or ToolRanker().implied_contexts(message, tools)
    return {tool.name for tool in ToolRanker().needed_tools(message, history, tools, contexts)}


def about(*names: str) -> list[FoundContext]:
    return [FoundContext(name=name, confidence=0.9) for name in names]


def test_the_shipped_file_was_trained_on_what_lies_here() -> None:
    assert shipped_tool_classifier().trained_on == fingerprint(), "Run `make train`: the examples have changed."


def test_every_tool_of_the_product_has_examples(tools: tuple[Tool, ...]) -> None:
    assert {tool.name for tool in tools} <= set(shipped_tool_classifier().names)


def test_first_questions_bring_what_they_need_and_little_else(tools: tuple[Tool, ...]) -> None:
    asked = [(needed(message, tools), wanted) for message, wanted in FIRST_QUESTIONS]

    wanted_at_all = sum(len(wanted) for _, wanted in asked)
    at_once = sum(name in found for found, wanted in asked for name in wanted)
    assert at_once >= 0.95 * wanted_at_all
    assert statistics.median(len(found) for found, wanted in asked if wanted) <= 3
    assert not [found for found, wanted in asked if not wanted and found]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("Rank what I have to do by importance", "canvas_rank_priorities"),
        ("please proofread this: me and him goes home", "grammar_check"),
        ("is this paragraph easy to read? Cells divide.", "readability_analyzer"),
        ("¿está bien escrita esta frase? Haber si vienes", "grammar_check"),
    ],
)
def test_a_tool_comes_by_its_examples_where_no_context_is_found(
    message: str, tool: str, tools: tuple[Tool, ...]
) -> None:
    assert tool in needed(message, tools)


@pytest.mark.parametrize("message", ["thanks!", "tell me a joke", "what is a derivative?", "¿qué es un soneto?"])
def test_a_message_that_needs_no_tool_implies_no_context(message: str, tools: tuple[Tool, ...]) -> None:
    assert ToolRanker().implied_contexts(message, tools) == ()


def test_no_context_means_no_tools(tools: tuple[Tool, ...]) -> None:
    assert ToolRanker().needed_tools("What is due this week?", (), tools, ()) == ()
    assert ToolRanker().needed_tools("What is due this week?", (), (), about("courses")) == ()


def test_each_context_has_its_likeliest_tool(tools: tuple[Tool, ...]) -> None:
    found = needed("what's due, when am I free and where are my notes on it", tools)

    assert {"canvas_list_assignments", "calendar_find_free_time", "notion_search"} <= found


def test_a_change_brings_the_list_that_it_needs_first(tools: tuple[Tool, ...]) -> None:
    assert {"calendar_update_event", "calendar_list_events"} <= needed("push my dentist visit to Monday", tools)
    assert {"calendar_delete_event", "calendar_list_events"} <= needed("take choir off my calendar", tools)
    following = {"calendar_update_event", "calendar_list_events"}
    assert following <= needed("Move robotics club to 7pm from next week on", tools)
    assert following <= needed("Invite sam@northfield.example to the project meeting", tools)


def test_a_short_answer_gets_what_was_offered(tools: tuple[Tool, ...]) -> None:
    offer = "You have two hours on Wednesday. Shall I put a study session into your calendar?"
    history = [{"role": "user", "content": "When am I free?"}, {"role": "assistant", "content": offer}]

    found = ToolRanker().needed_tools("yes please", history, tools, about("calendar"))

    names = {tool.name for tool in found}
    assert names & {"calendar_create_event", "calendar_create_study_sessions"}
    assert len(names) <= MOST_FOLLOWING


def test_never_more_than_a_few(tools: tuple[Tool, ...]) -> None:
    everything = about("courses", "calendar", "notes", "search", "news", "github", "links", "planner", "writing")

    assert len(ToolRanker().needed_tools("what about it", (), tools, everything)) <= MOST_LOADED


TRACKER = [
    mcp_tool("tracker", "get_jira_issue", "Get one issue with its fields."),
    mcp_tool("tracker", "search", "Search with a query."),
    mcp_tool("tracker", "add_comment", "Comment on one of them."),
    mcp_tool("tracker", "transition", "Move one of them to another state."),
    mcp_tool("tracker", "list_watchers", "List who watches one of them."),
    mcp_tool("tracker", "create_attachment", "Attach a file."),
    mcp_tool("tracker", "delete_worklog", "Delete logged work."),
]


@pytest.mark.parametrize(
    ("message", "tool"),
    [
        ("Comment on PROJ-9 that it is done", "tracker__add_comment"),
        ("Who is watching PROJ-9?", "tracker__list_watchers"),
        ("show the issue PROJ-9", "tracker__get_jira_issue"),
    ],
)
def test_what_is_known_of_a_server_holds_for_all_its_tools_and_words_choose_among_them(
    message: str, tool: str, tools: tuple[Tool, ...]
) -> None:
    root = LocalToolsProvider([*tools, *TRACKER])
    known = LearnedContextsToolsProvider(root, ServerUsage(Store(FakeDocuments()), utc_now)).tools()

    assert {context for each in known if each.server for context in each.contexts} >= {"tracker", "jira"}
    assert len({each.contexts for each in known if each.server}) == 1
    found = needed(message, known)
    assert tool in found
    assert len(found) <= MOST_LOADED


def test_a_tool_that_nobody_foresaw_is_found_by_the_examples_that_it_declares(tools: tuple[Tool, ...]) -> None:
    query, lookup = (mcp_tool("shuttle", name, contexts=("shuttle",)) for name in ("query", "lookup"))
    asked = Example(description="When does the next bus leave for the stadium?", arguments={})
    known = [*tools, query, replace(lookup, examples=(asked,))]

    chances = ToolRanker().chances("next bus to the stadium", (), known, ["shuttle"])

    assert max(chances, key=lambda name: chances[name]) == lookup.name
    assert chances[lookup.name] > 3 * chances[query.name]


def test_what_the_student_has_not_got_brings_nothing_else_instead(tools: tuple[Tool, ...]) -> None:
    without_notes = [tool for tool in tools if tool.integration != "notion"]

    assert needed("find my notes about entropy", without_notes) == set()


def test_the_sample_course_is_asked_in_the_words_of_any_course(tmp_path: Path) -> None:
    root = root_tools(tmp_path)
    sample = [tool for tool in root if tool.is_sample]

    assert needed("What is due this week?", sample) == {"sample_list_assignments"}
    assert not [name for name in needed("What is due this week?", root) if name.startswith("sample_")]


def test_a_tool_without_examples_wins_by_its_words_and_never_by_default(tools: tuple[Tool, ...]) -> None:
    """Neither as another's twin by a verb alone, nor by what is asked of tools that the student has not got."""
    alarms = [
        replace(mcp_tool("alarms", name, about, contexts=("calendar", "planner")), name=f"alarms_{name}", server=None)
        for name, about in (("create", "Set an alarm bell."), ("list", "List alarm bells."), ("delete", "Delete one."))
    ]
    without_canvas = [tool for tool in tools if tool.integration != "canvas"]
    names = {tool.name for tool in alarms}

    for known in ([*tools, *alarms], [*without_canvas, *alarms]):
        assert not names & needed("am i free thursday evening for basketball?", known)
        assert not names & needed("What do I still have to hand in before the break?", known)
        assert not names & needed("what is my bio grade?", known)
        assert "alarms_create" in needed("set an alarm bell for 7", known)


def test_habits_choose_between_tools_that_fit_alike_and_find_none_that_does_not(tools: tuple[Tool, ...]) -> None:
    ranker, names = ToolRanker(), ["calendar", "planner"]
    either, other = "remind me to pack on friday at 5", "canvas_get_grades"

    plain = ranker.chances(either, (), tools, names)
    by_event = ranker.chances(either, (), tools, names, habits={"calendar_create_event": 1.0})
    by_reminder = ranker.chances(either, (), tools, names, habits={"reminders_create": 1.0})
    by_grades = ranker.needed_tools(either, (), tools, about(*names), habits={other: 1.0})

    assert by_event["calendar_create_event"] > plain["calendar_create_event"] > by_reminder["calendar_create_event"]
    assert max(by_reminder, key=lambda name: by_reminder[name]) == "reminders_create"
    assert other not in {tool.name for tool in by_grades}
