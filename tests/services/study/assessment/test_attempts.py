"""Taking a quiz: one attempt at a time, nothing lost or counted twice, the wrong ones again."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound
from services.identity.students import Student
from services.storage.documents import Documents
from services.study.assessment import progress
from services.study.attempt import GivenAnswer, Verdict
from services.study.quiz import QuizState
from tests.services.study.assessment.desk import QuizDesk
from tests.services.study.quiz_samples import CHOICE, CLOZE, ORDERING, SEVERAL, TRUE_FALSE, store_quiz


def test_an_attempt_is_answered_in_order_and_finishes_with_its_last_answer(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE, CLOZE))

    marks = [
        desk.answer(attempt, CHOICE, 0),
        desk.answer(attempt, TRUE_FALSE, 1),
        desk.answer(attempt, CLOZE, text="membran"),
    ]

    assert [mark.verdict for mark in marks] == [Verdict.RIGHT] * 3
    assert "membrane" in marks[2].remark
    assert desk.now(attempt).finished_at == desk.clock()
    assert desk.attempts.current(desk.maya, "quiz-1") is None


def test_a_wrong_answer_comes_again_at_the_end_a_bounded_number_of_times(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE))
    desk.answer(attempt, CHOICE, 1)
    desk.answer(attempt, TRUE_FALSE, 1)

    assert progress.next_number(desk.now(attempt)) == 2
    desk.answer(attempt, CHOICE, 2)
    desk.answer(attempt, CHOICE)

    assert desk.now(attempt).question_ids == (CHOICE.id, TRUE_FALSE.id, CHOICE.id, CHOICE.id)
    assert desk.now(attempt).finished_at is not None


def test_the_result_counts_first_answers_and_says_what_was_mended(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE, ORDERING))
    desk.answer(attempt, CHOICE, 1)
    desk.answer(attempt, TRUE_FALSE, 1)
    desk.answer(attempt, ORDERING, 0, 1, 3, 2)
    desk.answer(attempt, CHOICE, 0)

    result = progress.result_of(desk.now(attempt), {q.id: q for q in (CHOICE, TRUE_FALSE, ORDERING)})

    assert (result.count, result.mended, result.missed) == (3, 1, (ORDERING.id,))
    assert result.score == pytest.approx(1 + 2 / 3)
    assert [(topic.topic, topic.right, topic.count) for topic in result.topics] == [
        ("Osmosis", 0, 1),
        ("Diffusion", 1, 1),
        ("Mitosis", 0, 1),
    ]


def test_the_same_answer_again_changes_nothing(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE))
    first = desk.answer(attempt, CHOICE, 1, answer_id="same")

    assert desk.answer(attempt, CHOICE, 1, answer_id="same") == first
    assert desk.answer(attempt, TRUE_FALSE, 0, answer_id="same") == first
    assert len(desk.now(attempt).answers) == 1


def test_a_tab_that_is_behind_is_told_so(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE))
    desk.answer(attempt, CHOICE, 1)
    desk.answer(attempt, TRUE_FALSE, 1)

    with pytest.raises(ChangedElsewhere):
        desk.answer(attempt, CHOICE, 0, number=0)
    assert desk.answer(attempt, CHOICE, 0, number=2).verdict is Verdict.RIGHT


def test_there_is_one_attempt_at_a_time(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE,))

    assert desk.attempts.start(desk.maya, "quiz-1") == attempt
    desk.attempts.finish(desk.maya, attempt.id)
    assert desk.attempts.start(desk.maya, "quiz-1").id != attempt.id


def test_the_wrong_ones_are_practised_alone(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE, CLOZE))
    desk.answer(attempt, CHOICE, 0)
    desk.answer(attempt, TRUE_FALSE, 0)
    desk.attempts.finish(desk.maya, attempt.id)

    again = desk.attempts.start(desk.maya, "quiz-1", only_wrong=True)

    assert set(again.question_ids) == {TRUE_FALSE.id, CLOZE.id}


def test_with_nothing_wrong_there_is_nothing_to_practise(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE,))
    desk.answer(attempt, CHOICE, 0)

    with pytest.raises(BadArguments):
        desk.attempts.start(desk.maya, "quiz-1", only_wrong=True)


def test_a_quiz_that_is_written_or_gone_cannot_be_begun(desk: QuizDesk) -> None:
    store_quiz(desk.store, "maya", (CHOICE,), state=QuizState.WRITING)

    with pytest.raises(BadArguments):
        desk.attempts.start(desk.maya, "quiz-1")
    with pytest.raises(ItemNotFound):
        desk.attempts.start(desk.maya, "quiz-2")


def test_nobody_elses_attempt_is_there(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE,))
    diego = Student(id="diego", name="Diego", email="")

    with pytest.raises(ItemNotFound):
        desk.attempts.attempt(diego, attempt.id)
    with pytest.raises(ItemNotFound):
        desk.attempts.start(diego, "quiz-1")


@pytest.mark.parametrize(
    ("question", "chosen", "text"),
    [
        (CHOICE, (9,), ""),
        (CHOICE, (0, 1), ""),
        (CHOICE, (), "Water"),
        (ORDERING, (0, 1), ""),
        (CLOZE, (0,), ""),
        (CLOZE, (), "x" * 201),
    ],
)
def test_an_answer_of_another_shape_is_refused(desk: QuizDesk, question, chosen, text) -> None:  # type: ignore[no-untyped-def]
    attempt = desk.start((question,))

    with pytest.raises(BadArguments):
        desk.answer(attempt, question, *chosen, text=text)
    assert desk.now(attempt).answers == ()


def test_a_mock_exam_is_marked_at_its_end_alone(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE, CLOZE), minutes=20)

    assert desk.answer(attempt, TRUE_FALSE, 0, answer_id="a").verdict is Verdict.PENDING
    assert desk.answer(attempt, TRUE_FALSE, 1, answer_id="b").verdict is Verdict.PENDING
    desk.answer(attempt, TRUE_FALSE, 0, answer_id="a")
    finished = desk.attempts.finish(desk.maya, attempt.id)

    assert [(answer.question_id, answer.mark.verdict) for answer in finished.answers] == [
        (TRUE_FALSE.id, Verdict.RIGHT)
    ]
    assert progress.missed_ids([finished]) == [CHOICE.id, CLOZE.id]


def test_an_answer_after_the_clock_is_refused_and_the_rest_counts(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE, TRUE_FALSE), minutes=20)
    desk.answer(attempt, CHOICE, 0)
    desk.clock.advance(minutes=20)

    with pytest.raises(ChangedElsewhere, match="time was over"):
        desk.answer(attempt, TRUE_FALSE, 1)

    ended = desk.now(attempt)
    assert ended.finished_at == ended.ends_at == attempt.started_at + timedelta(minutes=20)
    assert [answer.mark.verdict for answer in ended.answers] == [Verdict.RIGHT]


def test_a_clock_that_nobody_watches_ends_by_the_job(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE,), minutes=20)
    assert desk.attempts.settle_due() == 0
    desk.clock.advance(minutes=21)

    assert desk.attempts.settle_due() == 1

    stored = desk.repository.attempt("maya", attempt.id)
    assert stored is not None
    assert stored.finished_at is not None
    assert desk.attempts.settle_due() == 0


def test_a_disputed_question_is_left_out(desk: QuizDesk) -> None:
    store_quiz(desk.store, "maya", (CHOICE, replace(SEVERAL, disputed="No.")))

    assert desk.attempts.start(desk.maya, "quiz-1").question_ids == (CHOICE.id,)


def test_a_quiz_takes_its_attempts_with_it(desk: QuizDesk) -> None:
    attempt = desk.start((CHOICE,))

    desk.quizzes.delete("maya", "quiz-1")

    assert desk.repository.attempts("maya") == []
    with pytest.raises(ItemNotFound):
        desk.answer(attempt, CHOICE, 0)


def test_two_tabs_at_once_begin_one_attempt_and_count_each_answer_once(engine: Documents) -> None:
    desk = QuizDesk(engine)
    questions = tuple(replace(CHOICE, id=f"q{n}") for n in range(6))
    store_quiz(desk.store, "maya", questions)
    gate, ended = threading.Barrier(4), []

    def tab(name: int) -> None:
        attempts = desk.replica()
        gate.wait()
        attempt = attempts.start(desk.maya, "quiz-1")
        # Who begins after another tab has finished would begin a second attempt, and rightly so.
        gate.wait()
        for number, question in enumerate(questions):
            given = GivenAnswer(chosen=(0,))
            try:
                # Two of the tabs send the same answer twice, as after a lost reply.
                id = f"a{number}" if name < 2 else f"t{name}-{number}"
                attempts.answer(desk.maya, attempt.id, question.id, given, answer_id=id, number=number)
            except ChangedElsewhere:
                continue
        ended.append(attempt.id)

    tabs = [threading.Thread(target=tab, args=(name,)) for name in range(4)]
    for thread in tabs:
        thread.start()
    for thread in tabs:
        thread.join(60)

    (attempt,) = desk.repository.attempts("maya", "quiz-1")
    assert set(ended) == {attempt.id}
    assert [answer.question_id for answer in attempt.answers] == [question.id for question in questions]
    assert attempt.finished_at is not None
