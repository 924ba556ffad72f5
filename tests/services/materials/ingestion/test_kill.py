"""kill -9 while a course is read in: what is stored is whole and not read again; the next process goes on (R77)."""

import random
import secrets
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from services.materials.results import CourseState
from services.runtime.clock import utc_now
from services.settings import ROOT
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeClock
from tests.services.materials.ingestion.killed_reading import FILES, course
from tests.services.materials.school import BIOLOGY, LibraryRoom


@pytest.mark.parametrize(
    ("kind", "kills"),
    # MongoDB's batches can be cut in the middle; SQLite's are one write.
    [("mongo", 4), *(pytest.param(kind, 60, marks=pytest.mark.soak) for kind in ("sqlite", "mongo"))],
)
def test_a_killed_reading_is_gone_on_with(
    kind: str, kills: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    mongo = f"{request.getfixturevalue('mongo_uri')}/kills_{secrets.token_hex(4)}" if kind == "mongo" else ""
    # The processes that are killed go by the real time.
    clock, path = FakeClock(utc_now()), tmp_path / "homeroom.sqlite"
    engine: Documents = MongoDocuments(mongo, clock=clock) if mongo else SqliteDocuments(path, clock=clock)
    room = LibraryRoom(engine, tmp_path, school=course(), clock=clock)
    room.library.courses(room.maya)
    chance = random.Random(kills)
    deaths = [chance.randint(4, 40 if mongo else 16) for _ in range(kills)]

    ended = subprocess.run(
        [sys.executable, "-m", "tests.services.materials.ingestion.killed_reading", str(tmp_path), mongo, room.maya.id]
        + [str(at) for at in (*deaths, 0)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert ended.returncode == 0, ended.stderr[-2000:]
    codes = [int(line) for line in ended.stdout.split()]
    assert codes[-1] == 0
    assert codes.count(-9) >= min(kills, 3)
    _require_whole(room, killed=codes.count(-9))
    engine.close()


def _require_whole(room: LibraryRoom, *, killed: int) -> None:
    (biology, _) = room.library.courses(room.maya, live=False).courses
    assert (biology.state, biology.read, biology.pages) == (CourseState.READY, FILES, 2 * FILES)
    fetched = (room.data_dir / "fetched").read_text().split()
    # What one process had fetched and not stored is fetched again by the next, and nothing else.
    assert len(fetched) <= FILES + killed
    for id, content in room.school.contents.items():
        if id.startswith(BIOLOGY):
            pages = room.library.pages(room.maya, id).pages
            assert "".join(page.text for page in pages) == content.decode()
    # A day after the real time of those processes.
    room.clock.at = utc_now() + timedelta(days=2)
    room.services.material_retention.tidy_due()
    # The first file is so short that one part holds both pages.
    assert room.stored("material_texts") == 2 * FILES - 1
    assert room.stored("material_indexes") == FILES
