"""A quiz as pages mount it: on Study by its address, and in the chat that made it, until it is taken back."""

import json
from collections.abc import Callable
from typing import Any

from tests.agent_fakes import FakeModel, calls, says
from tests.pages.conftest import Visitor
from tests.services.study.quiz_samples import CHOICE, store_quiz

TEXT = "Osmosis is the net movement of water across a membrane. Diffusion is the movement of particles. " * 4


def panels(maya: Visitor) -> list[dict[str, Any]]:
    """What the quizzes on the page were given."""
    given = [json.loads(component.proto.json) for component in maya.page.get("bidi_component")]
    return [data for data in given if data.get("part") == "quiz"]


def test_a_quiz_opens_by_its_address_and_can_be_left(maya: Visitor) -> None:
    store_quiz(maya.room.services.store, maya.student.id, (CHOICE,))
    maya.opens("study", quiz="quiz-1")

    (panel,) = panels(maya)

    assert (panel["quiz"], panel["closes"]) == ("quiz-1", True)
    assert all(panel["words"].values())
    assert CHOICE.prompt not in str(panel)


def test_a_quiz_that_the_chat_made_is_taken_below_its_card(make_visitor: Callable[..., Visitor]) -> None:
    wanted = {"text": TEXT, "count": 3}
    maya = make_visitor(model=FakeModel(calls(("study_make_quiz", wanted)), says("Here is your quiz.")))
    maya.opens()

    maya.asks("Quiz me on this")

    (quiz,) = maya.room.services.study.quizzes.all(maya.student)
    assert [(panel["quiz"], panel["closes"]) for panel in panels(maya)] == [(quiz.id, False)]
    maya.presses("Undo")
    assert panels(maya) == []
