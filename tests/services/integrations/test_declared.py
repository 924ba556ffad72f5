"""What every tool of ours says of itself beside what it does."""

from pathlib import Path

import pytest

from services.i18n import LANGUAGES, gettext, locale_scope
from services.integrations import catalog
from services.safety.provenance import Provenance
from services.tools.tool import Tool
from tests.rooms import demo_settings
from ui.toolbox.tool_card import LONGEST_SUMMARY


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tool, ...]:
    found = catalog.load_catalog(demo_settings(Path(tmp_path_factory.mktemp("home"))))
    return found.tools(found.integrations)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_has_a_line_for_students_in_their_language(tools: tuple[Tool, ...], language: str) -> None:
    with locale_scope(language):
        lines = {tool.name: gettext(tool.summary) for tool in tools}

    assert [name for name, line in lines.items() if not 0 < len(line) <= LONGEST_SUMMARY] == []
    assert [name for name, line in lines.items() if "student" in line or "estudiante" in line] == []
    assert language == "en" or not [tool.name for tool in tools if tool.summary == lines[tool.name]]


def test_each_says_whose_words_it_tells(tools: tuple[Tool, ...]) -> None:
    """The careful side is for tools of others; of ours only what is the student's own and written by others."""
    unsaid = [
        tool.name for tool in tools if tool.provenance_of({}).is_private and tool.provenance_of({}).is_of_strangers
    ]

    assert unsaid == ["canvas_list_discussions", "canvas_get_discussion"]


def test_no_tool_that_repeats_words_of_others_calls_them_the_students_own(tools: tuple[Tool, ...]) -> None:
    """Invitations and shared pages: whoever wrote there may have put an address for each secret (T03)."""
    others = [tool for tool in tools if tool.integration in ("google_calendar", "notion")]
    others += [tool for tool in tools if tool.category in ("calendar", "documents", "notes")]
    named = ("canvas_get_assignment", "canvas_list_todo", "canvas_list_announcements", "canvas_list_discussions")

    assert len(others) > 15
    assert [tool.name for tool in others if tool.provenance_of({}) is Provenance.PRIVATE] == []
    assert not {tool.name for tool in tools if tool.provenance_of({}) is Provenance.PRIVATE} & {*named}


def test_each_that_reads_what_strangers_wrote_says_whom_it_asks(tools: tuple[Tool, ...]) -> None:
    outside = [tool for tool in tools if tool.provenance_of({"action": "fetch"}).is_of_strangers]

    assert len(outside) > 5
    assert [tool.name for tool in outside if not (tool.service or tool.integration)] == []
