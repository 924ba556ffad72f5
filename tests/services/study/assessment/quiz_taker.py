"""A program that takes a quiz and says which of its answers were counted, until it is killed.

python -m tests.services.study.assessment.quiz_taker ADDRESS
"""

import sys
from dataclasses import replace
from pathlib import Path

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from services.study.attempt import GivenAnswer
from services.study.question import Question
from tests.services.study.assessment.desk import QuizDesk
from tests.services.study.quiz_samples import CHOICE, TRUE_FALSE

COUNT = 40


def questions() -> list[Question]:
    """Forty questions of two kinds."""
    return [replace((CHOICE, TRUE_FALSE)[number % 2], id=f"q{number:02}") for number in range(COUNT)]


def engine_at(address: str) -> Documents:
    return MongoDocuments(address) if address.startswith("mongodb") else SqliteDocuments(Path(address))


def given_to(number: int) -> GivenAnswer:
    """Every third answer is wrong."""
    right = (0, 1)[number % 2]
    return GivenAnswer(chosen=(right if number % 3 else 1 - right,))


if __name__ == "__main__":
    desk = QuizDesk(engine_at(sys.argv[1]))
    attempt = desk.attempts.start(desk.maya, "quiz-1")
    while attempt.finished_at is None:
        at = len(attempt.answers)
        id = attempt.question_ids[at]
        given, key = given_to(int(id[1:])), f"a{at}"
        attempt, _ = desk.attempts.answer(desk.maya, attempt.id, id, given, answer_id=key, number=at)
        sys.stdout.write(f"{key}\n")
        sys.stdout.flush()
