"""The Tools page without a browser: every tool of the root, why it is missing, and a run of one that reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeDocuments
from tests.rooms import Room
from ui import session

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "toolbox.py")


@pytest.fixture
def maya(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Maya's room, behind the page: `AppTest` has no sign-in of its own."""
    room = Room(engine=FakeDocuments(), data_dir=tmp_path, model=FakeModel(says("Hello.")))
    monkeypatch.setattr(session, "services", lambda: room.services)
    monkeypatch.setattr(session, "current", lambda: room.maya)
    yield room
    room.services.turns.drain(5)


def opened(*names: str, search: str = "") -> AppTest:
    """The page after a search, with these tools' lines open."""
    page = AppTest.from_file(PAGE, default_timeout=20)
    for name in names:
        page.session_state[f"tool-{name}"] = True
    page.run()
    page.text_input[0].set_value(search).run()
    assert not page.exception
    return page


def test_the_whole_root_is_listed_whatever_the_student_has(maya: Room) -> None:
    page = opened()

    lines = [line.label for line in page.expander]
    assert any("Board read" in line and "needs an account" in line for line in lines)
    assert any("Planner list tasks" in line and "needs an account" not in line for line in lines)
    assert [header.value for header in page.subheader] == ["Notes", "Planner"]


def test_a_search_leaves_what_fits_and_says_so_when_nothing_does(maya: Room) -> None:
    assert len(opened(search="board pin").expander) == 1
    assert "No tool fits that" in opened(search="zebra").info[0].value


def test_what_is_missing_says_why_and_what_to_do(maya: Room) -> None:
    page = opened("board_read", search="board read")

    assert "Board is not connected. Connect Board on the Connections page." in page.info[0].value
    assert page.button[0].label == "Go to Connections"


def test_a_tool_that_reads_runs_by_the_same_door_and_is_recorded(maya: Room) -> None:
    maya.connect()
    page = opened("board_read", search="board read")

    page.text_input[-1].set_value("physics")
    page.button[-1].click().run()

    assert maya.board.contexts
    assert any("0 notes" in one.value for one in page.markdown)
    assert [entry.tool for entry in maya.services.activity.list(maya.maya.id, 5)] == ["Reading the board"]


def test_a_tool_that_changes_something_has_no_form(maya: Room) -> None:
    maya.connect()

    page = opened("board_pin", search="board pin")

    assert not any(button.label == "Run" for button in page.button)
