"""The sidebar: chats first, then the daily pages and one's classes, and the other pages behind one's name."""

from collections.abc import Callable

import pytest

from services.classes.school_class import SchoolClass
from services.files.upload import Upload
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor
from ui.page_links import OPEN

DAILY = ["Today", "This week", "Materials", "Study"]
BEHIND_THE_NAME = ["Connections", "Tools", "Activity", "Insights", "Settings"]


def links(visitor: Visitor) -> list[str]:
    return [link.proto.label for link in visitor.page.sidebar.get("page_link")]


def marked(visitor: Visitor) -> list[str]:
    """Labels of the lines that are marked, and titles of the chats."""
    tree = visitor.page.sidebar
    lines = [
        block.children[0]
        for block in _blocks(tree)
        if block.proto is not None and getattr(block.proto, "id", "").endswith(f"-{OPEN}")
    ]
    chosen = [pills.value for pills in tree.get("button_group") if pills.value]
    return [getattr(line.proto, "label", "") or line.proto.popover.label for line in lines] + chosen


def _blocks(block: object) -> list:
    children = getattr(block, "children", {}).values()
    return [each for child in children for each in (child, *_blocks(child))]


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens()
    return visitor


@pytest.fixture
def school_class(anne: Visitor) -> SchoolClass:
    """Anne's, with Maya in it and a file to read."""
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology 201")
    classroom.memberships.join(anne.room.maya, made.join_code)
    classroom.materials.add(anne.student, made.id, Upload(name="Membranes.md", content=b"# Membranes\n\nWater passes."))
    return made


def test_daily_pages_come_first_and_the_others_behind_ones_name(maya: Visitor) -> None:
    maya.opens()

    assert links(maya) == [*DAILY, *BEHIND_THE_NAME[:4], "Classroom", "Settings"]
    assert maya.page.sidebar.button[0].label == "New chat"


def test_chats_come_before_the_pages(maya: Visitor) -> None:
    maya.room.ask("What is due?")
    maya.opens()

    assert links(maya)[:2] == ["All chats", "Today"]


def test_whoever_teaches_has_classroom_among_the_daily_pages(anne: Visitor) -> None:
    assert links(anne) == [*DAILY, "Classroom", *BEHIND_THE_NAME]


def test_a_member_sees_the_class_by_its_name_and_what_it_gives_before_anything_is_connected(
    anne: Visitor, school_class: SchoolClass
) -> None:
    maya = Visitor(anne.room)
    maya.opens()

    assert links(maya)[: len(DAILY) + 1] == [*DAILY, "Biology 201"]
    assert {"**Biology 201**", "1 file to read"} <= {link.proto.label for link in maya.page.main.get("page_link")}
    assert "Connect an account first" not in maya.words


def test_one_line_is_marked_on_every_page(maya: Visitor) -> None:
    chat, _ = maya.room.ask("What is due?")
    rows = {"chat": "Today", "study": "Study", "settings": "Maya", "chats": "All chats"}
    for page, line in rows.items():
        visitor = Visitor(maya.room)
        visitor.opens(page)
        assert marked(visitor) == [line]
    maya.opens(c=chat)

    assert marked(maya) == [chat]
