"""What every tool of ours says of itself beside what it does."""

from pathlib import Path

import pytest

from services.i18n import LANGUAGES, gettext, locale_scope
from services.integrations import catalog
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
