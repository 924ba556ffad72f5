"""`QuizDesk`: quizzes and attempts of one student, over a model that plays a script."""

import json
from collections.abc import Sequence
from typing import Any

from services.identity.students import Student
from services.llm.chat_model import Usage
from services.storage.documents import Documents
from services.storage.store import Store
from services.study.assessment.attempts import Attempts
from services.study.assessment.pending_marks import PendingMarks
from services.study.assessment.short_answer_marker import ShortAnswerMarker
from services.study.attempt import Attempt, GivenAnswer, Mark
from services.study.question import Question
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.quiz_repository import QuizRepository
from tests.agent_fakes import FakeModel, says
from tests.fakes import FakeClock
from tests.services.study.quiz_samples import ALL, store_quiz


def compared(*verdicts: tuple[str, str]) -> list[Any]:
    """The model's reply: for each point its verdict, and the words of the answer."""
    points = [
        {"point": number, "verdict": verdict, "words": words} for number, (verdict, words) in enumerate(verdicts, 1)
    ]
    return says(json.dumps({"points": points}))


class FakeUsage:
    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []

    def record_side_request(self, student_id: str, model: str, usage: Usage) -> None:
        self.requests.append((student_id, model))


class QuizDesk:
    def __init__(self, engine: Documents, *script: object) -> None:
        self.store, self.clock = Store(engine), FakeClock()
        self.maya = Student(id="maya", name="Maya", email="maya@example.edu")
        self.model, self.usage = FakeModel(*(script or (says("?"),))), FakeUsage()
        self.quizzes, self.repository = QuizRepository(self.store), AttemptRepository(self.store)
        self.may_ask = True
        self.attempts = self.replica()
        self.answers = 0

    def replica(self) -> Attempts:
        """Attempts as another process has them, over the same store."""
        marker = ShortAnswerMarker(self.model, "quick-model", self.usage)
        find = lambda student_id: self.maya if self.may_ask else None  # noqa: E731
        pending = PendingMarks(self.repository, self.quizzes, marker, self.clock, find)
        return Attempts(self.repository, self.quizzes, pending, self.clock)

    def start(self, questions: Sequence[Question] = ALL, **request: Any) -> Attempt:
        quiz = store_quiz(self.store, self.maya.id, questions, **request)
        return self.attempts.start(self.maya, quiz.id)

    def answer(self, attempt: Attempt, question: Question | str, *chosen: int, text: str = "", **more: Any) -> Mark:
        self.answers += 1
        id = question if isinstance(question, str) else question.id
        given = GivenAnswer(chosen=chosen, text=text)
        more = {"answer_id": f"a{self.answers}", **more}
        return self.attempts.answer(self.maya, attempt.id, id, given, **more)[1]

    def now(self, attempt: Attempt) -> Attempt:
        return self.attempts.attempt(self.maya, attempt.id)
