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


def test_a_link_shows_the_class_and_what_is_seen_and_joins_at_a_click(anne: Visitor) -> None:
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology *201*", term="Fall 2026")
    maya = Visitor(anne.room)

    maya.opens("classroom", join=made.join_code)

    assert "Join Biology" in maya.words
    assert "Taught by **Anne Okafor**" in maya.words
    assert "What they never see" in maya.words
    assert classroom.classes.of_student(maya.student.id) == []
    maya.presses("Join the class")
    assert classroom.classes.role_in(maya.student.id, made.id) == "member"
    assert "class" in maya.page.query_params
    assert "How students join" not in maya.words
    maya.page.query_params.clear()
    maya.opens("classroom", join=made.join_code)
    assert "You are in this class already." in maya.words


@pytest.mark.parametrize("code", ["ABCD2345", "-", "<b>x</b>", "x" * 400])
def test_a_code_that_does_not_work_says_so_calmly_and_offers_the_field(maya: Visitor, code: str) -> None:
    maya.opens("classroom", join=code)

    assert "This code does not work, or not any more." in maya.words
    assert maya.page.text_input[0].label == "Join code"


def test_a_code_that_does_not_work_leads_back_to_ones_classes(maya: Visitor) -> None:
    maya.opens("classroom", join="ABCD2345")
    maya.presses("Back to Classroom")

    assert "You are in no class yet" in maya.words
    assert "join" not in maya.page.query_params


def test_looking_again_is_no_further_try(maya: Visitor) -> None:
    maya.opens("classroom", join="ABCD2345")
    for _ in range(30):
        maya.page.run()

    assert "You have tried many codes." not in maya.words


def test_a_student_without_a_class_finds_the_field_and_no_way_to_make_one(maya: Visitor) -> None:
    maya.opens("classroom")

    assert "You are in no class yet" in maya.words
    assert "Make a class" not in maya.labels


def test_a_class_of_others_is_as_none(anne: Visitor) -> None:
    made = anne.room.services.classroom.classes.create(anne.student, name="Biology 201")
    maya = Visitor(anne.room)
    maya.opens("classroom", **{"class": made.id, "view": "people"})

    assert "There is no such class, or you are not in it." in maya.words
    assert "Biology" not in maya.words


def test_who_is_listed_is_in_at_sign_in_and_told_on_today_until_they_have_read_it(anne: Visitor) -> None:
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology 201")
    classroom.roster.invite(anne.student, made.id, "Maya.Chen@campus.example")
    claims = {"email": "maya.chen@campus.example", "email_verified": True}

    Visitor(anne.room, claims=claims).opens("week")
    maya = Visitor(anne.room, claims=claims)
    maya.opens()

    assert classroom.classes.role_in(maya.student.id, made.id) == "member"
    assert "You are in Biology 201 now." in maya.words
    assert "What they never see" in maya.words
    maya.opens("classroom")
    assert "You are in Biology 201 now." in maya.words
    maya.presses("All right")
    assert "You are in Biology 201 now." not in maya.words


def test_a_member_reads_who_teaches_and_never_who_else_is_there(anne: Visitor) -> None:
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology 201")
    ana = anne.room.sign_in("ana")
    for student in (ana, anne.room.maya):
        classroom.memberships.join(student, made.join_code)
    maya = Visitor(anne.room)
    maya.opens("classroom", **{"class": made.id, "view": "people"})

    assert "Anne Okafor" in maya.words
    assert "Ana" not in maya.words
    assert made.join_code not in str([code.value for code in maya.page.get("code")])


def test_an_instructor_makes_a_class_and_a_name_is_shown_as_it_was_written(anne: Visitor) -> None:
    name = "**Bio** [x](http://evil.example) :smile: <img src=x>"
    made = anne.room.services.classroom.classes.create(anne.student, name=name)
    anne.opens("classroom", **{"class": made.id})

    assert not anne.page.exception
    assert "](http://evil" not in "".join(str(title.value) for title in anne.page.title)


def test_a_visitor_who_was_invited_is_told_before_they_sign_in(make_visitor: Callable[..., Visitor]) -> None:
    visitor = make_visitor(name=None)
    visitor.opens("classroom", join="ABCD2345")

    assert "You have been invited to a class." in visitor.words


def test_a_class_that_is_over_does_not_ask_to_show_its_closed_code(anne: Visitor) -> None:
    classes = anne.room.services.classroom.classes
    made = classes.create(anne.student, name="Biology 201")
    anne.opens("classroom", **{"class": made.id})
    assert "Show your students the code" in anne.words

    classes.archive(anne.student, made.id)
    anne.opens("classroom", **{"class": made.id})

    assert "This class is over: nobody can join it." in anne.words
    assert "Show your students the code" not in anne.words
