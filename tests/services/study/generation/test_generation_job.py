"""Making quizzes behind: whatever the model answers, what is kept holds; nothing is lost or doubled (H1, H7, R84)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from services.errors import (
    BadArguments,
    FeatureRefused,
    ModelInterrupted,
    ModelPaused,
    ModelRefused,
    ModelUnavailable,
    ServiceUnavailable,
)
from services.safety.consent import ConsentStatus
from services.study.generation import generation_job
from services.study.generation.open_quizzes import OpenQuiz
from services.study.quiz import Quiz, QuizState
from tests.agent_fakes import says
from tests.fakes import FakeDocuments
from tests.services.study.generation.desk import ORGANS, SENTENCES, MakingDesk, answer, cloze, writes_on


def desk_of(*script: Any) -> MakingDesk:
    return MakingDesk(FakeDocuments(), *script)


def organs(desk: MakingDesk, quiz: Quiz) -> list[str]:
    return [question.accepted[0] for question in desk.questions(quiz)]


def test_what_is_asked_for_is_made_and_counted_on_the_students_account(desk: MakingDesk) -> None:
    quiz = desk.make(count=4)

    assert (quiz.state, quiz.due_at, quiz.trouble, quiz.dropped) == (QuizState.READY, None, "", 0)
    assert organs(desk, quiz) == list(ORGANS[:4])
    assert [question.quotation.words for question in desk.questions(quiz)] == list(SENTENCES[:4])
    assert desk.usage.requests == [("maya", "claude-haiku-5-5")]


def test_the_request_has_no_tools_and_tells_nothing_of_the_student(desk: MakingDesk) -> None:
    desk.make()

    (request,) = desk.model.requests
    assert request.tools == ()
    assert dict(request.output_schema or {})["additionalProperties"] is False
    assert "maya" not in f"{request.system} {request.messages}".lower()


def test_an_invented_quotation_is_thrown_away_and_made_anew() -> None:
    invented = cloze(1, quotation="The liver stores glycogen for winter.")
    desk = desk_of(answer(cloze(0), invented), writes_on)

    quiz = desk.make(count=2)

    assert (quiz.state, quiz.dropped) == (QuizState.READY, 1)
    assert organs(desk, quiz) == ["heart", "liver"]
    assert "asked already" in str(desk.model.requests[1].messages).lower()


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        pytest.param(says("I cannot do that."), 0, id="no JSON"),
        pytest.param(says('{"items": "none"}'), 0, id="wrong JSON"),
        pytest.param(says('{"items": [{"kind": "essay"}, 7, null]}'), 0, id="wrong items"),
        pytest.param(says('{"items": [' * 40), 0, id="nested"),
        pytest.param(answer(cloze(0), cloze(0)), 1, id="twice the same"),
        pytest.param(answer(cloze(0, passage=7)), 0, id="no such passage"),
        pytest.param(answer(cloze(0), {**cloze(1), "passage": "one"}), 1, id="one wrong field"),
    ],
)
def test_what_is_wrong_in_an_answer_goes_and_the_rest_is_made_anew(reply: Sequence[Any], kept: int) -> None:
    desk = desk_of(reply, writes_on)

    quiz = desk.make(count=3)

    assert quiz.state is QuizState.READY
    assert sorted(organs(desk, quiz)) == sorted(ORGANS[:3])
    assert len(desk.model.requests) == 2
    assert quiz.dropped >= (1 if kept else 0)


def test_of_an_answer_that_is_cut_off_what_is_whole_is_kept() -> None:
    whole = answer(cloze(0), cloze(1))[-1].content[0]["text"]
    desk = desk_of(says(whole[:-40], stop_reason="max_tokens"), writes_on)

    quiz = desk.make(count=2)

    assert (quiz.state, quiz.dropped) == (QuizState.READY, 0)
    assert organs(desk, quiz) == ["heart", "liver"]


def test_a_model_that_invents_without_end_ends_in_words() -> None:
    desk = desk_of(answer(cloze(0, quotation="Nothing of this stands there at all.")))

    quiz = desk.make()

    assert (quiz.state, desk.questions(quiz)) == (QuizState.FAILED, [])
    assert "No question could be made" in quiz.trouble
    assert len(desk.model.requests) <= 2 * generation_job.MOST_BARREN


def test_a_text_that_holds_less_is_a_partial_quiz(desk: MakingDesk) -> None:
    quiz = desk.make(count=12)

    assert (quiz.state, len(desk.questions(quiz))) == (QuizState.PARTIAL, 10)
    assert quiz.trouble.startswith("10 of 12")


def test_a_refusal_and_a_refused_request_end_in_words() -> None:
    for reply in (says("No.", stop_reason="refusal"), ModelRefused("The model refused this request.")):
        quiz = desk_of(reply).make()
        assert quiz.state is QuizState.FAILED
        assert "would not write" in quiz.trouble


@pytest.mark.parametrize(
    "away",
    [
        ModelUnavailable("The model is overloaded at the moment."),
        ModelInterrupted("The answer broke off."),
        ModelPaused("The assistant is paused."),
    ],
    ids=["overloaded", "broken off", "paused"],
)
def test_a_model_that_is_away_is_waited_for(away: Exception) -> None:
    desk = desk_of(answer(cloze(0)), away, away, writes_on)

    quiz = desk.make(count=3)
    assert (quiz.state, len(quiz.question_ids), quiz.tries) == (QuizState.QUEUED, 1, 1)
    assert str(away) in quiz.trouble
    desk.clock.advance(seconds=16)
    desk.run()
    quiz = desk.quizzes.quiz(desk.student, quiz.id)
    assert quiz.tries == 2
    assert quiz.due_at is not None
    assert quiz.due_at - desk.clock() > timedelta(seconds=15)
    desk.clock.advance(hours=1)
    desk.run()

    quiz = desk.quizzes.quiz(desk.student, quiz.id)
    assert (quiz.state, quiz.trouble, organs(desk, quiz)) == (QuizState.READY, "", list(ORGANS[:3]))


def test_a_model_that_stays_away_is_given_up(desk: MakingDesk) -> None:
    desk.model.script = [ModelUnavailable("The model is overloaded at the moment.")]
    quiz = desk.make()

    desk.clock.advance(days=3)
    desk.run()

    quiz = desk.quizzes.quiz(desk.student, quiz.id)
    assert (quiz.state, quiz.due_at) == (QuizState.FAILED, None)
    desk.model.script = [writes_on]
    desk.quizzes.retry(desk.student, quiz.id)
    desk.run()
    assert desk.quizzes.quiz(desk.student, quiz.id).state is QuizState.READY


@pytest.mark.parametrize(
    "failure", [BadArguments("There is no such page."), ZeroDivisionError()], ids=["told", "a bug"]
)
def test_what_goes_wrong_is_told_with_the_quiz_and_is_not_tried_without_end(failure: Exception) -> None:
    def fail(request: Any) -> Any:
        raise failure

    desk = desk_of(answer(cloze(0)), fail)

    quiz = desk.make()

    assert len(desk.model.requests) == 2
    assert (quiz.question_ids != (), quiz.trouble != "") == (True, True)
    assert quiz.due_at is None or quiz.due_at > desk.clock()


def test_a_model_that_takes_no_schema_is_asked_in_words_and_remembered() -> None:
    desk = desk_of(FeatureRefused("The model does not take an output schema."), writes_on)

    assert desk.make(count=2).state is QuizState.READY
    assert desk.make(count=2, topic="kidney lung spleen").state is QuizState.READY

    schemas = [request.output_schema is not None for request in desk.model.requests]
    assert schemas == [True, *[False] * (len(schemas) - 1)]
    assert "JSON schema" in str(desk.model.requests[-1].system)


def test_a_second_quiz_asks_for_something_else(desk: MakingDesk) -> None:
    first, second = desk.make(count=4), desk.make(count=4)

    assert set(organs(desk, first)) & set(organs(desk, second)) == set()


def test_without_the_consent_nothing_is_sent(desk: MakingDesk) -> None:
    quiz = desk.ask()
    desk.terms.are_given = False
    assert desk.terms.chat_status(None) is not ConsentStatus.GIVEN

    desk.run()

    assert desk.quizzes.quiz(desk.student, quiz.id).state is QuizState.FAILED
    assert desk.model.requests == []


def test_a_student_who_is_gone_gets_nothing_made(desk: MakingDesk) -> None:
    quiz = desk.ask()
    student, desk.maya = desk.student, None

    desk.run()

    assert desk.quizzes.quiz(student, quiz.id).state is QuizState.CANCELLED
    assert desk.model.requests == []


def test_nothing_is_made_from_a_quiz_that_is_open_for_a_grade(desk: MakingDesk) -> None:
    closes_at = desk.clock() + timedelta(days=2)
    desk.open_quizzes.open = [OpenQuiz(title="Quiz 5", text=" ".join(SENTENCES), closes_at=closes_at)]

    quiz = desk.make()

    assert (quiz.state, desk.model.requests) == (QuizState.FAILED, [])
    assert "“Quiz 5” is open for a grade now" in quiz.trouble
    assert "25" in quiz.trouble


def test_while_nobody_can_tell_what_is_open_it_waits(desk: MakingDesk) -> None:
    desk.open_quizzes.failure = ServiceUnavailable("Canvas", "Canvas is down.")
    quiz = desk.make()
    assert (quiz.state, desk.model.requests) == (QuizState.QUEUED, [])
    assert "Canvas is down." in quiz.trouble

    desk.open_quizzes.failure = None
    desk.clock.advance(minutes=1)
    desk.run()

    assert desk.quizzes.quiz(desk.student, quiz.id).state is QuizState.READY


def test_the_language_and_kinds_of_the_request_reach_the_model(desk: MakingDesk) -> None:
    desk.make(locale="es-MX", kinds=("cloze",), difficulty="hard")

    text = str(desk.model.requests[0].messages)
    schema = dict(desk.model.requests[0].output_schema or {})
    assert "in Spanish (es-MX)" in text
    assert "difficulty hard" in text
    assert schema["properties"]["items"]["items"]["properties"]["kind"]["enum"] == ["cloze"]


def test_a_text_that_was_asked_through_is_told_as_such(desk: MakingDesk) -> None:
    assert desk.make(count=10).state is QuizState.READY

    quiz = desk.make(count=2)

    assert quiz.state is QuizState.FAILED
    assert "asked all of this before" in quiz.trouble


def test_a_kind_that_was_not_asked_for_is_thrown_away(desk: MakingDesk) -> None:
    quiz = desk.make(kinds=("single_choice",))

    assert (quiz.state, desk.stored("study_questions")) == (QuizState.FAILED, 0)


def test_a_disabled_student_is_as_one_who_is_gone(desk: MakingDesk) -> None:
    quiz = desk.ask()
    desk.maya = replace(desk.student, is_disabled=True)

    desk.run()

    assert desk.quizzes.quiz(desk.student, quiz.id).state is QuizState.CANCELLED
