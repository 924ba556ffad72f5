"""A class that is made anew begins at nothing; what the one before has cost stays in the deployment's total (T23)."""

from collections.abc import Callable

import pytest

from services.classes.budgets.budget import Budget, Limits
from services.classes.budgets.budget_repository import DEPLOYMENT
from services.classes.budgets.refusals import BudgetUsedUp
from services.classes.lti import claim_names as names
from services.identity.students import Student
from services.llm.chat_model import Payer
from tests.api.lti.lti_room import Browser, LtiRoom
from tests.api.lti.platform_server import INSTRUCTOR
from tests.services.classes.budgets.desk import spend, spent_today

Remake = Callable[[LtiRoom, Student, str], None]


def deleted(lti: LtiRoom, teacher: Student, class_id: str) -> None:
    lti.services.classroom.classes.delete(teacher, class_id)


def archived(lti: LtiRoom, teacher: Student, class_id: str) -> None:
    lti.lti.courses.unbind(teacher, class_id)
    lti.services.classroom.classes.archive(teacher, class_id)


def launched(lti: LtiRoom) -> tuple[Student, str]:
    """The instructor of the course, and the class that the course has then."""
    browser = Browser(lti)
    browser.open(browser.launch(sub="tess", email=None, **{names.ROLES: [INSTRUCTOR]}))
    assert browser.student
    open_classes = [
        found.id
        for found, _ in lti.services.classroom.classes.of_student(browser.student.id)
        if found.archived_at is None
    ]
    return browser.student, open_classes[0]


@pytest.mark.parametrize("remake", [deleted, archived])
def test_making_a_class_anew_wins_nothing_back_of_the_deployments_budget(lti: LtiRoom, remake: Remake) -> None:
    budgets = lti.services.budgets
    budgets.repository.save(DEPLOYMENT, Budget(total=Limits(day=100), share=Limits(day=100)))
    teacher, before = launched(lti)
    first = Payer(student_id="maya", class_id=before)
    spend(budgets, first, 60, most=60)
    running = budgets.reserve(first, lambda: 30)
    remake(lti, teacher, before)
    running(30)

    _, anew = launched(lti)

    second = Payer(student_id="tom", class_id=anew)
    assert anew != before
    assert spent_today(budgets, second) == {"share": 0, "class": 0, "deployment": 90}
    spend(budgets, second, 10, most=10)
    with pytest.raises(BudgetUsedUp):
        budgets.reserve(second, lambda: 1)
