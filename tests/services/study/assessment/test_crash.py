"""kill -9 in the middle of a quiz: what was counted is there once, and the attempt goes on where it was (R85)."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from services.settings import ROOT
from tests.services.study.assessment.desk import QuizDesk
from tests.services.study.assessment.quiz_taker import engine_at, given_to, questions
from tests.services.study.quiz_samples import store_quiz


def kill_takers(address: str, *, rounds: int, seed: int) -> None:
    """Kill program after program that takes the same attempt; each answer that was acknowledged counts once."""
    chance, said = random.Random(seed), list[str]()
    engine = engine_at(address)
    store_quiz(QuizDesk(engine).store, "maya", questions())
    engine.close()
    for _ in range(rounds):
        command = [sys.executable, "-m", "tests.services.study.assessment.quiz_taker", address]
        taker = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert taker.stdout is not None
        said += [taker.stdout.readline().strip() for _ in range(chance.randrange(1, 40 // rounds))]
        taker.kill()
        rest, _ = taker.communicate()
        said += rest.split()
        if _check(address, said, rounds):
            return


def _check(address: str, said: list[str], rounds: int) -> bool:
    """Check what is stored; whether the attempt is finished."""
    engine = engine_at(address)
    desk = QuizDesk(engine)
    (attempt,) = desk.repository.attempts("maya")
    kept = [answer.answer_id for answer in attempt.answers]
    assert kept == [f"a{number}" for number in range(len(kept))]
    # The last one of each program may be stored and not yet acknowledged.
    assert set(said) <= set(kept)
    assert len(kept) <= len(set(said)) + rounds
    assert all(attempt.question_ids[at] == answer.question_id for at, answer in enumerate(attempt.answers))

    last = attempt.answers[-1]
    given = given_to(int(last.question_id[1:]))
    again, mark = desk.attempts.answer(desk.maya, attempt.id, last.question_id, given, answer_id=last.answer_id)
    assert (again, mark) == (attempt, last.mark)
    engine.close()
    return attempt.finished_at is not None


def test_what_was_counted_before_a_kill_counts_once(tmp_path: Path) -> None:
    kill_takers(str(tmp_path / "homeroom.sqlite"), rounds=2, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_twenty_quizzes_outlive_their_kills_on_sqlite(tmp_path: Path, seed: int) -> None:
    kill_takers(str(tmp_path / "homeroom.sqlite"), rounds=6, seed=seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_ten_quizzes_outlive_their_kills_on_mongo(mongo_uri: str, seed: int) -> None:
    kill_takers(f"{mongo_uri}/quiz_kills_{seed}", rounds=6, seed=seed)
