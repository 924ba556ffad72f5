"""Who teaches a class, on the pages: requests under People, the class's setting, and a class that is frozen."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from services.classes.school_class import SchoolClass
from services.identity.students import Student
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor
from tests.pages.test_school_systems import launch_of, registered


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Instructor:
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


@pytest.fixture
def bound(anne: Instructor) -> SchoolClass:
    """A class of Anne's that belongs to a course."""
    lti, made = anne.room.services.classroom.lti, anne.room.services.classroom.classes.create(anne.student, name="Bio")
    lti.courses.decide(launch_of(registered(anne)), anne.student, made.id)
    return made


def opens_as_instructor(anne: Instructor, student: Student) -> None:
    launch = replace(launch_of(anne.room.services.classroom.lti.platforms.all()[0]), subject="8", name=student.name)
    anne.room.services.classroom.lti.courses.enter(launch, student)


@pytest.mark.parametrize(("answer", "role"), [("yes", "instructor"), ("no", "member")])
def test_a_request_is_on_the_list_of_classes_and_answered_under_people(
    anne: Instructor, bound: SchoolClass, answer: str, role: str
) -> None:
    maya = anne.room.maya
    opens_as_instructor(anne, maya)
    anne.opens("classroom")
    assert "1 asks to teach it, too" in anne.words
    anne.opens("classroom", **{"class": bound.id, "view": "people"})
    assert "**Maya** opens Homeroom as an instructor of your course." in anne.words

    anne.page.button(key=f"class-request-{answer}-{maya.id}").click().run()

    assert not anne.page.exception
    assert "opens Homeroom as an instructor" not in anne.words
    assert anne.room.services.classroom.classes.role_in(maya.id, bound.id) == role
    anne.opens("classroom")
    assert "asks to teach it" not in anne.words


def test_who_asks_reads_that_their_request_waits(anne: Instructor, bound: SchoolClass) -> None:
    maya = Visitor(anne.room)
    maya.opens("week")
    opens_as_instructor(anne, maya.student)
    maya.opens("classroom")
    assert "Its instructors are asked whether you teach it" in maya.words
    maya.opens("classroom", **{"class": bound.id, "view": "people"})

    assert "Whoever teaches this class is asked whether you teach it, too." in maya.words


def test_who_says_that_they_teach_a_course_without_a_class_finds_that_under_classroom(anne: Instructor) -> None:
    maya = Visitor(anne.room)
    maya.opens("week")
    launch = replace(launch_of(registered(anne)), is_administrator=True)
    anne.room.services.classroom.lti.courses.answer_administrator(launch, maya.student, is_teaching=True)
    maya.opens("classroom")

    assert "You have said that you teach Biology 201." in maya.words


def test_the_setting_of_the_class_is_what_was_chosen(anne: Instructor, bound: SchoolClass) -> None:
    for is_on in (False, True):
        anne.opens("classroom", **{"class": bound.id, "view": "school_system"})
        [toggle] = [each for each in anne.page.toggle if (each.key or "").startswith("class-confirms-")]
        assert toggle.value is not is_on
        toggle.set_value(is_on).run()

        assert not anne.page.exception
        [(stored, _)] = anne.room.services.classroom.classes.of_student(anne.student.id)
        assert stored.confirms_instructors is is_on


def test_a_frozen_class_says_so_and_stays_with_its_course(anne: Instructor, bound: SchoolClass) -> None:
    anne.room.services.classroom.classes.freeze(bound.id, is_frozen=True)
    maya = anne.room.maya
    opens_as_instructor(anne, maya)
    anne.opens("classroom", **{"class": bound.id, "view": "school_system"})
    assert "So the class stays as it is, without the list and without figures" in anne.words
    assert "Unlink the class from the course" not in anne.labels
    anne.opens("classroom", **{"class": bound.id, "view": "people"})
    anne.page.button(key=f"class-request-yes-{maya.id}").click().run()

    assert "you cannot let others teach it" in anne.words
    assert anne.room.services.classroom.classes.role_in(maya.id, bound.id) == "member"
