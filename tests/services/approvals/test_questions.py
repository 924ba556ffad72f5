"""Questions to the student: the turn waits, one answer counts, and it survives what a write's approval survives."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from services.approvals.approval import ApprovalStatus
from services.conversations.items import ApprovalItem
from services.conversations.turn_records import TurnStatus
from services.errors import ApprovalError, BadArguments
from services.runtime.clock import utc_now
from tests.agent_fakes import WAIT_S, calls, says
from tests.rooms import Room, RoomMaker
from tests.services.approvals.asking import PIN, asked, decided, told

pytestmark = pytest.mark.any_store

ASK = ("planner_ask_student", {"question": "Which course first?", "choices": ["Biology", "Calculus"]})
CLOSED = ("planner_ask_student", {**ASK[1], "allow_other": False})


def test_a_turn_waits_for_the_answer_and_goes_on_with_it(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("Biology it is."))
    conversation, question = asked(maya)
    assert question.is_question
    assert isinstance(maya.items(conversation)[-1], ApprovalItem)

    maya.services.turns.answer(maya.maya, question.id, "Biology")
    answered = decided(maya, conversation, question)

    assert (answered.status, answered.outcome) == (ApprovalStatus.DONE, "Biology")
    assert told(maya) == "The student answered: Biology"
    assert not answered.can_undo


def test_an_answer_in_own_words_goes_on_as_it_was_written(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("Fine."))
    conversation, question = asked(maya)

    maya.services.turns.answer(maya.maya, question.id, "  Neither: my <b>essay</b> ")
    decided(maya, conversation, question)

    assert told(maya) == "The student answered: Neither: my <b>essay</b>"


def test_a_question_with_choices_only_takes_nothing_else(room: RoomMaker) -> None:
    maya = room(calls(CLOSED), says("Fine."))
    _, question = asked(maya)

    for text in ("Neither", "  ", "x" * 2_001):
        with pytest.raises(BadArguments):
            maya.services.turns.answer(maya.maya, question.id, text)

    assert maya.services.approvals.get(maya.maya.id, question.id).status is ApprovalStatus.PENDING


def test_a_skipped_question_is_told_to_the_model(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("All right."))
    conversation, question = asked(maya)

    maya.services.turns.decide(maya.maya, question.id, "decline")
    skipped = decided(maya, conversation, question)

    assert skipped.outcome == "You skipped this question."
    assert told(maya).startswith("The student skipped this question.")


def test_of_two_tabs_one_answers_and_the_other_is_told(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("Fine."))
    conversation, question = asked(maya)
    together = threading.Barrier(4)

    def click(replica: Room, answer: str) -> str:
        together.wait(WAIT_S)
        try:
            replica.services.turns.answer(maya.maya, question.id, answer)
        except ApprovalError as error:
            return str(error)
        return "answered"

    with ThreadPoolExecutor(4) as pool:
        replicas = [maya, maya, maya.replica(), maya.replica()]
        said = list(pool.map(click, replicas, ["Biology", "Calculus", "Biology", "Calculus"]))
    decided(maya, conversation, question)

    assert said.count("answered") == 1
    assert all("already" in answer for answer in said if answer != "answered")
    assert len(maya.model.requests) == 2


def test_a_message_instead_of_an_answer_puts_the_question_aside(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("Then calculus."))
    conversation, question = asked(maya)

    maya.ask("Forget it, calculus", conversation)

    with pytest.raises(ApprovalError, match="put aside"):
        maya.services.turns.answer(maya.maya, question.id, "Biology")
    assert told(maya).startswith("The student wrote something else instead")


def test_a_question_that_has_waited_too_long_is_not_answered_any_more(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("Fine."))
    _, question = asked(maya)
    later = maya.replica(clock=lambda: utc_now() + timedelta(days=31))

    with pytest.raises(ApprovalError, match="waited too long"):
        later.services.turns.answer(maya.maya, question.id, "Biology")


def test_a_question_and_a_write_of_one_step_are_both_decided_before_the_turn_goes_on(room: RoomMaker) -> None:
    maya = room(calls(ASK, PIN), says("Both."))
    conversation, waiting = maya.ask("Both")
    question, write = [item.approval_id for item in waiting.items if isinstance(item, ApprovalItem)]

    maya.services.turns.answer(maya.maya, question, "Biology")
    assert len(maya.model.requests) == 1
    maya.services.turns.decide(maya.maya, write, "approve")
    last = maya.watch(conversation)

    assert last.status is TurnStatus.DONE
    assert len(maya.model.requests) == 2


def test_a_question_is_not_approved_and_a_write_is_not_answered(room: RoomMaker) -> None:
    maya = room(calls(ASK, PIN), says("Both."))
    _, waiting = maya.ask("Both")
    question, write = [item.approval_id for item in waiting.items if isinstance(item, ApprovalItem)]

    with pytest.raises(ApprovalError, match="This is a question"):
        maya.services.turns.decide(maya.maya, question, "approve")
    with pytest.raises(ApprovalError, match="not a question"):
        maya.services.turns.answer(maya.maya, write, "yes")

    assert maya.board.pins == []


def test_an_answer_survives_a_crash_before_the_turn_went_on(room: RoomMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    maya = room(calls(ASK), says("Biology it is."))
    conversation, question = asked(maya)
    decisions: Any = maya.services.turns._decisions
    monkeypatch.setattr(decisions, "continue_turn", _dies)

    with pytest.raises(ConnectionError):
        maya.services.turns.answer(maya.maya, question.id, "Biology")
    later = maya.replica(clock=lambda: utc_now() + timedelta(seconds=60))
    later.services.turns.recover()
    answered = _until(lambda: later.watch(conversation).status is TurnStatus.DONE)

    assert answered
    assert told(maya) == "The student answered: Biology"


def test_programs_get_the_question_as_data_and_nothing_waits(room: RoomMaker) -> None:
    maya = room()

    result = maya.services.gateway.call(maya.maya, ASK[0], ASK[1], asked_by="my program")

    assert result.data == {**ASK[1], "allow_other": True}
    assert not result.requires_approval
    assert maya.services.approvals.latest(maya.maya.id, 5) == []


def test_another_student_cannot_answer(room: RoomMaker) -> None:
    maya = room(calls(ASK), says("Fine."))
    _, question = asked(maya)
    diego = maya.sign_in("diego")

    with pytest.raises(ApprovalError, match="no such request"):
        maya.services.turns.answer(diego, question.id, "Biology")


def _dies(*_: object) -> None:
    raise ConnectionError


def _until(is_so: Callable[[], bool]) -> bool:
    return any(is_so() or threading.Event().wait(0.02) for _ in range(250))
