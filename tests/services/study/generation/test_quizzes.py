"""A student's quizzes: asked for once, within limits that are told, changed and deleted by their student alone."""

from dataclasses import replace
from typing import Any

import pytest

from services.errors import (
    ApprovalRequired,
    BadArguments,
    ConsentRequired,
    ItemNotFound,
    ModelUnavailable,
    UsedTooOften,
)
from services.identity.students import Student
from services.storage.documents import Documents
from services.study.generation.quizzes import MOST_A_DAY, MOST_WAITING, checked_request
from services.study.generation.request_passages import RequestPassages
from services.study.question import SourceKind
from services.study.quiz import QuizRequest, QuizState, SourceChoice
from tests.fakes import FakeDocuments
from tests.services.study.generation.desk import ORGANS, PASTED, MakingDesk, answer, cloze, writes_on


def test_the_same_key_gives_the_same_quiz(engine: Documents) -> None:
    desk = MakingDesk(engine)
    first, again, other = desk.ask(key="one"), desk.ask(key="one", count=9), desk.ask(key="two")

    assert again == first
    assert other.id != first.id
    assert desk.stored("study_quizzes") == 2
    assert [quiz.id for quiz in desk.quizzes.all(desk.student)].count(first.id) == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"sources": ()}, "sources"),
        ({"sources": (SourceChoice(kind=SourceKind.TEXT, text=" \u200b "),)}, "sources"),
        ({"sources": (PASTED,) * 13}, "sources"),
        ({"count": 0}, "count"),
        ({"count": 41}, "count"),
        ({"minutes": -1}, "minutes"),
        ({"minutes": 1_000}, "minutes"),
        ({"locale": "zz-ZZ"}, "locale"),
        ({"locale": "../../etc"}, "locale"),
        ({"kinds": ("essay",)}, "kinds"),
        ({"product": "poem"}, "difficulty"),
    ],
)
def test_what_cannot_be_made_is_refused_with_its_field(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(BadArguments) as refused:
        checked_request(replace(QuizRequest(sources=(PASTED,)), **wrong))

    assert refused.value.field == field


def test_a_title_comes_from_the_request_its_topic_or_its_source() -> None:
    request = QuizRequest(sources=(PASTED,))

    titles = [
        checked_request(replace(request, **given)).title for given in ({"title": "My own"}, {"topic": "Liver"}, {})
    ]
    assert titles == ["My own", "Liver", "Organs"]


def test_limits_are_told_before_they_bite(desk: MakingDesk) -> None:
    wanted = QuizRequest(sources=(PASTED,), count=40)
    assert desk.quizzes.estimate(desk.student, wanted).left_today == MOST_A_DAY
    for _ in range(MOST_WAITING):
        desk.ask(count=30)

    with pytest.raises(UsedTooOften, match="5 quizzes or sets of cards are being made"):
        desk.ask()
    for quiz in desk.quizzes.all(desk.student):
        desk.quizzes.cancel(desk.student, quiz.id)
    assert desk.quizzes.left_today(desk.student) == MOST_A_DAY


def test_a_day_has_so_many_questions_and_another_day_as_many_again() -> None:
    desk = MakingDesk(FakeDocuments(), lambda request: answer(*(cloze(number) for number in range(10))))
    for number in range(4):
        quiz = desk.ask(key=str(number), count=40)
        record = desk.repository.quiz("maya", quiz.id)
        assert record is not None
        ids = [f"q{number}-{at}" for at in range(40)]
        desk.repository.change("maya", record, {"question_ids": ids, "state": QuizState.READY, "due_at": None})

    assert desk.quizzes.left_today(desk.student) == MOST_A_DAY - 160
    desk.ask(count=40)
    with pytest.raises(UsedTooOften, match="0 are left for today"):
        desk.ask(count=1)
    desk.clock.advance(hours=25)
    assert desk.quizzes.left_today(desk.student) == MOST_A_DAY


def test_without_the_consent_nothing_is_asked_for(desk: MakingDesk) -> None:
    desk.terms.are_given = False

    with pytest.raises(ConsentRequired):
        desk.ask()

    assert desk.stored("study_quizzes") == 0


def test_a_large_making_costs_more_than_a_small_one_and_says_so(desk: MakingDesk) -> None:
    small = desk.quizzes.estimate(desk.student, QuizRequest(sources=(PASTED,), count=5))
    large = desk.quizzes.estimate(desk.student, QuizRequest(sources=(PASTED,), count=40))

    assert small.passages == 1
    assert 0 < small.cost_usd < large.cost_usd
    assert large.output_tokens > 5 * small.output_tokens
    assert (small.is_large, replace(large, cost_usd=0.11).is_large) == (False, True)


def test_a_large_making_is_refused_in_the_services_until_the_student_was_told(
    desk: MakingDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.study.quiz.LARGE_MAKING_USD", 0.01)
    request = QuizRequest(sources=(replace(PASTED, text=PASTED.text * 100),), count=40)
    assert desk.quizzes.estimate(desk.student, request).is_large

    with pytest.raises(ApprovalRequired):
        desk.quizzes.make(desk.student, request, key="large")
    assert desk.stored("study_quizzes") == 0

    agreed = desk.quizzes.make(desk.student, request, key="large", is_agreed=True)
    assert desk.quizzes.make(desk.student, request, key="large") == agreed


def test_what_cannot_cost_much_is_not_read_before_it_is_made(desk: MakingDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RequestPassages, "of", lambda *_: pytest.fail("The sources were read."))

    assert desk.ask(count=8).state is QuizState.QUEUED


def test_what_is_missing_is_made_on_a_retry_and_nothing_twice(engine: Documents) -> None:
    desk = MakingDesk(engine, answer(cloze(0), cloze(1)), *[answer()] * 9)
    quiz = desk.make(count=4)
    assert (quiz.state, len(quiz.question_ids)) == (QuizState.PARTIAL, 2)

    desk.model.script = [writes_on]
    assert desk.quizzes.retry(desk.student, quiz.id).state is QuizState.QUEUED
    desk.run()

    whole = desk.quizzes.quiz(desk.student, quiz.id)
    assert (whole.state, whole.trouble) == (QuizState.READY, "")
    assert whole.question_ids[:2] == quiz.question_ids
    assert [question.accepted[0] for question in desk.questions(whole)] == list(ORGANS[:4])
    assert desk.quizzes.retry(desk.student, quiz.id) == whole


def test_a_retry_of_what_waits_for_the_model_tries_at_once(desk: MakingDesk) -> None:
    desk.model.script = [ModelUnavailable("Away."), writes_on]
    quiz = desk.make()
    assert quiz.state is QuizState.QUEUED

    desk.quizzes.retry(desk.student, quiz.id)
    desk.run()

    assert desk.quizzes.quiz(desk.student, quiz.id).state is QuizState.READY


def test_what_was_cancelled_before_it_began_has_nothing_and_can_be_made_after_all(desk: MakingDesk) -> None:
    quiz = desk.ask()
    assert desk.quizzes.cancel(desk.student, quiz.id).state is QuizState.CANCELLED
    desk.run()
    assert desk.model.requests == []
    assert desk.quizzes.cancel(desk.student, quiz.id).state is QuizState.CANCELLED

    desk.quizzes.retry(desk.student, quiz.id)
    desk.run()

    assert desk.quizzes.quiz(desk.student, quiz.id).state is QuizState.READY


def test_a_quiz_is_renamed_while_it_is_made_and_deleted_with_its_questions(desk: MakingDesk) -> None:
    quiz = desk.ask()
    assert desk.quizzes.rename(desk.student, quiz.id, "  My\n organs ").request.title == "My organs"
    desk.run()
    assert desk.quizzes.quiz(desk.student, quiz.id).request.title == "My organs"
    with pytest.raises(BadArguments):
        desk.quizzes.rename(desk.student, quiz.id, " ")

    desk.quizzes.delete(desk.student, quiz.id)

    assert (desk.stored("study_quizzes"), desk.stored("study_questions")) == (0, 0)


def test_nobody_else_reaches_a_quiz(desk: MakingDesk) -> None:
    quiz = desk.make()
    question = desk.questions(quiz)[0]
    diego = Student(id="diego", name="Diego", email="")
    reaches: list[Any] = [
        lambda: desk.quizzes.quiz(diego, quiz.id),
        lambda: desk.quizzes.questions(diego, quiz.id),
        lambda: desk.quizzes.retry(diego, quiz.id),
        lambda: desk.quizzes.cancel(diego, quiz.id),
        lambda: desk.quizzes.rename(diego, quiz.id, "x"),
        lambda: desk.quizzes.delete(diego, quiz.id),
        lambda: desk.quizzes.question(diego, question.id),
    ]

    for reach in reaches:
        with pytest.raises(ItemNotFound):
            reach()
    assert desk.quizzes.all(diego) == []
    assert desk.quizzes.quiz(desk.student, quiz.id) == quiz


def test_quizzes_and_questions_are_read_as_they_were_stored(engine: Documents) -> None:
    desk = MakingDesk(engine)
    quiz = desk.make(course_key="canvas-1", topic="", minutes=30, kinds=("cloze",), locale="es-MX")

    (stored,) = desk.quizzes.all(desk.student, "canvas-1")
    assert stored == quiz
    assert stored.is_exam
    # Its questions quote what they need: the pasted text is not kept beside them.
    assert stored.request.sources == (replace(PASTED, text=""),)
    assert all(question.quotation.words for question in desk.questions(quiz))
    assert desk.quizzes.all(desk.student, "canvas-2") == []
    told = desk.quizzes.questions_of_course(desk.student, "canvas-1")
    assert sorted(told, key=lambda each: quiz.question_ids.index(each.id)) == desk.questions(quiz)
