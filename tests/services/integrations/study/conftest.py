"""A Homeroom with a scripted model, where Maya has connected nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.storage.sqlite import SqliteDocuments
from tests.agent_fakes import FakeModel, says
from tests.rooms import Room, RoomMaker


@pytest.fixture
def room(tmp_path: Path) -> Iterator[RoomMaker]:
    made: list[Room] = []

    def make(*script: object, **more: object) -> Room:
        engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
        model = FakeModel(*(script or (says("Hello."),)))
        made.append(Room(engine=engine, data_dir=tmp_path, model=model, **more))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for each in made:
        each.services.turns.drain(5)
        each.engine.close()  # type: ignore[attr-defined]
