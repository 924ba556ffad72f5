"""What every tool of ours says of itself beside what it does."""

import re
from pathlib import Path

import pytest

from services.i18n import LANGUAGES, gettext, locale_scope
from services.integrations import catalog
from services.tools.tool import Tool
from tests.rooms import demo_settings
from ui.toolbox.tool_card import LONGEST_SUMMARY

ROOT = Path(__file__).parents[3]


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
