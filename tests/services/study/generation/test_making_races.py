"""Making a quiz while its student, another process or a crash comes in between; drafts of cards (H1)."""

from typing import Any

import pytest

from services.storage.documents import Documents
from services.study.quiz import QuizState
from tests.agent_fakes import FakeModel, Gate
from tests.fakes import FakeDocuments
from tests.services.study.generation.desk import ORGANS, MakingDesk, answer, card, cloze, writes_on


def desk_of(*script: Any) -> MakingDesk:
    return MakingDesk(FakeDocuments(), *script)


def organs(desk: MakingDesk, quiz_id: str) -> list[str]:
    quiz = desk.quizzes.quiz(desk.student, quiz_id)
    return [question.accepted[0] for question in desk.questions(quiz)]


def test_what_is_cancelled_while_the_model_writes_gets_nothing_more() -> None:
    gate = Gate()
    desk = desk_of(answer(cloze(0)), [gate, "{", *answer(cloze(1))])
    quiz = desk.ask(count=3)
    desk.job.start()
    assert gate.reached.wait(10)

    desk.quizzes.cancel(desk.student, quiz.id)
    gate.open()
    desk.job.stop()

    quiz = desk.quizzes.quiz(desk.student, quiz.id)
    assert (quiz.state, organs(desk, quiz.id), desk.stored("study_questions")) == (QuizState.PARTIAL, ["heart"], 1)


def test_what_is_deleted_while_the_model_writes_leaves_nothing() -> None:
    gate = Gate()
    desk = desk_of([gate, *answer(cloze(0), cloze(1))])
    quiz = desk.ask(count=2)
    desk.job.start()
    assert gate.reached.wait(10)

    desk.quizzes.delete(desk.student, quiz.id)
    gate.open()
    desk.job.stop()

    assert (desk.stored("study_quizzes"), desk.stored("study_questions")) == (0, 0)


def test_a_student_has_one_quiz_made_at_a_time_whatever_the_replicas() -> None:
    gate = Gate()
    desk = desk_of([gate, *answer(cloze(0))], writes_on)
    desk.ask(count=1)
    desk.ask(count=1)
    desk.job.start()
    assert gate.reached.wait(10)

    assert desk.replica().run_once() is False

    gate.open()
    desk.job.stop()


def test_a_process_that_lost_its_lease_adds_nothing(engine: Documents) -> None:
    desk = MakingDesk(engine)
    quiz = desk.ask(count=2)

    def outpaced(request: Any) -> Any:
        # Meanwhile another process takes the quiz over and makes it whole.
        desk.clock.advance(minutes=5)
        assert desk.replica(FakeModel(writes_on)).run_once()
        return writes_on(request)

    desk.model.script = [outpaced]
    desk.run()

    quiz = desk.quizzes.quiz(desk.student, quiz.id)
    assert (quiz.state, len(organs(desk, quiz.id)), desk.stored("study_questions")) == (QuizState.READY, 2, 2)


def test_cards_of_a_quiz_are_drafts_in_the_deck(engine: Documents) -> None:
    desk = MakingDesk(engine)

    quiz = desk.make(product="cards", count=3)

    drafts = desk.deck.cards(desk.student).cards
    assert quiz.state is QuizState.READY
    assert sorted(card.back for card in drafts) == sorted(ORGANS[:3])
    assert [each.id for each in reversed(drafts)] == list(quiz.question_ids)
    assert {str(each.state) for each in drafts} == {"draft"}
    assert all(each.quotation is not None and each.quotation.words for each in drafts)


def test_cards_that_a_process_added_before_it_died_are_not_made_again() -> None:
    desk = desk_of(answer(card(0), card(1)), writes_on)
    quiz = desk.ask(product="cards", count=3)
    change, lives = desk.repository.change, [False]

    def dying(student_id: str, record: Any, changes: Any, **new: Any) -> Any:
        if "question_ids" in changes and not lives[0]:
            raise KeyboardInterrupt
        return change(student_id, record, changes, **new)

    desk.repository.change = dying  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        desk.run()
    lives[0] = True
    desk.run()

    assert sorted(each.back for each in desk.deck.cards(desk.student).cards) == sorted(ORGANS[:3])
    assert len(desk.quizzes.quiz(desk.student, quiz.id).question_ids) == 3


def test_a_deleted_making_takes_its_drafts_along_and_leaves_the_cards_that_were_kept() -> None:
    desk = desk_of()
    quiz = desk.make(product="cards", count=3)
    desk.deck.keep(desk.student, quiz.question_ids[:1])

    desk.quizzes.delete(desk.student, quiz.id)

    assert [each.id for each in desk.deck.cards(desk.student).cards] == list(quiz.question_ids[:1])
