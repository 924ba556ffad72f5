"""Figures of a class as a page: groups of five or more, the same for members and instructors, and words until then."""

from collections.abc import Callable

import pytest

from services.classes.figures.counted_answer import CountedAnswer
from services.classes.school_class import SchoolClass
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor

ANNE = {"name": "Anne Okafor", "email": "anne.okafor@campus.example", "email_verified": True}


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    visitor = Visitor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


def _class_with_questions(anne: Visitor, clock: FakeClock, students: int) -> SchoolClass:
    """A class in whose week just closed so many students have asked, about two topics."""
    room = anne.room
    classroom = room.services.classroom
    (instructor,) = room.services.students.with_email(ANNE["email"])
    made = classroom.classes.create(instructor, name="Biology 201")
    for number in range(students):
        student = room.sign_in(f"s{number}")
        classroom.memberships.join(student, made.join_code)
        asked = CountedAnswer(
            is_question=True, contexts=("courses",), failures=(("web_search", "timed_out"),), micros=9_000
        )
        classroom.figure_counters.record(student, made.id, asked)
    clock.advance(days=9)
    room.services.jobs.run_once()
    return made


def test_a_class_of_four_reads_when_figures_come(anne: Visitor, clock: FakeClock) -> None:
    made = _class_with_questions(anne, clock, 4)
    anne.opens("classroom", **{"class": made.id, "view": "figures"})

    assert "when five students have asked" in anne.words
    assert not anne.page.metric


def test_an_instructor_and_a_student_read_the_same_figures(anne: Visitor, clock: FakeClock) -> None:
    made = _class_with_questions(anne, clock, 8)
    anne.opens("classroom", **{"class": made.id, "view": "figures"})
    student = Visitor(anne.room, "s3")
    student.opens("classroom", **{"class": made.id, "view": "figures"})

    figures = {metric.label: metric.value for metric in anne.page.metric}
    assert figures.keys() == {"Students", "Questions", "Cost"}
    assert figures["Students"] in {f"about {n}" for n in range(5, 40, 5)}
    assert figures["Questions"] == "about 8"
    assert figures == {metric.label: metric.value for metric in student.page.metric}
    assert [table.value.to_json() for table in anne.page.table] == [
        table.value.to_json() for table in student.page.table
    ]
    shown = " ".join(_tables(anne))
    assert "Courses" in shown
    assert "no answer in time" in shown
    assert "S3" not in anne.words


def _tables(visitor: Visitor) -> list[str]:
    return [table.value.to_string() for table in visitor.page.table]
