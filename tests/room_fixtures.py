"""Fixtures of rooms; a test package takes them in through its conftest."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.agent_fakes import FakeModel, says
from tests.rooms import Room, RoomMaker


@pytest.fixture(params=["sqlite", "mongo"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Documents]:
    """Each real engine in turn."""
    if request.param == "sqlite":
        engine: Documents = SqliteDocuments(tmp_path / "homeroom.sqlite")
    else:
        engine = MongoDocuments(f"{request.getfixturevalue('mongo_uri')}/test_{secrets.token_hex(4)}")
    yield engine
    engine.close()


@pytest.fixture
def room(engine: Documents, tmp_path: Path) -> Iterator[RoomMaker]:
    """Make a room whose model plays this script; its student's board is connected unless told otherwise."""
    made: list[Room] = []

    def make(*script: object, is_connected: bool = True, **more: object) -> Room:
        model = FakeModel(*(script or (says("Hello there."),)))
        room = Room(engine=engine, data_dir=tmp_path, model=model, **more)  # type: ignore[arg-type]
        made.append(room)
        if is_connected:
            room.connect()
        return room

    yield make
    for one in made:
        one.services.jobs.stop()
        one.services.turns.drain(5)
