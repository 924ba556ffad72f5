"""The look behind the Materials page: the page runs again for news alone."""

from pathlib import Path
from typing import Any

import pytest

from services import bootstrap
from tests.fakes import FakeDocuments
from tests.services.materials.school import BIOLOGY, LibraryRoom
from ui.materials import materials_state
from ui.materials.materials_state import MaterialsState, SourceLook


class FakeTab:
    def __init__(self, **_: Any) -> None:
        self.reruns = 0

    def rerun_when_idle(self) -> None:
        self.reruns += 1


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LibraryRoom:
    room = LibraryRoom(FakeDocuments(), tmp_path)
    monkeypatch.setattr(bootstrap, "container", lambda: room.services)
    monkeypatch.setattr(materials_state, "BrowserTab", FakeTab)
    monkeypatch.setattr(materials_state, "tab_id", lambda: "tab")
    room.library.materials(room.maya, BIOLOGY)
    return room


def drawn(school: LibraryRoom) -> MaterialsState:
    """What the page draws of the store while a look is under way."""
    known = school.library.courses(school.maya, live=False).courses
    return MaterialsState(
        courses=known, listed=school.library.materials(school.maya, BIOLOGY, live=False), is_looking=True
    )


def look_at(school: LibraryRoom, state: MaterialsState, *, is_drawn_late: bool = False) -> int:
    """How often the page runs again after a look, whose run draws this; late: after the end of the look."""
    look = SourceLook(school.maya, BIOLOGY, session_id="session")
    for act in (
        (look.run, lambda: look.note_drawn(state)) if is_drawn_late else (lambda: look.note_drawn(state), look.run)
    ):
        act()
    return int(look._tab.reruns)


@pytest.mark.parametrize("is_late", [False, True])
def test_without_news_the_page_does_not_run_again(school: LibraryRoom, is_late: bool) -> None:
    assert look_at(school, drawn(school), is_drawn_late=is_late) == 0


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("news", ["file", "course", "note", "lock"])
def test_news_are_drawn_by_one_more_run(school: LibraryRoom, news: str, is_late: bool) -> None:
    state = drawn(school)
    if news == "file":
        school.school.put(BIOLOGY, "lecture-2", b"# Two\n\nWords.\n")
    elif news == "course":
        school.school.courses["school-chem"] = "Chemistry"
    elif news == "note":
        school.school.notes = ("Files are hidden here.",)
    else:
        school.school.lock(f"{BIOLOGY}.lecture-1")

    assert look_at(school, state, is_drawn_late=is_late) == 1


def test_a_page_that_shows_nothing_yet_runs_again(school: LibraryRoom) -> None:
    waiting = MaterialsState(courses=drawn(school).courses, is_looking=True, is_waiting=True)

    assert look_at(school, waiting) == 1
