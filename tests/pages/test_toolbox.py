"""The Tools page without a browser: every tool of the root, why it is missing, and a run of one that reads."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from services.connections.connector import Grant
from services.integrations.extensions import Extension
from services.integrations.planner.tools.question import planner_ask_student
from services.navigation import TOOLBOX_PAGE
from services.tools.gateway import ToolAvailability
from services.tools.result import FailureKind
from services.tools.tool import ExclusionKind, Obstacle
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeDocuments
from tests.rooms import Room
from ui import session, tool_names
from ui.toolbox.usage_table import FAILURE_LABELS


@pytest.fixture
def maya(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Maya's room, behind the page: `AppTest` has no sign-in of its own."""
    room = Room(engine=FakeDocuments(), data_dir=tmp_path, model=FakeModel(says("Hello.")))
    monkeypatch.setattr(session, "services", lambda: room.services)
    monkeypatch.setattr(session, "current_student", lambda: room.maya)
    yield room
    room.services.turns.drain(5)


def button(page: AppTest, label: str) -> Any:
    """The button with this label; there is one."""
    (found,) = [each for each in page.button if each.label == label]
    return found


def opened(*names: str, search: str = "", category: str = "") -> AppTest:
    """The page after a search, or with a category open, and with these tools' lines open."""
    page = AppTest.from_file(TOOLBOX_PAGE.script, default_timeout=20)
    for key in (*(f"tool-{name}" for name in names), *([f"tools-{category}-all"] if category else [])):
        page.session_state[key] = True
    page.run()
    page.text_input[0].set_value(search).run()
    assert not page.exception
    return page


def lines(page: AppTest) -> list[str]:
    return [line.label for line in page.expander]


def test_the_whole_root_is_listed_by_category_whatever_the_student_has(maya: Room) -> None:
    page = opened()

    categories = {tool.category for tool in maya.services.root_tools.tools()}
    assert len(lines(page)) == len(categories)
    assert any("Notes" in line and "0 of 2 work for you" in line for line in lines(page))
    assert f"of {len(maya.services.root_tools.tools())} tools work for you now." in page.caption[1].value


def test_a_category_opens_to_its_tools_each_with_what_it_does(maya: Room) -> None:
    page = opened(category="notes")

    (read,) = [line for line in lines(page) if "Reading the board" in line]
    assert "needs an account" in read
    assert "Read the notes on the board" in read


def test_what_needs_no_account_never_says_that_it_does(maya: Room) -> None:
    board = maya.services.integrations["board"]
    offer = replace(board, begins=lambda: Grant(origin="", access_token="none"))
    object.__setattr__(maya.services, "integrations", {**maya.services.integrations, "board": offer})

    (read,) = [line for line in lines(opened(category="notes")) if "Reading the board" in line]

    assert "not switched on" in read


@pytest.mark.parametrize("search", ["board pin", "PIN board", "pinning"])
def test_a_search_opens_what_fits_by_name_label_or_description(maya: Room, search: str) -> None:
    found = lines(opened(search=search))

    assert len(found) == 2
    assert "Notes" in found[0]
    assert "Pin a note" in found[1]


def test_a_search_that_finds_nothing_says_so(maya: Room) -> None:
    page = opened(search="zebra")

    assert "No tool fits that" in page.info[0].value
    assert lines(page) == []


def test_what_is_missing_says_why_and_the_button_begins_to_mend_it(maya: Room) -> None:
    page = opened("board_read", search="board read")

    assert "Board is not connected. Connect Board on the Connections page." in page.info[0].value
    page.button[0].click().run()
    assert page.button[0].label == "Connect Board"
    assert any("What goes where" in element.value for element in page.markdown)
    assert any("a scripted model stands in for Claude" in element.value for element in page.info)


def test_a_tool_that_reads_runs_by_the_same_door_and_is_recorded(maya: Room) -> None:
    maya.connect()
    page = opened("board_read", search="board read")

    page.text_input[-1].set_value("physics")
    button(page, "Run").click().run()

    assert maya.board.contexts
    assert any("0 notes" in element.value for element in page.markdown)
    assert [entry.tool for entry in maya.services.activity.latest_entries(maya.maya.id, 5)] == ["Reading the board"]


def test_what_is_missing_in_a_form_is_told_by_the_name_it_has_there(maya: Room) -> None:
    page = opened("research_summarise", search="research_summarise")

    button(page, "Run").click().run()

    assert [element.value for element in page.info] == ["“Web address” does not fit yet: It is missing."]


def test_what_a_tool_refuses_is_told_to_a_person_by_the_names_of_the_page(maya: Room) -> None:
    page = opened("readability_analyzer", search="readability_analyzer")

    page.text_input[-1].set_value("…")
    button(page, "Run").click().run()

    # What else the model is told, it is to mend the arguments.
    assert [element.value for element in page.info] == ["There are no words in it."]
    plain = tool_names.with_titles("Give end or end_time, not both: see planner_list_tasks.", {"end_time": "End"})
    assert plain == "Give end or “End”, not both: see “Look at your tasks”."


