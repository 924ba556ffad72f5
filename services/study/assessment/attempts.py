"""`Attempts`: taking quizzes. Every change is a compare-and-set, so that two tabs and a crash count nothing twice."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Literal

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound, StorageUnavailable
from services.i18n import gettext
from services.identity.students import Student
from services.runtime.clock import Clock
from services.study.assessment import progress
from services.study.assessment.marks import check_given, is_marked_by_model, mark_of
from services.study.assessment.pending_marks import PendingMarks, next_check_at
from services.study.attempt import AnsweredQuestion, Attempt, GivenAnswer, Mark, Verdict
from services.study.question import Question, QuestionKind, question_texts
from services.study.quiz import Quiz, QuizState
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.quiz_repository import QuizRepository

SERVICE = "Homeroom"
MOST_SECONDS = 3_600.0
MOST_CONFLICTS = 8
MOST_AT_ONCE = 40
"""Attempts of one round of the job."""
LONGEST_OBJECTION = 500
Objection = Literal["answer", "question"]
"""answer: mine is right as well. question: it or its key is wrong."""


class Attempts:
    def __init__(
        self, repository: AttemptRepository, quizzes: QuizRepository, pending: PendingMarks, clock: Clock
    ) -> None:
        self._repository, self._quizzes, self._pending, self._clock = repository, quizzes, pending, clock
        self._due = repository.queue(clock, job="settle_attempts")

    def start(self, student: Student, quiz_id: str, *, only_wrong: bool = False) -> Attempt:
        """Begin an attempt, or go on with the one under way: there is one at a time.

        only_wrong: with what was not right the last time, without a clock. Raises `ItemNotFound` and `BadArguments`.
        """
        quiz = self._quiz(student, quiz_id)
        attempts = self.all(student, quiz_id)
        if (running := _running(attempts)) is not None:
            return running
        asked = self._asked(student, quiz, progress.missed_ids(attempts) if only_wrong else quiz.question_ids)
        now, id = self._clock(), f"{quiz.id}-{len(attempts) + 1}"
        if attempts:
            random.Random(id).shuffle(asked)
        has_clock = quiz.is_exam and not only_wrong
        ends_at = now + timedelta(minutes=quiz.request.minutes) if has_clock else None
        attempt = Attempt(id=id, quiz_id=quiz.id, question_ids=tuple(asked), started_at=now, ends_at=ends_at)
        if not self._repository.add(student.id, attempt, due_at=ends_at):
            return self.attempt(student, id)
        if self._quizzes.quiz(student.id, quiz_id) is None:
            self._repository.delete_of(student.id, quiz_id)
            raise _gone()
        return attempt

    def current(self, student: Student, quiz_id: str) -> Attempt | None:
        """The attempt under way."""
        return _running(self.all(student, quiz_id))

    def attempt(self, student: Student, id: str) -> Attempt:
        """An attempt; a mock exam whose clock is over is finished by that. Raises `ItemNotFound`."""
        found = self._repository.attempt(student.id, id)
        if found is None:
            raise _gone()
        return self._ended(student.id, found)

    def all(self, student: Student, quiz_id: str = "") -> list[Attempt]:
        """Attempts at a quiz, or at all of them, the first one first."""
        return [self._ended(student.id, attempt) for attempt in self._repository.attempts(student.id, quiz_id)]

    def answer(
        self,
        student: Student,
        attempt_id: str,
        question_id: str,
        given: GivenAnswer,
        *,
        answer_id: str,
        seconds: float = 0.0,
        number: int | None = None,
    ) -> tuple[Attempt, Mark]:
        """Answer a question; of a mock exam again until its end, and with a mark that waits for it.

        number: place of the question in the attempt, where a tab may be behind. The same `answer_id` again changes
        nothing. An answer that the model is to mark waits some seconds for that, and stays pending while it is away.
        Raises `ItemNotFound`, `BadArguments`, and `ChangedElsewhere` for a question that is not asked now.
        """

        def change(attempt: Attempt) -> Attempt | None:
            if _known_answer(attempt, answer_id) is not None:
                return None
            _require_asked(attempt, question_id, number)
            question = self._question(student, question_id)
            check_given(question, given)
            answered = AnsweredQuestion(
                question_id=question_id,
                answer_id=answer_id,
                given=given,
                mark=self._mark(student, attempt, question, given),
                answered_at=self._clock(),
                seconds=min(max(seconds, 0.0), MOST_SECONDS),
            )
            changed = progress.with_answer(attempt, answered)
            if not attempt.is_exam:
                changed = progress.with_repeats(changed, len(changed.answers) - 1)
            is_pending = answered.mark.verdict is Verdict.PENDING
            return changed if is_pending else progress.finished_if_done(changed, self._clock())

        attempt = self._change(student, attempt_id, change)
        if progress.pending_numbers(attempt):
            attempt = self._pending.mark_and_wait(student.id, attempt)
        answer = _known_answer(attempt, answer_id)
        return attempt, answer.mark if answer else Mark(verdict=Verdict.PENDING)

    def finish(self, student: Student, attempt_id: str) -> Attempt:
        """Finish an attempt, also before all is answered; a mock exam is marked by that."""

        def change(attempt: Attempt) -> Attempt | None:
            return None if attempt.finished_at else self._finished(student.id, attempt)

        attempt = self._change(student, attempt_id, change)
        self._pending.mark_later(student.id, attempt)
        return attempt

    def disagree(
        self,
        student: Student,
        attempt_id: str,
        question_id: str,
        words: str = "",
        *,
        about: Objection = "answer",
        is_right: bool = True,
    ) -> Attempt:
        """Let the student's own word count, at once, instead of the mark of their latest answer to a question.

        about: with "answer" what fills a gap is right from now on; any other question, and one that is wrong itself, is
        disputed and asked no more, but for a short answer, whose mark alone is in question.
        is_right: what they say; False where they mark a pending answer themselves. Raises `BadArguments` while a mock
        exam runs, and for a question without an answer.
        """

        def change(attempt: Attempt) -> Attempt:
            answer = attempt.answer_to(question_id)
            if answer is None or (attempt.is_exam and attempt.finished_at is None):
                raise BadArguments(
                    gettext("This question is not marked yet."),
                    next_step=gettext("Answer it first; a mock exam is marked when you hand it in."),
                )
            verdict = Verdict.RIGHT if is_right else Verdict.WRONG
            own = Mark(verdict=verdict, score=float(is_right), remark=answer.mark.remark, is_own=True)
            changed = progress.with_marks(
                attempt,
                lambda each: own if (each.question_id, each.given) == (question_id, answer.given) else each.mark,
            )
            if is_right or about == "question":
                changed = progress.without_repeats(changed, question_id)
            else:
                changed = progress.with_repeats(changed, attempt.answers.index(answer))
            return progress.finished_if_done(changed, self._clock())

        attempt = self._change(student, attempt_id, change)
        answer = attempt.answer_to(question_id)
        if answer is not None and is_right:
            self._object(student, question_id, answer.given, words.strip()[:LONGEST_OBJECTION], about)
        return attempt

    def settle_due(self) -> int:
        """Finish mock exams whose clock is over and have marked what waits, of all students: a job. How many it saw."""
        return self._due.run(self._settle, limit=MOST_AT_ONCE)

    def _settle(self, student_id: str, id: str) -> None:
        attempt = self._repository.attempt(student_id, id)
        if attempt is not None:
            self._pending.mark_later(student_id, self._ended(student_id, attempt))

    def _object(self, student: Student, question_id: str, given: GivenAnswer, words: str, about: Objection) -> None:
        question = self._quizzes.question(student.id, question_id)
        if question is None or (about == "answer" and question.kind is QuestionKind.SHORT_ANSWER):
            return
        if about == "answer" and question.kind is QuestionKind.CLOZE:
            accepted = list(dict.fromkeys([*question.accepted, given.text.strip()]))
            self._quizzes.update_question(student.id, question_id, {"accepted": accepted})
        else:
            objection = words or gettext("The student disagrees with the right answer.")
            self._quizzes.update_question(student.id, question_id, {"disputed": objection})

    def _mark(self, student: Student, attempt: Attempt, question: Question, given: GivenAnswer) -> Mark:
        if attempt.is_exam:
            return Mark(verdict=Verdict.PENDING)
        if is_marked_by_model(question):
            return mark_of(question, given)
        questions = self._quizzes.questions(student.id, attempt.question_ids) if given.text else [question]
        return mark_of(question, given, question_texts(questions))

    def _finished(self, student_id: str, attempt: Attempt) -> Attempt:
        now = self._clock()
        if attempt.ends_at is None:
            return replace(attempt, finished_at=now)
        found = self._quizzes.questions(student_id, attempt.question_ids)
        questions, others = {question.id: question for question in found}, question_texts(found)
        marked = progress.with_marks(
            attempt,
            lambda answer: (
                mark_of(questions[answer.question_id], answer.given, others)
                if answer.question_id in questions
                else answer.mark
            ),
        )
        return replace(marked, finished_at=min(now, attempt.ends_at))

    def _ended(self, student_id: str, attempt: Attempt) -> Attempt:
        """Finish a mock exam whose clock is over."""
        if attempt.ends_at is None or attempt.finished_at is not None or self._clock() < attempt.ends_at:
            return attempt
        finished = self._finished(student_id, attempt)
        stored = self._repository.replace(student_id, finished, due_at=next_check_at(finished, self._clock()))
        if stored is None:
            return self._repository.attempt(student_id, attempt.id) or attempt
        self._pending.mark_later(student_id, stored)
        return stored

    def _change(self, student: Student, id: str, change: Callable[[Attempt], Attempt | None]) -> Attempt:
        """Change an attempt as it is now; None changes nothing. The change is made anew where somebody was first."""
        for _ in range(MOST_CONFLICTS):
            attempt = self.attempt(student, id)
            changed = change(attempt)
            if changed is None or changed == attempt:
                return attempt
            stored = self._repository.replace(student.id, changed, due_at=next_check_at(changed, self._clock()))
            if stored is not None:
                return stored
        raise StorageUnavailable(gettext("This quiz is being changed in another tab just now."))

    def _asked(self, student: Student, quiz: Quiz, ids: Sequence[str]) -> list[str]:
        if quiz.state in (QuizState.QUEUED, QuizState.WRITING):
            raise BadArguments(
                gettext("This quiz is still being written."), next_step=gettext("It begins by itself when it is ready.")
            )
        asked = [question.id for question in self._quizzes.questions(student.id, ids) if not question.disputed]
        if not asked:
            raise BadArguments(
                gettext("There is nothing left to practise here."), next_step=gettext("Make a new quiz on Study.")
            )
        return asked

    def _quiz(self, student: Student, id: str) -> Quiz:
        record = self._quizzes.quiz(student.id, id)
        if record is None:
            raise _gone()
        return record.quiz

    def _question(self, student: Student, id: str) -> Question:
        question = self._quizzes.question(student.id, id)
        if question is None:
            raise _gone()
        return question


def _running(attempts: Sequence[Attempt]) -> Attempt | None:
    return next((attempt for attempt in attempts if attempt.finished_at is None), None)


def _known_answer(attempt: Attempt, answer_id: str) -> AnsweredQuestion | None:
    """The answer with this idempotency key, or the one that took its place."""
    return next(
        (answer for answer in attempt.answers if answer_id == answer.answer_id or answer_id in answer.replaced), None
    )


def _require_asked(attempt: Attempt, question_id: str, number: int | None) -> None:
    """Raise `ChangedElsewhere` where this question is not asked now, in words for whoever just answered it."""
    step = gettext("Go on with what is asked now.")
    if attempt.finished_at is not None:
        if attempt.is_exam:
            sentence = gettext("The time was over, or it was handed in, before this answer arrived.")
            raise ChangedElsewhere(
                SERVICE, sentence, next_step=gettext("What was answered before counts; look at your result.")
            )
        raise ChangedElsewhere(SERVICE, gettext("This quiz is finished."), next_step=gettext("Look at your result."))
    at = progress.next_number(attempt)
    is_asked = at is not None and attempt.question_ids[at] == question_id and number in (None, at)
    if attempt.is_exam and question_id in attempt.question_ids:
        return
    if not is_asked:
        raise ChangedElsewhere(SERVICE, gettext("This question was answered in another tab."), next_step=step)


def _gone() -> ItemNotFound:
    return ItemNotFound(
        SERVICE, gettext("This quiz is not there any more."), next_step=gettext("Look at your quizzes on Study.")
    )
