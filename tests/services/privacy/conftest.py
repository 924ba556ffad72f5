"""A student with something in every collection, and what stands in the database, read past the services."""

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pymongo import MongoClient

from services.files.upload import Upload
from services.identity.students import Student
from services.privacy.data_inventory import DATA_INVENTORY
from services.runtime.clock import utc_now
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from tests.agent_fakes import calls, says
from tests.fakes import FakeClock
from tests.room_fixtures import engine_clock, room, sqlite_with_tables  # noqa: F401 - fixtures
from tests.rooms import Room, RoomMaker

CANARY = "marmalade"
"""A word of the student's own, in whatever of theirs has words."""


@dataclass(frozen=True)
class Database:
    engine: Documents
    raw: Callable[[], dict[str, str]]
    """The bare text of every collection that holds anything, by name."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(utc_now())


@pytest.fixture(params=["sqlite", "mongo"])
def database(request: pytest.FixtureRequest, tmp_path: Path, clock: FakeClock) -> Iterator[Database]:
    if request.param == "sqlite":
        path = tmp_path / "homeroom.sqlite"
        kept = Database(sqlite_with_tables(path, clock), lambda: _tables(path))
    else:
        uri, name = request.getfixturevalue("mongo_uri"), f"test_{secrets.token_hex(4)}"
        kept = Database(MongoDocuments(f"{uri}/{name}", clock=clock), lambda: _mongo(uri, name))
    yield kept
    kept.engine.close()


@pytest.fixture
def engine(database: Database) -> Documents:
    return database.engine


@pytest.fixture
def whole(room: RoomMaker, clock: FakeClock) -> Room:  # noqa: F811 - the fixture
    """A Homeroom in which Maya has something of everything."""
    made = room(
        calls(("board_read", {"topic": CANARY})),
        says(f"There is {CANARY} on the board."),
        calls(("board_pin", {"text": f"Buy {CANARY}"})),
        clock=clock,
    )
    made.ask(f"What about {CANARY}?")
    made.ask(f"Pin {CANARY}!")
    fill(made, made.maya)
    return made


def fill(home: Room, student: Student) -> None:
    """Give a student an e-mail address, a key, and one document in each collection that has none of theirs yet."""
    home.services.students.sign_in(
        issuer="https://id.example",
        subject=student.name.casefold(),
        name=student.name,
        email=f"{student.name.casefold()}@school.example",
        is_email_verified=True,
    )
    home.services.keys.create(student, label=f"My {CANARY} script", scopes=["read"])
    home.services.connections.begin_oauth(student.id, "board")
    file = Upload(name=f"{CANARY}.txt", content=CANARY.encode())
    files = home.services.conversations.files
    files.store_files(student.id, "c", files.check_uploads(student.id, [file]))
    library = home.services.materials
    library.add_upload(student, library.add_own_course(student, f"{CANARY} course").key, file)
    home.services.classroom.classes.create_for_course(student, id=secrets.token_hex(8), name="Biology")
    for kept in DATA_INVENTORY:
        if kept.documents(home.services.store, student.id) or kept.collection in ("revocations", "departures"):
            continue
        document = {"id": f"{student.id}-{kept.collection}", "note": CANARY}
        if kept.field is None:
            home.services.store.for_student(student.id).insert(kept.collection, {**document, **_FIELDS})
        else:
            home.services.store.shared.insert(
                kept.collection, {**document, **kept.where(home.services.store, student.id)}
            )


_LATER = "2999-01-01T00:00:00.000000+00:00"
_FIELDS = {"conversation_id": "c", "seq": 1, "expires_at": _LATER, "kept_until": _LATER}


def _tables(path: Path) -> dict[str, str]:
    with sqlite3.connect(path) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}
    return {name: str(rows) for name, rows in found.items() if rows}


def _mongo(uri: str, name: str) -> dict[str, str]:
    client: MongoClient[dict[str, object]] = MongoClient(uri)
    with client:
        database = client[name]
        found = {
            list_collection_name: list(database[list_collection_name].find({}))
            for list_collection_name in database.list_collection_names()
        }
    return {name: json.dumps(rows, default=str, ensure_ascii=False) for name, rows in found.items() if rows}
