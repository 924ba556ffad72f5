"""Random work gives the same on the fake and on a real engine, answer by answer."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from pymongo import MongoClient

from services.errors import DuplicateDocument
from services.runtime.clock import stamp
from services.storage.documents import Documents
from services.storage.mongo import MongoDocuments
from services.storage.sqlite import SqliteDocuments
from tests.fakes import FakeClock, FakeDocuments
from tests.services.storage.shelf import COLLECTIONS

START = datetime(2040, 1, 2, tzinfo=UTC)
IDS = st.sampled_from(["a", "b", "c", "é", "a/b"])
# Few values, so that they meet often, and each of them easily taken for another.
TEXTS = st.sampled_from(["", "1", "true", "é", "🧑", "[1]", "'\"\\"])
NUMBERS = st.sampled_from([0, 1, 1.0, 1.5, 2**63 - 1])
RANKS = st.none() | NUMBERS | TEXTS
SCALARS = RANKS | st.booleans()
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.fixed_dictionaries({}, optional={"x": SCALARS, "y": SCALARS})
DEEP = st.fixed_dictionaries({}, optional={"x": SCALARS | st.lists(SCALARS, max_size=2), "y": st.just({"z": 1})})
ORDERED = NUMBERS | TEXTS
COMPARED = st.one_of(
    SCALARS,
    st.fixed_dictionaries({"$ne": SCALARS}),
    st.fixed_dictionaries({"$in": st.lists(SCALARS, max_size=3)}),
    st.fixed_dictionaries({"$nin": st.lists(SCALARS, max_size=3)}),
    st.fixed_dictionaries({}, optional={"$gt": ORDERED, "$lte": ORDERED}),
    st.fixed_dictionaries({}, optional={"$gte": ORDERED, "$lt": ORDERED, "$ne": SCALARS}),
)
FIELDS = ["v", "rank", "deep.x", "place", "id", "deep.y.z", "absent"]
WHERES = st.dictionaries(st.sampled_from(FIELDS), COMPARED, max_size=2)
FREE = {"rank": RANKS, "v": VALUES, "deep": DEEP, "n": NUMBERS}
BOOKS = st.fixed_dictionaries({"id": IDS, "shelf": st.just("A"), "place": st.integers(0, 3)}, optional=FREE)
CHANGES = st.fixed_dictionaries({}, optional={**FREE, "place": st.integers(0, 3)})


class Comparison(RuleBasedStateMachine):
    """Every rule asks both engines the same and compares what they say."""

    def __init__(self, make: Callable[[FakeClock], Documents]) -> None:
        super().__init__()
        self.clock = FakeClock(START)
        self.engines = [FakeDocuments(clock=self.clock), make(self.clock)]
        for engine in self.engines:
            engine.ensure_collections(COLLECTIONS)

    @rule(document=BOOKS)
    def insert(self, document: dict[str, Any]) -> None:
        self.same(lambda engine: engine.insert("books", document))

    @rule(document=BOOKS)
    def put(self, document: dict[str, Any]) -> None:
        self.same(lambda engine: engine.put("books", document))

    @rule(id=IDS, expected=WHERES, changes=CHANGES)
    def compare_and_set(self, id: str, expected: dict[str, Any], changes: dict[str, Any]) -> None:
        self.same(lambda engine: engine.compare_and_set("books", id, expected, changes))

    @rule(document=BOOKS, amount=st.sampled_from([1, -2, 0.5]))
    def increment(self, document: dict[str, Any], amount: float) -> None:
        amounts = {"m": amount, "k": 1}
        self.same(lambda engine: engine.increment("books", document["id"], amounts, defaults=document))

    @rule(where=WHERES)
    def delete(self, where: dict[str, Any]) -> None:
        self.same(lambda engine: engine.delete("books", where))

    @rule(where=WHERES, down=st.booleans(), limit=st.none() | st.integers(0, 3))
    def find(self, where: dict[str, Any], down: bool, limit: int | None) -> None:
        order = [("rank", -1 if down else 1), ("id", 1)]
        self.same(lambda engine: engine.find("books", where, order=order, limit=limit))
        self.same(lambda engine: engine.count("books", where))

    @rule(id=IDS)
    def get(self, id: str) -> None:
        self.same(lambda engine: engine.get("books", id))

    @rule(verb=st.sampled_from(["insert", "put"]), id=IDS, seat=st.integers(0, 2), lives=st.integers(-1, 3))
    def keep_ticket(self, verb: str, id: str, seat: int, lives: int) -> None:
        ticket = {"id": id, "seat": seat, "expires_at": stamp(self.clock() + timedelta(seconds=lives))}
        self.same(lambda engine: getattr(engine, verb)("tickets", ticket))

    @rule(id=IDS, seat=st.integers(0, 2))
    def swap_ticket(self, id: str, seat: int) -> None:
        self.same(lambda engine: engine.compare_and_set("tickets", id, {"seat": {"$ne": seat}}, {"seat": seat}))

    @rule(seconds=st.integers(1, 2))
    def wait(self, seconds: int) -> None:
        self.clock.advance(seconds=seconds)

    @invariant()
    def everything_is_the_same(self) -> None:
        for collection in ("books", "tickets"):
            self.same(lambda engine, name=collection: engine.find(name, {}, order=[("id", 1)]))

    def teardown(self) -> None:
        for engine in self.engines:
            engine.close()

    def same(self, call: Callable[[Documents], Any]) -> None:
        expected, found = (_outcome(call, engine) for engine in self.engines)
        assert found == expected


def _outcome(call: Callable[[Documents], Any], engine: Documents) -> Any:
    try:
        return call(engine)
    except (DuplicateDocument, ValueError) as error:
        return type(error)


def _compare(make: Callable[[FakeClock], Documents], *, examples: int) -> None:
    run_state_machine_as_test(
        lambda: Comparison(make),
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_sqlite_answers_as_the_fake_does(tmp_path: Path) -> None:
    _compare(lambda clock: SqliteDocuments(tmp_path / f"{secrets.token_hex(4)}.sqlite", clock=clock), examples=60)


def test_mongo_answers_as_the_fake_does(mongo_uri: str) -> None:
    name = f"test_{secrets.token_hex(4)}"

    def emptied(clock: FakeClock) -> MongoDocuments:
        for collection in COLLECTIONS:
            client[name][collection.name].delete_many({})
        return MongoDocuments(f"{mongo_uri}/{name}", clock=clock)

    with MongoClient(mongo_uri) as client:
        _compare(emptied, examples=15)
