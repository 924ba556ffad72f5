"""Presenter as a page, and what a demo's visitors find: the script opens what it says, and their class answers (I7)."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from services import bootstrap
from services.classes.school_class import SchoolClass
from services.identity.students import Student
from services.navigation import PAGE_PATHS
from services.settings import demo_mode
from tests.pages.conftest import Visitor
from tests.rooms import Room
from ui.classroom.presenter_steps import STEPS

ROBIN = {"name": "Robin Hale", "email": "robin.hale@campus.example", "email_verified": True}
TUTOR = "Cell Biology tutor"
LECTURE = "canvas-4201.file-6830151"


class Demo:
    """A demo's deployment with its class and assistant, which Robin presents; left: the addresses that were gone to."""

    def __init__(self, before: Room, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left: list[str] = []
        robin = Visitor(before, "robin", ROBIN)
        robin.opens("classroom")
        classroom = before.services.classroom
        self.made: SchoolClass = classroom.classes.create(robin_of(before), name="BIOL 201: Cell Biology")
        record = classroom.assistants.create(robin_of(before), self.made.id, TUTOR, request_id="0123456789abcdef")
        classroom.assistants.publish(robin_of(before), record.id, seen=record.draft_version)
        shown = {demo_mode.DEMO_CLASS: self.made.id, demo_mode.MATERIAL_VARIABLE: f"{LECTURE} 4"}
        self.room = before.replica(settings={"HOMEROOM_INSTRUCTORS": ROBIN["email"], **shown})
        monkeypatch.setattr(bootstrap, "container", lambda: self.room.services)
        monkeypatch.setattr("ui.classroom.presenter_steps.redirect_browser", self.left.append)

    def robin(self) -> Visitor:
        """A new tab of the presenter's."""
        return Visitor(self.room, "robin", ROBIN)

    def opened(self, step: str) -> Visitor:
        tab = self.robin()
        tab.opens("presenter", step=step)
        return tab


def robin_of(room: Room) -> Student:
    (found,) = room.services.students.with_email(ROBIN["email"])
    return found


@pytest.fixture
def demo(make_visitor: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch) -> Demo:
    return Demo(make_visitor(settings={"HOMEROOM_INSTRUCTORS": ROBIN["email"]}).room, monkeypatch)


def picked(visitor: Visitor) -> str:
    """The assistant that answers a new chat, as the page sends it along with the message."""
    return (
        str(visitor.page.session_state["new_chat_assistant"])
        if "new_chat_assistant" in visitor.page.session_state
        else ""
    )


def test_the_page_shows_how_to_join_and_eight_steps(demo: Demo) -> None:
    robin = demo.robin()
    robin.opens("presenter")

    assert not robin.page.exception
    assert not robin.page.error
    assert "**0** students have joined" in robin.words
    opened = [link.proto.url for link in robin.page.get("link_button")]
    assert [f"/presenter?step={step.id}" for step in STEPS] == [url for url in opened if "step=" in url]
    assert len(STEPS) == 8


def test_steps_of_other_pages_open_what_they_say_whatever_was_read_before(demo: Demo) -> None:
    for step in ("connect", "material", "quiz", "assistant", "figures"):
        demo.opened(step)

    assert all(urlsplit(address).path in PAGE_PATHS for address in demo.left)
    assert [(urlsplit(address).path, parse_qs(urlsplit(address).query)) for address in demo.left] == [
        ("/connections", {}),
        ("/materials", {"open": [LECTURE], "page": ["4"]}),
        ("/study", {"practise": [LECTURE]}),
        ("/classroom", {"class": [demo.made.id], "view": ["assistants"]}),
        ("/classroom", {"class": [demo.made.id], "view": ["figures"]}),
    ]


@pytest.mark.parametrize(("step", "written"), [("ask", "due this week"), ("change", "in my calendar")])
def test_steps_of_the_chat_write_a_message_for_homeroom_and_do_not_send_it(demo: Demo, step: str, written: str) -> None:
    tab = demo.opened(step)

    assert written in str(tab.page.chat_input[0].value or tab.page.session_state["kept_message"])
    assert picked(tab) == ""
    assert demo.room.services.conversations.list(robin_of(demo.room).id, None) == []


def test_nobody_else_opens_the_page(demo: Demo) -> None:
    maya = Visitor(demo.room)

    maya.opens("presenter")

    assert "Begin anew" not in maya.labels
    assert demo.made.join_code not in maya.words


def test_a_visitor_asks_the_class_s_assistant_also_with_a_new_session_until_they_choose_another(demo: Demo) -> None:
    visitor = Visitor(demo.room)
    visitor.opens("classroom", join=demo.made.join_code)
    visitor.presses("Join the class")

    assert f"You are in BIOL 201: Cell Biology now. {TUTOR} answers" in visitor.words
    (tutor,) = demo.room.services.assistants.of_classes(visitor.student.id)
    assert picked(visitor) == tutor.id
    again = Visitor(demo.room)
    again.opens()
    assert picked(again) == tutor.id
    again.asks("What is mitosis?")
    (chat,) = demo.room.services.conversations.list(visitor.student.id, None)
    assert demo.room.services.conversations.get(visitor.student.id, chat.id).assistant == tutor.id
    other = Visitor(demo.room)
    other.page.session_state["new_chat_assistant"] = "homeroom"
    other.opens()
    assert picked(other) == "homeroom"


def test_beginning_anew_asks_first(demo: Demo) -> None:
    robin = demo.robin()
    robin.opens("presenter")
    robin.presses("Begin anew")

    assert "Everything goes back" in robin.words
    assert not demo_mode.is_reset_wanted(demo.room.services.settings.data_dir)
