"""A batch goes to MongoDB in as few commands as its order allows, and an older server keeps the same laws."""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from services.errors import DuplicateDocument, WriteConflict
from services.runtime.clock import stamp
from services.storage import mongo
from services.storage.documents import Operation, Write
from services.storage.mongo import MongoDocuments
from services.storage.mongo_bulk import HEAVIEST, MOST_TOGETHER
from tests.fakes import FakeClock
from tests.mongo_commands import COMMANDS
from tests.services.storage.shelf import COLLECTIONS, book, ids


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(params=["server 8", "older server"])
def engine(
    request: pytest.FixtureRequest, clock: FakeClock, mongo_uri: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MongoDocuments]:
    if request.param == "older server":
        monkeypatch.setattr(mongo, "takes_bulks_across", lambda client: False)
    engine = MongoDocuments(f"{mongo_uri}/test_{secrets.token_hex(4)}", clock=clock)
    engine.ensure_collections(COLLECTIONS)
    engine.ping()
    engine.find("notes", {})
    yield engine
    engine.close()


def write(operation: Operation, collection: str = "notes", **arguments: Any) -> Write:
    return Write(operation=operation, collection=collection, arguments=arguments)


def insertions(*numbers: int) -> list[Write]:
    return [write("insert", document={"id": f"n{number:04}"}) for number in numbers]


def test_a_hundred_inserts_are_one_command(engine: MongoDocuments) -> None:
    with COMMANDS.listening() as commands:
        engine.write_all(insertions(*range(100)))

    assert len(commands) == 1
    assert engine.count("notes", {}) == 100


def test_writes_to_several_collections_are_one_command_of_a_server_that_takes_them(engine: MongoDocuments) -> None:
    is_across = mongo.takes_bulks_across(engine._client)
    with COMMANDS.listening() as commands:
        engine.write_all(
            [
                write("insert", document={"id": "n1", "by": "first"}),
                write("put", "books", document=book("b1")),
                write("increment", id="n2", amounts={"n": 2}, defaults={"kind": "count"}),
                write("delete", "tickets", where={"id": "nobody"}),
                write("compare_and_set", id="n1", expected={"by": "first"}, changes={"by": "second"}),
            ]
        )

    assert len(commands) == (1 if is_across else 5)
    notes = [{"id": "n1", "by": "second"}, {"id": "n2", "n": 2, "kind": "count"}]
    assert engine.find("notes", {}, order=[("id", 1)]) == notes


def test_a_comparison_that_fails_stops_what_comes_after_it_and_nothing_before(engine: MongoDocuments) -> None:
    swap = write("compare_and_set", id="n0000", expected={"by": "nobody"}, changes={"by": "me"})
    with pytest.raises(WriteConflict):
        engine.write_all([*insertions(0, 1), swap, *insertions(2, 3)])

    assert ids(engine.find("notes", {})) == ["n0000", "n0001"]


def test_a_refused_write_stops_what_comes_after_it(engine: MongoDocuments) -> None:
    with pytest.raises(DuplicateDocument):
        engine.write_all(insertions(0, 1, 1, 2))

    assert ids(engine.find("notes", {})) == ["n0000", "n0001"]


def test_in_a_bulk_what_has_expired_makes_room_and_the_rest_is_done(engine: MongoDocuments, clock: FakeClock) -> None:
    def ticket(id: str, seat: int) -> Write:
        until = stamp(clock() + timedelta(minutes=10))
        return write("insert", "tickets", document={"id": id, "seat": seat, "expires_at": until})

    engine.write_all([ticket("t1", 1), ticket("t2", 2)])
    clock.advance(hours=1)
    engine.write_all([ticket("t0", 0), ticket("t2", 3), ticket("t4", 1), ticket("t5", 5)])

    assert ids(engine.find("tickets", {})) == ["t0", "t2", "t4", "t5"]


def test_counting_in_what_has_expired_begins_anew_in_a_batch_too(engine: MongoDocuments, clock: FakeClock) -> None:
    def count() -> Write:
        first = {"seat": 1, "expires_at": stamp(clock() + timedelta(minutes=10))}
        return write("increment", "tickets", id="t1", amounts={"n": 1}, defaults=first)

    engine.write_all([*insertions(0), count(), count()])
    clock.advance(hours=1)
    engine.write_all([*insertions(1), count()])

    assert [ticket["n"] for ticket in engine.find("tickets", {})] == [1]


def test_a_bulk_is_bounded_in_writes_and_in_weight(engine: MongoDocuments) -> None:
    heavy = [write("insert", "books", document=book(f"b{n}", place=n, text="x" * (HEAVIEST // 2))) for n in range(3)]
    with COMMANDS.listening() as commands:
        engine.write_all([*insertions(*range(MOST_TOGETHER + 1))])
        engine.write_all(heavy)

    assert len(commands) == 2 + 3
    assert engine.count("notes", {}) == MOST_TOGETHER + 1


def test_comparisons_travel_with_what_follows_them(engine: MongoDocuments) -> None:
    is_across = mongo.takes_bulks_across(engine._client)
    engine.write_all(insertions(0))
    swap = write("compare_and_set", id="n0000", expected={"by": None}, changes={"by": "first"})
    again = write("compare_and_set", id="n0000", expected={"by": "first"}, changes={"by": "second"})
    with COMMANDS.listening() as commands:
        engine.write_all([swap, *insertions(1), again, write("delete", where={"id": "n0001"})])

    # An older server takes each kind of write by itself.
    assert len(commands) == (1 if is_across else 4)
    assert engine.find("notes", {}) == [{"id": "n0000", "by": "second"}]


@pytest.mark.parametrize("id", ["n0000", "nobody"])
def test_a_comparison_that_matches_nothing_makes_nothing(engine: MongoDocuments, id: str) -> None:
    engine.write_all(insertions(0))
    swap = write("compare_and_set", id=id, expected={"by": {"$in": ["me", "you"]}}, changes={"by": "first"})
    with pytest.raises(WriteConflict):
        engine.write_all([swap, *insertions(1), write("delete", where={"id": "n0000"})])

    assert engine.find("notes", {}) == [{"id": "n0000"}]
