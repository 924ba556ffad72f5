"""The question to the student as a tool: its card, its refusals, and what a program gets."""

import pytest

from services.errors import BadArguments
from tests.services.integrations.planner.calls import card, run
from tests.services.integrations.planner.conftest import ContextOf

QUESTION = {"question": "Which course first?", "choices": ["Biology", "Calculus"]}


def test_its_card_shows_the_question_and_each_choice(context_of: ContextOf) -> None:
    rows = card(context_of(), "ask_student", **QUESTION)

    assert [(row.label, row.value) for row in rows] == [
        ("Question", "Which course first?"),
        ("Choice 1", "Biology"),
        ("Choice 2", "Calculus"),
    ]


@pytest.mark.parametrize(
    "choices", [["One"], ["a", "b", "c", "d", "e", "f"], ["Biology", " biology "], ["x" * 101, "y"], ["", "y"]]
)
def test_too_few_too_many_and_equal_choices_are_refused(context_of: ContextOf, choices: list[str]) -> None:
    with pytest.raises(BadArguments) as caught:
        card(context_of(), "ask_student", question="?", choices=choices)

    assert (caught.value.field or "").startswith("choices")


def test_outside_a_chat_the_question_itself_is_the_result(context_of: ContextOf) -> None:
    result = run(context_of(), "ask_student", **QUESTION)

    assert result.data == {**QUESTION, "allow_other": True}
    assert result.output.splitlines()[0].startswith("A question for the student, which is not answered yet: Which")
    assert not result.requires_approval
