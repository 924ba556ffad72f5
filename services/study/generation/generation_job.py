"""`GenerationJob`: makes quizzes in the background, each under a lease, a round at a time, on any replica."""

import logging
import secrets
import threading
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Protocol

from services.errors import (
    BudgetUsedUp,
    HomeroomError,
    ModelError,
    ModelInterrupted,
    ModelPaused,
    ModelUnavailable,
    ServiceUnavailable,
    StorageError,
)
from services.i18n import gettext, locale_scope
from services.identity.students import Student
from services.llm.chat_model import AnswerUnwanted, Payer, Usage
from services.llm.prices import billed_input, rates
from services.runtime.clock import Clock
from services.runtime.logs import error_location
from services.safety.consent_terms import ConsentTerms
from services.storage.leases import Lease, Leases
from services.storage.store import OwnedId
from services.study.generation import end_reasons
from services.study.generation.generated_items import GeneratedItems
from services.study.generation.request_passages import RequestPassages
from services.study.generation.source_passage import SourcePassage
from services.study.generation.writing_round import AT_ONCE, RoundOutcome, RoundWriter, windows_of
from services.study.quiz import ACTIVE, QuizRequest, QuizState
from services.study.store.quiz_repository import QuizRecord, QuizRepository

log = logging.getLogger(__name__)

KIND = "study"
THREADS = 2
"""Quizzes that are made at once in one process; of one student one at a time."""
EVERY_S = 5.0
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(minutes=30)
GIVEN_UP_AFTER = timedelta(days=2)
MORE_ROUNDS = 4
"""Rounds beside those that the number of questions takes."""
MOST_BARREN = 3
"""Rounds in a row that bring nothing, before a quiz is left as it is."""
_CANDIDATES = 60
_PASSING = (ModelUnavailable, ModelInterrupted, ModelPaused, BudgetUsedUp, ServiceUnavailable)


class StudentLookup(Protocol):
    def get(self, id: str) -> Student | None: ...


class UsageLog(Protocol):
    """Counter of requests beside the student's own conversations."""

    def record_side_request(self, student_id: str, model: str, usage: Usage) -> None: ...


