"""Classroom as a page: what a student, an instructor and a stranger find in it."""

from collections.abc import Callable

import pytest

from services.identity.students import Student
from tests.pages.conftest import Visitor

ANNE = {"name": "Anne Okafor", "email": "anne.okafor@campus.example", "email_verified": True}


class Instructor(Visitor):
    """Anne, whom the demo's settings name as an instructor."""

    @property
    def student(self) -> Student:
        (found,) = self.room.services.students.with_email(ANNE["email"])
        return found


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


def test_a_class_opens_by_its_address_for_who_is_in_it(anne: Visitor) -> None:
    made = anne.room.services.classroom.classes.create(anne.student, name="Biology 201", term="Fall 2026")
    anne.opens("classroom", **{"class": made.id})

    assert "Biology 201" in anne.words
    assert "Anne Okafor" in anne.words


def test_an_instructor_sees_the_code_and_who_is_in_the_class(anne: Visitor) -> None:
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology 201")
    classroom.memberships.join(anne.room.maya, made.join_code)
    classroom.roster.invite(anne.student, made.id, "sam.lee@campus.example")

    anne.opens("classroom", **{"class": made.id})

    assert not anne.page.exception, anne.page.exception[0].stack_trace
    assert not anne.page.error
    assert [code.value for code in anne.page.get("code")] == [f"http://localhost:8501/join/{made.join_code}"]
    assert "**Maya**" in anne.words
    assert "sam.lee" in anne.words
