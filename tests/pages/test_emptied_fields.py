"""What was set can be unset again, on every form with a field that may be empty: what Save says is what is stored."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from services.assistants.assistant import FollowedFeed, UsefulLink
from services.classes.budgets.budget import Budget, Limits
from services.classes.school_class import SchoolClass
from services.llm.prices import MICRO
from tests.pages.conftest import Visitor
from tests.pages.test_classroom import ANNE, Instructor

LIMITS = Limits(day=2 * MICRO, term=90 * MICRO)
SET = Budget(
    total=LIMITS, share=LIMITS, most_of_class=LIMITS, term_from=date(2026, 8, 24), term_until=date(2026, 12, 18)
)


@pytest.fixture
def anne(make_visitor: Callable[..., Visitor]) -> Visitor:
    visitor = Instructor(make_visitor().room, "anne", ANNE)
    visitor.opens("classroom")
    return visitor


@pytest.fixture
def school_class(anne: Visitor) -> SchoolClass:
    return anne.room.services.classroom.classes.create(anne.student, name="Biology 201", term="Fall 2026")


def empty(visitor: Visitor, prefix: str) -> None:
    """Take out what stands in each number and day of a form whose keys begin so."""
    fields = [*visitor.page.number_input, *visitor.page.date_input]
    emptied = [field for field in fields if str(field.key).startswith(prefix)]
    assert emptied
    assert all(field.value is not None for field in emptied)
    for field in emptied:
        field.set_value(None)


def unset(budget: Budget) -> bool:
    return replace(budget, version="") == Budget()


def test_the_limits_and_days_of_a_class_s_budget_can_be_taken_out(anne: Visitor, school_class: SchoolClass) -> None:
    control = anne.room.services.classroom.budget_control
    control.set_of_class(anne.student, school_class.id, replace(SET, most_of_class=Limits()))
    anne.opens("classroom", **{"class": school_class.id, "view": "budget"})
    empty(anne, "class-budget-")
    anne.presses("Save the budget")

    assert "The budget is saved" in anne.words
    assert unset(control.of_class(anne.student, school_class.id).budget)
    assert [field.value for field in anne.page.number_input] == [None] * 4


def test_the_limits_and_days_of_the_deployment_s_budget_can_be_taken_out(anne: Visitor) -> None:
    control = anne.room.services.classroom.budget_control
    control.set_of_deployment(anne.student, SET)
    anne.opens("classroom")
    empty(anne, "deployment-budget-")
    anne.presses("Save the budget")

    assert "The budget is saved" in anne.words
    assert unset(control.of_deployment(anne.student)[0])


def test_the_end_of_a_join_code_can_be_taken_out(anne: Visitor, school_class: SchoolClass) -> None:
    services = anne.room.services
    ends_at = services.clock() + timedelta(days=9)
    classes = services.classroom.classes
    classes.set_code_end(anne.student, school_class.id, version=school_class.version, ends_at=ends_at)
    anne.opens("classroom", **{"class": school_class.id, "view": "people"})
    anne.page.button(key="class-code-end").click().run()
    (day,) = (field for field in anne.page.date_input if str(field.key).startswith("class-code-day-end-"))
    assert day.value is not None
    day.set_value(None)
    # The whole page runs here, not the dialog alone: it is opened once more by the same run.
    anne.page.button(key="class-code-end").click()
    anne.page.button(key="class-code-end-save").click().run()

    assert classes.require_instructor(anne.student, school_class.id).code_ends_at is None
    assert "Works as long as the class." in anne.words


def test_what_a_draft_may_be_without_can_be_taken_out_and_a_name_is_asked_for(
    anne: Visitor, school_class: SchoolClass
) -> None:
    assistants = anne.room.services.classroom.assistants
    made = assistants.create(anne.student, school_class.id, "Tutor", request_id="0123456789abcdef")
    full: dict[str, Any] = {
        "summary": "For labs.",
        "words": "Be brief.",
        "integrity": "No phones.",
        "categories": ("planner",),
        "links": (UsefulLink(title="Centre", url="https://centre.example"),),
        "feeds": (FollowedFeed(title="News", url="https://news.example"),),
    }
    assistants.save(anne.student, replace(made.draft, **full), seen=1)
    anne.opens("classroom", **{"class": school_class.id, "view": "assistants", "assistant": made.id})
    texts = [*anne.page.text_input, *anne.page.text_area]
    for text in (text for text in texts if str(text.key).startswith(f"draft-{made.id}-")):
        text.set_value("")
    anne.presses("Save the draft")

    assert "An assistant needs a name." in anne.words
    assert assistants.get(anne.student, made.id).draft.summary == "For labs."
    anne.page.text_input(key=f"draft-{made.id}-0-name").set_value("Helper")
    anne.presses("Save the draft")
    saved = assistants.get(anne.student, made.id).draft
    assert (saved.name, saved.summary, saved.words, saved.integrity) == ("Helper", "", "", "")
    assert (saved.links, saved.feeds) == ((), ())