def test_a_tool_that_changes_something_has_no_form(maya: Room) -> None:
    maya.connect()

    reads, writes = opened("board_read", search="board read"), opened("board_pin", search="board pin")

    assert lines(writes)
    assert [any(button.label == "Run" for button in page.button) for page in (reads, writes)] == [True, False]


def _card(student, offer):
    from ui.toolbox import tool_card

    tool_card.draw_tool_card(student, offer)


def test_a_server_cannot_dress_up_its_words(maya: Room) -> None:
    hostile = "From the MCP server files. # Homeroom\n![x](https://evil.example/p.png) **Enter your password**"
    read, _ = maya.board.tools()
    tool = replace(read, name="files__read", integration=None, server="files", description=hostile)
    page = AppTest.from_function(_card, args=(maya.maya, ToolAvailability(tool=tool, reason=None)))
    page.session_state["tool-files__read"] = True

    page.run()

    (words,) = [element.value for element in page.markdown if "Homeroom" in element.value]
    assert words.startswith("\\# Homeroom")
    assert "![" not in words
    assert "**" not in words
    assert "From the MCP server" not in page.expander[0].label


def _spanish_card(student, offer):
    from services.i18n import locale_scope
    from ui.toolbox import tool_card

    with locale_scope("es"):
        tool_card.draw_tool_card(student, offer)


def test_a_card_tells_what_it_does_in_the_students_language_and_of_others_their_own_words(maya: Room) -> None:
    read, _ = maya.board.tools()
    of_a_server = replace(read, server="files", description="From the MCP server files. Read the handouts. More.")
    cards = {"Hacerte una pregunta, con algunas respuestas": planner_ask_student, "Read the handouts": of_a_server}

    for words, tool in cards.items():
        page = AppTest.from_function(_spanish_card, args=(maya.maya, ToolAvailability(tool=tool, reason=None))).run()
        assert words in page.expander[0].label


def test_students_see_no_numbers_of_use(maya: Room) -> None:
    maya.connect()
    maya.services.gateway.call(maya.maya, "board_read", {}, asked_by="Maya's laptop")

    assert not [line for line in lines(opened()) if "Use and failures" in line]


def test_operators_see_how_often_each_tool_ran_and_failed(maya: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    maya.connect()
    maya.services.gateway.call(maya.maya, "board_read", {"topic": "periwinkle"}, asked_by="Maya's laptop")
    monkeypatch.setattr(maya.services.keys, "is_operator", lambda student: student == maya.maya)
    page = AppTest.from_file(TOOLBOX_PAGE.script, default_timeout=20)
    page.session_state["tool-usage"] = True

    page.run()

    (table,) = page.table
    assert list(table.value.iloc[0]) == ["Reading the board", "1", "–", "under 0.1 s"]
    assert set(FAILURE_LABELS) == {kind.value for kind in FailureKind}
    assert not [element for element in page.caption if "periwinkle" in element.value]


def test_an_extension_that_could_not_be_loaded_has_a_line(maya: Room) -> None:
    why = Obstacle(kind=ExclusionKind.UNUSABLE, reason="Library does not work here.", next_step="Look into the log.")
    maya.services.extensions = (*maya.services.extensions, Extension(id="library", origin="a package", obstacle=why))

    page = opened()

    assert "Library does not work here. Look into the log." in page.caption[-1].value


def test_what_is_not_set_up_is_calm_for_students_and_names_the_setting_for_instructors(
    maya: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    why = Obstacle(
        kind="not_set_up", reason="Library is not set up here.", next_step="Ask.", setup="Set LIBRARY_HOURS."
    )
    maya.services.extensions = (*maya.services.extensions, Extension(id="library", origin="a package", obstacle=why))

    told = [opened().caption[-1].value]
    monkeypatch.setattr(maya.services.keys, "is_instructor", lambda student: True)
    told.append(opened().caption[-1].value)

    assert [note.partition("here. ")[2] for note in told] == ["Ask.", "Set LIBRARY\\_HOURS."]


def test_a_tool_is_switched_off_and_on_again_where_it_says_why(maya: Room) -> None:
    maya.connect()
    services = maya.services
    page = opened("board_read", category="notes", search="board_read")

    button(page, "Switch it off for me").click().run()
    student = services.students.get(maya.maya.id)
    assert student is not None
    off = services.gateway.call(student, "board_read", {}, asked_by="A program")
    told = [info.value for info in page.info]
    button(page, "Switch it on").click().run()
    after = services.students.get(maya.maya.id)

    assert not off.success
    assert any(line.startswith("This tool is switched off in Settings") for line in told)
    assert after is not None
    assert after.tools_off.tools == frozenset()
