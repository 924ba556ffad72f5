"""A turn speaks the student's language: its steps, its endings, and what the model is told of it."""

import pytest

from services.conversations.items import NoticeItem, ToolLine
from services.errors import TurnBusy
from services.i18n import locale_scope
from tests.agent_fakes import WAIT_S, Gate, calls, instructions, says
from tests.rooms import Room, RoomMaker

pytestmark = pytest.mark.any_store


def test_a_spanish_turn_shows_spanish_steps_and_endings(room: RoomMaker) -> None:
    maya = _spanish(room(calls(("planner_list_tasks", {})), says("Tienes", stop_reason="max_tokens")))

    conversation, view = maya.ask("¿Qué tengo pendiente?")

    (step,) = (item for item in view.items if isinstance(item, ToolLine))
    assert (step.label, step.success) == ("Mirando tus pendientes", True)
    assert isinstance(view.items[-1], NoticeItem)
    assert view.items[-1].next_step == "Pulsa Continuar para ver el resto."
    with locale_scope("en-US"):
        labels = [item.label for item in maya.items(conversation) if isinstance(item, ToolLine)]
    assert labels == ["Looking at your tasks"]


def test_the_model_hears_what_language_the_student_reads_and_reads_english_itself(room: RoomMaker) -> None:
    maya = room(says("Hello"))
    maya.ask("Hi")
    spanish = _spanish(room(calls(("planner_list_tasks", {})), says("Hola")))
    spanish.ask("¿Qué tengo pendiente?")

    first, *_, last = spanish.model.requests
    assert "reads Homeroom in" not in instructions(maya.model.requests[0])
    assert "The student reads Homeroom in Spanish (es-MX)." in instructions(first)
    assert "no open tasks" in str(last.messages[-1]).lower()


def test_an_error_says_what_to_do_in_the_language_it_is_raised_in() -> None:
    with locale_scope("es"):
        assert TurnBusy("…").next_step == "Espera a que termine la respuesta, o pulsa Detener."
    assert TurnBusy("…").next_step == "Wait for the answer to finish, or press Stop."


def test_what_ends_a_turn_from_outside_speaks_the_students_language(room: RoomMaker) -> None:
    gate = Gate()
    maya = _spanish(room([*says("Tienes")[:1], gate, *says("Tienes")[1:]]))
    conversation = maya.services.conversations.create(maya.maya.id)
    maya.services.turns.start_turn(maya.maya, conversation, "¿Qué tengo pendiente?")
    views = maya.services.turns.follow(maya.maya, conversation)
    next(views)
    assert gate.reached.wait(WAIT_S)

    maya.services.turns.drain(0.0)

    *_, last = views
    gate.open()
    assert isinstance(last.items[-1], NoticeItem)
    assert last.items[-1].sentence == "Homeroom se reinició mientras respondía."


def _spanish(maya: Room) -> Room:
    maya.maya = maya.services.students.set_language(maya.maya.id, "es", "es-MX")
    return maya
