"""Budgets and a student's own switches as pages: what an instructor, the operator and a student set and read."""

from collections.abc import Callable, Collection

import pytest

from services.classes.budgets.budget import Budget, Limits
from services.classes.school_class import SchoolClass
from services.llm.prices import MICRO
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    """An instructor who runs this Homeroom, too, as the demo's settings say."""
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


@pytest.fixture
def school_class(anne: Visitor) -> SchoolClass:
    """With Maya in it."""
    classroom = anne.room.services.classroom
    made = classroom.classes.create(anne.student, name="Biology 201")
    classroom.memberships.join(anne.room.maya, made.join_code)
    return made


def write(visitor: Visitor, label: str, amount: float) -> None:
    next(field for field in visitor.page.number_input if field.label == label).set_value(amount)


def test_an_instructor_sets_the_class_s_budget_and_reads_no_amount_that_somebody_used(
    anne: Visitor, school_class: SchoolClass
) -> None:
    anne.opens("classroom", **{"class": school_class.id, "view": "budget"})
    assert "No budget yet." in anne.words
    write(anne, "The whole class, a day", 4)
    write(anne, "Each student, a day", 1.5)
    anne.presses("Save the budget")

    assert not anne.page.exception
    assert "The budget is saved" in anne.words
    assert "Less than four fifths of \\$4.00 used today" in anne.words
    assert "2 people are in the class, and each may use up to \\$1.50 a day" in anne.words
    maya = Visitor(anne.room)
    maya.opens("classroom", **{"class": school_class.id, "view": "budget"})
    assert "Save the budget" not in maya.labels
    maya.opens("settings")
    assert "**Biology 201**" in maya.words
    assert "Only you see what you use." in maya.words
    assert [bar.proto.text for bar in maya.page.get("progress")] == ["\\$0.00 of \\$1.50 today"]


def test_what_does_not_fit_in_a_budget_is_told_and_nothing_is_saved(anne: Visitor, school_class: SchoolClass) -> None:
    anne.opens("classroom", **{"class": school_class.id, "view": "budget"})
    write(anne, "The whole class, a day", 40)
    write(anne, "The whole class, the term", 4)
    anne.presses("Save the budget")

    assert "The limit of a day is larger than that of the whole term." in anne.words
    assert "No budget yet." in anne.words


def test_what_another_instructor_saved_meanwhile_is_not_written_over(anne: Visitor, school_class: SchoolClass) -> None:
    control = anne.room.services.classroom.budget_control
    anne.opens("classroom", **{"class": school_class.id, "view": "budget"})
    control.set_of_class(anne.student, school_class.id, Budget(total=Limits(day=2 * MICRO)))
    write(anne, "The whole class, a day", 9)
    anne.presses("Save the budget")

    assert control.of_class(anne.student, school_class.id).budget.total.day == 2 * MICRO


def test_the_operator_s_budget_asks_for_each_student_s_share(anne: Visitor) -> None:
    control = anne.room.services.classroom.budget_control
    anne.opens("classroom")
    write(anne, "Everybody together, a day", 50)
    anne.presses("Save the budget")
    assert "Give each student a limit, too: else a single one could use all of it." in anne.words
    write(anne, "Each student, a day", 2)
    write(anne, "Any class at most, a day", 20)
    anne.presses("Save the budget")

    assert "The budget is saved" in anne.words
    budget, _ = control.of_deployment(anne.student)
    assert (budget.total.day, budget.share.day, budget.most_of_class.day) == (50 * MICRO, 2 * MICRO, 20 * MICRO)
    assert [bar.proto.text for bar in anne.page.get("progress")] == ["\\$0.00 of \\$50.00 today"]
    maya = Visitor(anne.room)
    maya.opens("classroom")
    assert "For the operator of this Homeroom" not in maya.words
    maya.opens("settings")
    assert "**Your share of Homeroom's budget**" in maya.words


def switched_off(maya: Visitor) -> Collection[str]:
    found = maya.room.services.students.get(maya.student.id)
    assert found is not None
    return found.tools_off.categories


def test_what_a_student_switches_off_is_off_for_their_week_which_says_so_and_switches_it_on(maya: Visitor) -> None:
    maya.opens("settings")
    assert "Your answers have no budget of their own here." in maya.words
    maya.page.session_state["tool-switches-calendar"] = True
    maya.page.run()
    maya.page.toggle(key="tool-switch-calendar-on").set_value(False).run()

    assert switched_off(maya) == {"calendar"}
    assert any(expander.label == "Calendar · off" for expander in maya.page.expander)
    maya.opens("week")
    assert "“Calendar” is switched off in Settings, so nothing of it stands here." in maya.words
    maya.presses("Switch on Calendar")
    assert "is switched off in Settings" not in maya.words
    assert switched_off(maya) == set()