class GenerationJob:
    """Background maker. Its state is in the store: what a killed process leaves half made is gone on with by another
    one. A round's questions are stored together with the fact that the round is over, or not at all.
    """

    def __init__(
        self,
        *,
        repository: QuizRepository,
        passages: RequestPassages,
        rounds: RoundWriter,
        products: Mapping[str, GeneratedItems],
        usage: UsageLog,
        leases: Leases,
        students: StudentLookup,
        terms: ConsentTerms,
        clock: Clock,
    ) -> None:
        self._repository, self._passages, self._rounds, self._usage = repository, passages, rounds, usage
        self._products = products
        self._leases, self._students, self._terms, self._clock = leases, students, terms, clock
        self._due = repository.queue(clock)
        self._stopped, self._woken = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []
        self._cancelled: set[tuple[str, str]] = set()

    def start(self) -> None:
        """Start the threads of this process."""
        self._stopped.clear()
        if not self._threads:
            self._threads = [
                threading.Thread(target=self._run, name=f"quiz-making-{number}", daemon=True)
                for number in range(THREADS)
            ]
            for thread in self._threads:
                thread.start()

    def stop(self) -> None:
        """Break off what is being made, which another process goes on with, and begin nothing new."""
        self._stopped.set()
        self._woken.set()
        for thread in self._threads:
            thread.join(timeout=10)
        self._threads = []

    def wake(self) -> None:
        """Look for work at once."""
        self._woken.set()

    def cancel(self, student_id: str, quiz_id: str) -> None:
        """Break off the answer that this process may be waiting for."""
        self._cancelled.add((student_id, quiz_id))

    def run_once(self) -> bool:
        """Make the quiz that has waited longest, as far as it goes now; whether there was one."""
        for lease in self._leases.expired(KIND):
            if taken := self._leases.take_over(lease, secrets.token_hex(8)):
                log.info("quiz_making_taken_over")
                return self._run_leased(taken)
        for record in self._due.take(_CANDIDATES, without=self._leases.students_at_work(KIND)):
            if self._leases.acquire(lease := making_lease(record.student, record.id)):
                return self._run_leased(lease)
        return False

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._woken.clear()
            try:
                has_made = self.run_once()
            except HomeroomError as error:
                has_made = False
                log.warning("quiz_making_failed kind=%s", type(error).__name__)
            except Exception as error:
                has_made = False
                log.error("quiz_making_crashed at=%s", error_location(error))
            if not has_made:
                self._woken.wait(EVERY_S)

    def _run_leased(self, lease: Lease) -> bool:
        """Work on a quiz as far as it goes now; one that cannot be read, or that nobody can be told of, is put off."""
        self._cancelled.discard((lease.student, lease.work))
        try:
            self._due.attempt(OwnedId(student=lease.student, id=lease.work), lambda *_: self._work_on(lease))
        finally:
            self._leases.release(lease)
        return True

    def _work_on(self, lease: Lease) -> None:
        record = self._repository.quiz(lease.student, lease.work)
        if record is None:
            return
        if record.quiz.state not in ACTIVE:
            self._repository.change(lease.student, record, {"due_at": None})
            return
        student = self._students.get(lease.student)
        if student is None or student.is_disabled:
            self._repository.change(lease.student, record, {"state": QuizState.CANCELLED, "due_at": None})
            return
        with locale_scope(student.locale):
            self._make_guarded(lease, student, record)

    def _make_guarded(self, lease: Lease, student: Student, record: QuizRecord) -> None:
        """Make a quiz; whatever goes wrong is told with it, and what may pass is tried again later."""
        try:
            self._make(lease, student, record)
        except AnswerUnwanted:
            return
        except _PASSING as error:
            self._put_off(student.id, record, error)
        except StorageError:
            raise
        except ModelError as error:
            log.warning("quiz_refused kind=%s", type(error).__name__)
            self._end(student.id, record, end_reasons.refused_by_model(record.quiz.request.product))
        except HomeroomError as error:
            self._end(student.id, record, f"{error} {error.next_step}")
        except Exception as error:
            log.error("quiz_making_crashed at=%s", error_location(error))
            self._put_off(student.id, record, HomeroomError(gettext("Something went wrong on our side.")))

    def _make(self, lease: Lease, student: Student, record: QuizRecord) -> None:
        self._terms.require_chat(student.consent)
        product = self._products[record.quiz.request.product]
        current = product.recover(student, record)
        passages = self._passages.of(student, record.quiz.request)
        while current is not None and current.quiz.state in ACTIVE:
            if self._stopped.is_set() or not self._leases.holds(lease):
                return
            current = self._write_round(student, current, passages, product)
        if current is not None and current.quiz.state is QuizState.READY:
            self._repository.drop_texts(student.id, current.quiz.id)

    def _write_round(
        self, student: Student, record: QuizRecord, passages: list[SourcePassage], product: GeneratedItems
    ) -> QuizRecord | None:
        """Write one round; None when the quiz was changed meanwhile, such as by a cancel."""
        quiz = record.quiz
        if len(quiz.question_ids) >= quiz.request.count:
            return self._repository.change(student.id, record, {"state": QuizState.READY, "due_at": None})
        if quiz.state is QuizState.QUEUED:
            return self._repository.change(student.id, record, {"state": QuizState.WRITING, "trouble": ""})
        known = product.known(student, record, passages)
        outcome = self._rounds.write(
            quiz.request,
            product,
            passages,
            known,
            payer=Payer(student_id=student.id),
            number=record.round,
            missing=quiz.request.count - len(quiz.question_ids),
            is_wanted=lambda: not self._stopped.is_set() and (student.id, quiz.id) not in self._cancelled,
        )
        self._usage.record_side_request(student.id, self._rounds.model_name, outcome.usage)
        return product.store(student, record, outcome.items, self._after(record, outcome, passages, bool(known)))

    def _after(
        self, record: QuizRecord, outcome: RoundOutcome, passages: list[SourcePassage], has_known: bool
    ) -> dict[str, Any]:
        """What a round changes. has_known: there were questions from these sources before it."""
        quiz = record.quiz
        done = len(quiz.question_ids) + len(outcome.items)
        barren = 0 if outcome.items else record.barren + 1
        changes: dict[str, Any] = {
            "round": record.round + 1,
            "barren": barren,
            "dropped": quiz.dropped + outcome.dropped,
            "cost_usd": quiz.cost_usd + cost_of(self._rounds.model_name, outcome.usage),
            "tries": 0,
            "trouble": "",
        }
        windows = windows_of(passages)
        most = -(-quiz.request.count // AT_ONCE) * 2 + MORE_ROUNDS + windows
        if done >= quiz.request.count:
            return {**changes, "state": QuizState.READY, "due_at": None}
        if barren >= min(MOST_BARREN + windows - 1, 2 * MOST_BARREN) or record.round + 1 >= most:
            return {**changes, **_ended(done, quiz.request, outcome, has_known)}
        return changes

    def _put_off(self, student_id: str, begun: QuizRecord, error: HomeroomError) -> None:
        record = self._repository.quiz(student_id, begun.quiz.id)
        if record is None or record.quiz.state not in ACTIVE:
            return
        if self._clock() - record.quiz.made_at > GIVEN_UP_AFTER:
            again = gettext("You can start it again at any time.")
            self._end(student_id, record, f"{error} {again}")
            return
        asked = timedelta(seconds=getattr(error, "retry_after_s", None) or 0)
        pause = max(asked, min(LONGEST_PAUSE, FIRST_PAUSE * float(2 ** min(record.quiz.tries, 8))))
        words = gettext("It goes on by itself: {why}", why=str(error))
        waits = {"state": QuizState.QUEUED, "due_at": self._clock() + pause, "trouble": words}
        self._repository.change(student_id, record, {**waits, "tries": record.quiz.tries + 1})

    def _end(self, student_id: str, begun: QuizRecord, why: str) -> None:
        record = self._repository.quiz(student_id, begun.quiz.id)
        if record is None or record.quiz.state not in ACTIVE:
            return
        state = QuizState.PARTIAL if record.quiz.question_ids else QuizState.FAILED
        self._repository.change(student_id, record, {"state": state, "due_at": None, "trouble": why.strip()})


def making_lease(student_id: str, quiz_id: str) -> Lease:
    """Build the lease of a quiz that is made."""
    return Lease(
        name=f"{KIND}/{student_id}/{quiz_id}",
        kind=KIND,
        student=student_id,
        work=quiz_id,
        holder=secrets.token_hex(8),
    )


def cost_of(model: str, usage: Usage) -> float:
    """Dollars of a request; 0 where the model has no known price."""
    known = rates(model)
    return known.cost(billed_input(usage), usage.output_tokens) if known else 0.0


def _ended(done: int, request: QuizRequest, outcome: RoundOutcome, has_known: bool) -> dict[str, Any]:
    """State of what gets no more questions or cards, with the reason in words for the student."""
    product = request.product
    if done:
        reason = end_reasons.text_is_used_up(product, done, request.count)
        return {"state": QuizState.PARTIAL, "due_at": None, "trouble": reason}
    if outcome.is_refused:
        reason = end_reasons.refused_by_model(product)
    else:
        reason = end_reasons.all_is_there(product) if has_known else end_reasons.nothing_holds(product)
    return {"state": QuizState.FAILED, "due_at": None, "trouble": reason}
