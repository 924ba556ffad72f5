"""Assistants of a class as a page: an instructor makes, tries and publishes one; a student reads what holds."""

from collections.abc import Callable

import pytest

from services.classes.school_class import SchoolClass
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


@pytest.fixture
def school_class(anne: Visitor) -> SchoolClass:
    return anne.room.services.classroom.classes.create(anne.student, name="Biology 201", term="Fall 2026")


def opened(anne: Visitor, school_class: SchoolClass) -> Visitor:
    anne.opens("classroom", **{"class": school_class.id, "view": "assistants"})
    return anne


def test_an_instructor_makes_and_publishes_an_assistant(anne: Visitor, school_class: SchoolClass) -> None:
    page = opened(anne, school_class).page
    page.text_input(key="new-assistant-name").set_value("Biology tutor")
    anne.presses("Make an assistant")
    assert "Students do not have it." in anne.words

    page.text_area[0].set_value("Use canvas_get_assignment first.").run()
    anne.presses("Save and publish")

    assert "Students have exactly this." in anne.words
    (record,) = anne.room.services.classroom.assistants.of_class(anne.student, school_class.id)
    assert record.published is not None and record.published.words == "Use canvas_get_assignment first."
