"""kill -9 while quizzes and cards are made: the next process goes on, and nothing is there twice (R84)."""

import random
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from services.settings import ROOT
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from services.study.quiz import QuizState
from services.study.store.quiz_repository import new_quiz_id
from tests.services.study.generation.desk import MakingDesk
from tests.services.study.generation.killed_making import CARDS, COUNT, QUIZ


@pytest.mark.parametrize(
    ("kind", "kills", "seed"),
    [
        ("mongo", 2, 0),
        *(pytest.param(kind, 40, seed, marks=pytest.mark.soak) for kind in ("sqlite", "mongo") for seed in range(3)),
    ],
)
def test_a_killed_making_is_gone_on_with(
    kind: str, kills: int, seed: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    mongo = f"{request.getfixturevalue('mongo_uri')}/making_{secrets.token_hex(4)}" if kind == "mongo" else ""
    chance = random.Random(seed)
    # A batch of SQLite is one write, one of MongoDB as many as it has.
    deaths = [chance.randint(3, 24 if mongo else 8) for _ in range(kills)]

    ended = subprocess.run(
        [sys.executable, "-m", "tests.services.study.generation.killed_making", str(tmp_path), mongo]
        + [str(at) for at in (*deaths, 0)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert ended.returncode == 0, ended.stderr[-2000:]
    codes = [int(line) for line in ended.stdout.split()]
    assert codes[-1] == 0
    assert codes.count(-9) >= min(kills, 2)
    engine: Documents = MongoDocuments(mongo) if mongo else SqliteDocuments(tmp_path / "homeroom.sqlite")
    _require_whole(MakingDesk(engine))
    engine.close()


def _require_whole(desk: MakingDesk) -> None:
    quiz, cards = (desk.quizzes.quiz(desk.student, new_quiz_id(key)) for key in (QUIZ, CARDS))
    assert (quiz.state, cards.state) == (QuizState.READY, QuizState.READY)
    asked = [question.accepted[0] for question in desk.questions(quiz)]
    assert len(asked) == len(set(asked)) == COUNT == desk.stored("study_questions")
    drafts = desk.deck.cards(desk.student).cards
    assert sorted(card.id for card in drafts) == sorted(cards.question_ids)
    assert len({card.back for card in drafts}) == COUNT == desk.stored("study_cards")
    assert desk.stored("study_quizzes") == 2
