"""`PendingMarks`: marks of short answers that wait for the model; none is lost while it is away."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import replace
from datetime import datetime, timedelta

from services.errors import ModelError
from services.i18n import locale_scope
from services.identity.students import Student
from services.runtime.clock import Clock
from services.runtime.thread_pools import DaemonPool
from services.storage.store import OwnedId
from services.study.assessment import progress
from services.study.assessment.short_answer_marker import ShortAnswerMarker
from services.study.attempt import Attempt, Mark, Verdict
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.quiz_repository import QuizRepository

THREADS = 8
WAIT_S = 12.0
"""Seconds that an answer waits for its mark."""
FIRST_RETRY_S, LONGEST_RETRY_S = 60.0, 6 * 3_600.0
MOST_TRIES = 14
"""Tries in a row, over some two days; then the student marks it, or answers again."""
MOST_CONFLICTS = 8


class PendingMarks:
    def __init__(
        self,
        repository: AttemptRepository,
        quizzes: QuizRepository,
        marker: ShortAnswerMarker,
        clock: Clock,
        find_student: Callable[[str], Student | None],
    ) -> None:
        """find_student: a student whose words may go to the model now, or None."""
        self._repository, self._quizzes, self._marker = repository, quizzes, marker
        self._clock, self._find_student = clock, find_student
        self._queue = repository.queue(clock, job="mark_answers")
        self._pool = DaemonPool("study-marks", THREADS)
        self._at_work: set[OwnedId] = set()

    def mark_and_wait(self, student_id: str, attempt: Attempt) -> Attempt:
        """Have the pending answers marked and wait a while for it; the attempt as it is then."""
        wait([self._submit(OwnedId(student=student_id, id=attempt.id))], WAIT_S)
        return self._repository.attempt(student_id, attempt.id) or attempt

    def mark_later(self, student_id: str, attempt: Attempt) -> None:
        """Have the pending answers marked, without waiting for it."""
        record = OwnedId(student=student_id, id=attempt.id)
        if progress.pending_numbers(attempt) and record not in self._at_work:
            self._submit(record)

    def _submit(self, record: OwnedId) -> Future[None]:
        self._at_work.add(record)
        return self._pool.submit_for(record.student, self._mark, record)

    def _mark(self, record: OwnedId) -> None:
        try:
            self._queue.attempt(record, self._mark_all)
        finally:
            self._at_work.discard(record)

    def _mark_all(self, student_id: str, id: str) -> None:
        attempt, student = self._repository.attempt(student_id, id), self._find_student(student_id)
        if attempt is None:
            return None
        if student is None:
            return self._retry_later(student_id, id)
        with locale_scope(student.locale):
            for number in progress.pending_numbers(attempt):
                answer = attempt.answers[number]
                question = self._quizzes.question(student_id, answer.question_id)
                if question is None:
                    self._save(student_id, id, answer.answer_id, Mark(verdict=Verdict.SKIPPED))
                    continue
                try:
                    mark = self._marker.mark(student_id, question, answer.given.text)
                except ModelError:
                    return self._retry_later(student_id, id)
                self._save(student_id, id, answer.answer_id, mark)
        return None

    def _save(self, student_id: str, id: str, answer_id: str, mark: Mark) -> None:
        """Save a mark, unless the answer was marked meanwhile: by another replica, or by the student."""

        def change(attempt: Attempt) -> Attempt:
            at = next((at for at, answer in enumerate(attempt.answers) if answer.answer_id == answer_id), None)
            if at is None or attempt.answers[at].mark.verdict is not Verdict.PENDING:
                return attempt
            answers = [*attempt.answers]
            answers[at] = replace(answers[at], mark=mark)
            marked = progress.with_repeats(replace(attempt, answers=tuple(answers), tries=0), at)
            return progress.finished_if_done(marked, self._clock())

        self._change(student_id, id, change)

    def _retry_later(self, student_id: str, id: str) -> None:
        """Try again later; an attempt whose last answer waits is finished without its mark."""

        def change(current: Attempt) -> Attempt:
            return progress.finished_if_done(replace(current, tries=current.tries + 1), self._clock())

        self._change(student_id, id, change)

    def _change(self, student_id: str, id: str, change: Callable[[Attempt], Attempt]) -> None:
        for _ in range(MOST_CONFLICTS):
            attempt = self._repository.attempt(student_id, id)
            if attempt is None or (changed := change(attempt)) == attempt:
                return
            if self._repository.replace(student_id, changed, due_at=next_check_at(changed, self._clock())):
                return


def next_check_at(attempt: Attempt, now: datetime) -> datetime | None:
    """When the job looks at an attempt: at the end of a clock, and again and again while marks are pending."""
    if attempt.is_exam and attempt.finished_at is None:
        return attempt.ends_at
    if not progress.pending_numbers(attempt) or attempt.tries >= MOST_TRIES:
        return None
    return now + timedelta(seconds=min(FIRST_RETRY_S * 2**attempt.tries, LONGEST_RETRY_S))
