"""Taking a quiz: its state, an answer, a disagreement and its end, each as one small request without a page run."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp

from api.auth import SignInClaims
from api.body import read_body
from api.errors import FRESH, api_error
from api.live.page_checks import PageChecks, student_of
from api.live.quiz_page import (
    attempt_json,
    feedback_json,
    given_json,
    question_json,
    quiz_json,
    result_json,
    stored_given,
)
from api.live.rate_limits import PRACTICE, LiveLimits
from api.workers import Workers
from services.errors import ChangedElsewhere
from services.i18n import locale_scope
from services.identity.students import Student
from services.study.assessment.attempts import LONGEST_OBJECTION
from services.study.assessment.marks import LONGEST_SHORT
from services.study.attempt import AnsweredQuestion, Attempt
from services.study.question import Question
from services.wiring.container import ServiceContainer

DEADLINE_S = 30.0
THREADS = 8
"""Answers at once in one process; a short answer waits for the model."""
Json = Mapping[str, Any]
Id = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[\w.:-]+$")]


class QuizLook(BaseModel):
    quiz: Id


class QuizStart(QuizLook):
    """only_wrong: with what was not right the last time."""

    only_wrong: bool = False


class QuizAnswer(BaseModel):
    """Answer to the question with this number. chosen: shown places. id: idempotency key of the browser's making."""

    attempt: Id
    question: Id
    number: int = Field(ge=0, le=1_000)
    chosen: list[int] = Field(default=[], max_length=20)
    text: str = Field(default="", max_length=2 * LONGEST_SHORT)
    id: Id
    seconds: float = Field(default=0.0, ge=0.0, le=86_400.0)


class QuizObjection(BaseModel):
    """What a student says of a mark; see `Attempts.disagree`."""

    attempt: Id
    question: Id
    about: Literal["answer", "question"] = "answer"
    is_right: bool = True
    words: str = Field(default="", max_length=2 * LONGEST_OBJECTION)


class QuizFinish(BaseModel):
    attempt: Id


Work = Callable[[Student, Any], Json]


class QuizTaking:
    def __init__(self, services: ServiceContainer, limits: LiveLimits, checks: PageChecks) -> None:
        self._students, self._study, self._clock = services.students, services.study, services.clock
        self._limits, self._checks = limits, checks
        self._workers = Workers(size=THREADS)

    async def state(self, request: Request) -> ASGIApp:
        """A quiz with the attempt under way, or else the last one with its result."""
        return await self._answer_to(request, QuizLook, self._state)

    async def start(self, request: Request) -> ASGIApp:
        """Begin an attempt, or go on with the one under way."""
        return await self._answer_to(request, QuizStart, self._start)

    async def answer(self, request: Request) -> ASGIApp:
        """Count an answer; the same id again counts once. Its mark comes with the key, but for a mock exam."""
        return await self._answer_to(request, QuizAnswer, self._answer)

    async def disagree(self, request: Request) -> ASGIApp:
        """Let the student's own word count."""
        return await self._answer_to(request, QuizObjection, self._disagree)

    async def finish(self, request: Request) -> ASGIApp:
        """End an attempt; a mock exam is marked by that."""
        return await self._answer_to(request, QuizFinish, self._finish)

    async def _answer_to(self, request: Request, model: type[BaseModel], work: Work) -> ASGIApp:
        claims = self._checks.claims(request, changes=True)
        self._limits.spend(claims, PRACTICE)
        asked = await read_body(request, model)
        told = await self._workers.run(
            "quiz", DEADLINE_S, partial(self._as_student, claims, asked, work), lane=claims.lane
        )
        return JSONResponse(told, headers=FRESH)

    def _as_student(self, claims: SignInClaims, asked: BaseModel, work: Work) -> Json:
        student = student_of(self._students, claims)
        with locale_scope(student.locale):
            return work(student, asked)

    def _state(self, student: Student, asked: QuizLook) -> Json:
        attempts = self._study.attempts.all(student, asked.quiz)
        running = next((attempt for attempt in attempts if attempt.finished_at is None), None)
        return self._told(student, asked.quiz, running or (attempts[-1] if attempts else None))

    def _start(self, student: Student, asked: QuizStart) -> Json:
        attempt = self._study.attempts.start(student, asked.quiz, only_wrong=asked.only_wrong)
        return self._told(student, asked.quiz, attempt)

    def _finish(self, student: Student, asked: QuizFinish) -> Json:
        attempt = self._study.attempts.finish(student, asked.attempt)
        return self._told(student, attempt.quiz_id, attempt)

    def _answer(self, student: Student, asked: QuizAnswer) -> Json:
        question = self._study.quizzes.question(student, asked.question)
        given = stored_given(asked.attempt, question, asked.chosen, asked.text)
        try:
            attempt, _ = self._study.attempts.answer(
                student,
                asked.attempt,
                question.id,
                given,
                answer_id=asked.id,
                seconds=asked.seconds,
                number=asked.number,
            )
        except ChangedElsewhere as error:
            # What is asked now comes along, so that a tab which is behind goes on with it.
            refused = api_error(error)
            current = self._study.attempts.attempt(student, asked.attempt)
            refused.details["state"] = self._told(student, current.quiz_id, current)
            raise refused from error
        told = {"attempt": attempt_json(attempt, self._clock())}
        if attempt.is_exam:
            return told
        return {**told, "feedback": feedback_json(attempt, question, _answer_with(attempt, asked))}

    def _disagree(self, student: Student, asked: QuizObjection) -> Json:
        attempt = self._study.attempts.disagree(
            student, asked.attempt, asked.question, asked.words, about=asked.about, is_right=asked.is_right
        )
        question = self._study.quizzes.question(student, asked.question)
        feedback = feedback_json(attempt, question, attempt.answer_to(question.id))
        told = {"attempt": attempt_json(attempt, self._clock()), "feedback": feedback}
        return {**told, "result": self._result(student, attempt)} if attempt.finished_at else told

    def _told(self, student: Student, quiz_id: str, attempt: Attempt | None) -> Json:
        """What the page draws: the questions of an attempt without their keys, and of a finished one all."""
        told: dict[str, Any] = {"quiz": quiz_json(self._study.quizzes.quiz(student, quiz_id)), "attempt": None}
        if attempt is None:
            return told
        questions = self._questions(student, attempt)
        told["attempt"] = attempt_json(attempt, self._clock())
        told["questions"] = {id: question_json(attempt.id, question) for id, question in questions.items()}
        if attempt.finished_at:
            told["result"] = result_json(attempt, questions)
        elif attempt.is_exam:
            told["given"] = {
                answer.question_id: given_json(attempt.id, questions[answer.question_id], answer.given)
                for answer in attempt.answers
                if answer.question_id in questions
            }
        return told

    def _result(self, student: Student, attempt: Attempt) -> Json:
        return result_json(attempt, self._questions(student, attempt))

    def _questions(self, student: Student, attempt: Attempt) -> Mapping[str, Question]:
        found = self._study.quizzes.questions(student, attempt.quiz_id)
        return {question.id: question for question in found if question.id in attempt.question_ids}


def _answer_with(attempt: Attempt, asked: QuizAnswer) -> AnsweredQuestion | None:
    return next((answer for answer in attempt.answers if answer.answer_id == asked.id), None)
