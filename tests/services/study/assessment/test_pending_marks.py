"""Short answers wait for the model and are never lost; the student's own word counts at once."""

import threading

import pytest

from services.errors import BadArguments, ModelPaused
from services.study.attempt import Verdict
from services.study.question import Question
from tests.fakes import FakeDocuments
from tests.services.study.assessment.desk import QuizDesk, compared
from tests.services.study.quiz_samples import CHOICE, CLOZE, SHORT, TRUE_FALSE

AWAY = ModelPaused("The assistant is away.")


def test_a_short_answer_waits_for_the_model_and_is_never_lost() -> None:
    desk = QuizDesk(FakeDocuments(), AWAY, compared(("named", "water moves"), ("named", "across a membrane")))
    attempt = desk.start((SHORT,))

    mark = desk.answer(attempt, SHORT, text="Water moves across a membrane.")

    assert mark.verdict is Verdict.PENDING
    assert desk.now(attempt).finished_at is not None
    desk.clock.advance(minutes=5)
    assert desk.attempts.settle_due() == 1
    assert _eventual_verdict(desk, attempt.id) is Verdict.RIGHT
    assert desk.attempts.settle_due() == 0


def test_without_consent_nothing_is_sent(desk: QuizDesk) -> None:
    desk.may_ask = False
    attempt = desk.start((SHORT,))

    assert desk.answer(attempt, SHORT, text="Water moves.").verdict is Verdict.PENDING
    assert desk.model.requests == []


def test_a_short_answer_that_missed_a_point_comes_again() -> None:
    desk = QuizDesk(FakeDocuments(), compared(("named", "water moves"), ("missing", "")))
    attempt = desk.start((SHORT, CHOICE))

    mark = desk.answer(attempt, SHORT, text="Water moves.")

    assert (mark.verdict, mark.score) == (Verdict.PARTLY, 0.5)
    assert "across a membrane" in mark.remark
    assert desk.now(attempt).question_ids == (SHORT.id, CHOICE.id, SHORT.id)


def test_what_the_student_had_not_comes_again_and_the_model_changes_nothing_of_their_word() -> None:
    desk = QuizDesk(FakeDocuments(), AWAY, compared(("named", "water moves"), ("named", "a membrane")))
    attempt = desk.start((SHORT, CHOICE))
    desk.answer(attempt, SHORT, text="Water moves across a membrane.")

    judged = desk.attempts.disagree(desk.maya, attempt.id, SHORT.id, is_right=False)

    assert (judged.answers[0].mark.verdict, judged.answers[0].mark.is_own) == (Verdict.WRONG, True)
    assert judged.question_ids == (SHORT.id, CHOICE.id, SHORT.id)
    desk.clock.advance(minutes=5)
    assert desk.attempts.settle_due() == 0
    assert _question(desk, SHORT.id).disputed == ""


def test_an_answer_whose_question_is_gone_waits_for_nothing() -> None:
    desk = QuizDesk(FakeDocuments(), AWAY)
    attempt = desk.start((SHORT, CHOICE))
    desk.answer(attempt, SHORT, text="Water moves.")
    desk.store.for_student("maya").delete("study_questions", {"id": SHORT.id})
    desk.clock.advance(minutes=5)

    desk.attempts.settle_due()

    assert _eventual_verdict(desk, attempt.id) is Verdict.SKIPPED
    desk.clock.advance(days=3)
    assert desk.attempts.settle_due() == 0


def test_an_exams_short_answers_are_marked_when_it_is_handed_in() -> None:
    desk = QuizDesk(FakeDocuments(), compared(("named", "water moves"), ("contradicted", "")))
    attempt = desk.start((SHORT,), minutes=10)
    desk.answer(attempt, SHORT, text="Water moves through walls.")
    assert desk.model.requests == []

    desk.attempts.finish(desk.maya, attempt.id)

    assert _eventual_verdict(desk, attempt.id) is Verdict.PARTLY
    assert desk.usage.requests == [("maya", "quick-model")]


def test_the_students_word_counts_at_once(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE))
    desk.answer(attempt, CHOICE, 1)

    changed = desk.attempts.disagree(desk.maya, attempt.id, CHOICE.id, "Salt moves, too.")

    assert (changed.answers[0].mark.verdict, changed.answers[0].mark.is_own) == (Verdict.RIGHT, True)
    assert changed.question_ids == (CHOICE.id, TRUE_FALSE.id)
    assert _question(desk, CHOICE.id).disputed == "Salt moves, too."
    desk.attempts.finish(desk.maya, attempt.id)
    assert desk.attempts.start(desk.maya, "quiz-1").question_ids == (TRUE_FALSE.id,)


def test_what_fills_a_gap_as_well_is_right_from_then_on(desk: QuizDesk) -> None:
    attempt = desk.start((CLOZE, CHOICE))
    desk.answer(attempt, CLOZE, text="lipid bilayer")

    desk.attempts.disagree(desk.maya, attempt.id, CLOZE.id)

    assert _question(desk, CLOZE.id).accepted == ("membrane", "lipid bilayer")
    assert _question(desk, CLOZE.id).disputed == ""


def test_a_question_that_is_wrong_is_asked_no_more(desk: QuizDesk) -> None:
    attempt = desk.start((CLOZE, CHOICE))
    desk.answer(attempt, CLOZE, text="wall")

    desk.attempts.disagree(desk.maya, attempt.id, CLOZE.id, "Not in the lecture.", about="question")

    assert _question(desk, CLOZE.id).disputed == "Not in the lecture."


def test_a_running_exam_is_not_argued_with(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE,), minutes=10)
    desk.answer(attempt, CHOICE, 1)

    with pytest.raises(BadArguments):
        desk.attempts.disagree(desk.maya, attempt.id, CHOICE.id)


def _question(desk: QuizDesk, id: str) -> Question:
    found = desk.quizzes.question("maya", id)
    assert found is not None
    return found


def _eventual_verdict(desk: QuizDesk, attempt_id: str) -> Verdict:
    """The verdict on the first answer once it is not pending any more; marks come from another thread."""
    for _ in range(400):
        stored = desk.repository.attempt("maya", attempt_id)
        assert stored is not None
        if stored.answers[0].mark.verdict is not Verdict.PENDING:
            return stored.answers[0].mark.verdict
        threading.Event().wait(0.01)
    return Verdict.PENDING
