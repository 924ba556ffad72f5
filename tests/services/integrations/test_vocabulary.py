"""Every tool of ours speaks of itself in the same words."""

from pathlib import Path

import pytest

from services import settings
from services.discovery.classifier import shipped_classifier
from services.discovery.contexts import CONTEXT_NAMES, SERVER_CONTEXT, SERVER_CONTEXTS
from services.integrations import catalog
from services.tools.tool import Tool
from ui.toolbox.tool_list import ICONS


@pytest.fixture
def tools(tmp_path: Path) -> tuple[Tool, ...]:
    found = catalog.load_catalog(settings.read({"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path)}))
    return found.tools(found.integrations)


def test_a_label_tells_what_goes_on_and_a_title_what_is_to_be_done(tools: tuple[Tool, ...]) -> None:
    assert [tool.name for tool in tools if not tool.label.split()[0].endswith("ing")] == []
    assert [tool.name for tool in tools if tool.title == tool.label or tool.title.split()[0].endswith("ing")] == []


def test_every_category_has_an_icon_of_its_own(tools: tuple[Tool, ...]) -> None:
    assert {tool.category for tool in tools} == ICONS.keys()
    assert len(set(ICONS.values())) == len(ICONS)


def test_a_tool_is_tagged_with_what_messages_can_be_about_and_every_such_context_has_one(
    tools: tuple[Tool, ...],
) -> None:
    found = {*shipped_classifier().labels} - {SERVER_CONTEXT}

    assert {context for tool in tools for context in tool.contexts} == found == {*CONTEXT_NAMES} - SERVER_CONTEXTS
