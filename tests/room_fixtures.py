"""Fixtures of rooms; a test package takes them in through its conftest."""

import secrets
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from services.runtime.clock import Clock
from services.storage.collections import COLLECTIONS
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.agent_fakes import FakeModel, says
from tests.fakes import FollowedClock
from tests.rooms import Room, RoomMaker


@pytest.fixture
def engine_clock() -> FollowedClock:
    """What expires goes by the engine's clock: it is the room's, or a test would hold for one season only."""
    return FollowedClock()


@cache
def _empty_database() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite"
        engine = SqliteDocuments(path)
        engine.ensure_collections(COLLECTIONS)
        engine.close()
        return path.read_bytes()


def sqlite_with_tables(path: Path, clock: Clock) -> SqliteDocuments:
    """An engine over a copy of a database with every table: to make them anew is a fifth of a short test."""
    path.write_bytes(_empty_database())
    path.chmod(0o600)
    return SqliteDocuments(path, clock=clock)


@pytest.fixture(params=["sqlite", "mongo"])
def engine(request: pytest.FixtureRequest, tmp_path: Path, engine_clock: FollowedClock) -> Iterator[Documents]:
    """Each real engine in turn."""
    if request.param == "sqlite":
        engine: Documents = sqlite_with_tables(tmp_path / "homeroom.sqlite", engine_clock)
        yield engine
        engine.close()
        return
    client, name = request.getfixturevalue("mongo_client"), f"test_{secrets.token_hex(4)}"
    engine = MongoDocuments(f"{request.getfixturevalue('mongo_uri')}/{name}", clock=engine_clock)
    yield engine
    engine.close()
    # The server's work grows with what it keeps: forty collections for each test.
    client.drop_database(name)


@pytest.fixture
def room(engine: Documents, engine_clock: FollowedClock, tmp_path: Path) -> Iterator[RoomMaker]:
    """Make a room whose model plays this script; its student's board is connected unless told otherwise."""
    made: list[Room] = []

    def make(*script: object, is_connected: bool = True, **more: object) -> Room:
        model = FakeModel(*(script or (says("Hello there."),)))
        room = Room(engine=engine, data_dir=tmp_path, model=model, **more)  # type: ignore[arg-type]
        engine_clock.follows = room.clock
        made.append(room)
        if is_connected:
            room.connect()
        return room

    yield make
    for made_room in made:
        made_room.services.jobs.stop()
        made_room.services.turns.drain(5)
