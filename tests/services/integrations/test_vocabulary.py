"""Every tool of ours speaks of itself in the same words."""

import ast
import re
from pathlib import Path

import pytest

from services import errors, settings
from services.discovery.classifier import shipped_classifier
from services.discovery.contexts import CONTEXT_NAMES, SERVER_CONTEXT, SERVER_CONTEXTS
from services.i18n.messages import read_catalog
from services.integrations import catalog
from services.tools.tool import Tool
from ui.toolbox.tool_list import ICONS

ROOT = Path(__file__).resolve().parents[3]
SHOWN_ERRORS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type)
    and issubclass(kind, errors.HomeroomError)
    and not issubclass(kind, errors.BadArguments | errors.ToolUnavailable)
}


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


def test_no_text_for_a_student_names_a_tool(tools: tuple[Tool, ...]) -> None:
    """What is marked for translation is for students; a tool's name is for the model."""
    names = re.compile(rf"\b(?:{'|'.join(tool.name for tool in tools if '_' in tool.name)})\b")

    assert [message.id for message in read_catalog("es") if message.id and names.search(str(message.id))] == []


def test_only_errors_of_arguments_tell_the_model_which_tool_to_call(tools: tuple[Tool, ...]) -> None:
    """The next step of any other error is shown to students as well."""
    names = re.compile(rf"\b(?:{'|'.join(tool.name for tool in tools if '_' in tool.name)})\b")
    naming = [
        (str(path.relative_to(ROOT)), ast.unparse(raised.func))
        for path in (ROOT / "services").rglob("*.py")
        for raised in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(raised, ast.Call) and ast.unparse(raised.func) in SHOWN_ERRORS
        if names.search(ast.unparse(raised))
    ]

    assert naming == []
