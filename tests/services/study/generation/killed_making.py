"""Processes that make a quiz and drafts of cards and are killed with SIGKILL at one of their writes, one after another.

python -m tests.services.study.generation.killed_making DATA_DIR MONGO_URI WRITE...

WRITE: at which of its writes each process dies; 0 for one that lives. Each comes a minute after the last.
"""

import os
import sys
from datetime import timedelta
from pathlib import Path

from services.runtime.clock import utc_now
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from services.study.generation import writing_round
from services.study.quiz import QuizRequest
from tests.fakes import FakeClock, FakeDocuments
from tests.services.materials.ingestion.killed_reading import dying
from tests.services.study.generation.desk import PASTED, MakingDesk

QUIZ, CARDS = "the quiz", "the cards"
COUNT = 8


def make_on(data_dir: Path, mongo: str, *, at: int, minutes: int) -> None:
    """Go on with what is left, two questions a round, with leases of a minute ago expired."""
    base = MongoDocuments if mongo else SqliteDocuments
    engine: Documents = dying(base, at)(mongo or data_dir / "homeroom.sqlite")
    writing_round.AT_ONCE = 2
    desk = MakingDesk(engine, clock=FakeClock(utc_now() + timedelta(minutes=minutes)))
    desk.ask(key=QUIZ, count=COUNT)
    desk.quizzes.make(desk.student, QuizRequest(sources=(PASTED,), product="cards", count=COUNT), key=CARDS)
    desk.run()


def main(data_dir: str, mongo: str, *writes: str) -> None:
    # What is imported now, no child imports again.
    MakingDesk(FakeDocuments()).make()
    for minutes, at in enumerate(map(int, writes)):
        child = os.fork()
        if not child:
            make_on(Path(data_dir), mongo, at=at, minutes=minutes)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
