"""Due work: the oldest first, each student in turn, and whatever happens to a record, the others go on."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.errors import StorageUnavailable
from services.runtime.clock import stamp
from services.runtime.metrics_registry import RECORDS_PASSED_OVER, MetricsRegistry
from services.storage.due_queue import ROUND_S, DueQueue
from services.storage.record_guard import MOST_OUTAGES, RecordGuard
from services.storage.store import Store
from tests.fakes import FakeClock
from tests.room_fixtures import sqlite_with_tables

COLLECTION = "reminders"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 23, 13, 5, tzinfo=UTC))


@pytest.fixture
def registry() -> MetricsRegistry:
    return MetricsRegistry()


@pytest.fixture
def store(clock: FakeClock, registry: MetricsRegistry, tmp_path: Path) -> Iterator[Store]:
    store = Store(sqlite_with_tables(tmp_path / "homeroom.sqlite", clock), RecordGuard(registry, clock))
    yield store
    store.close()


def queue_of(store: Store, clock: FakeClock, *, moves: bool = True, **more: object) -> DueQueue:
    return DueQueue(
        store=store,
        job="remind",
        collection=COLLECTION,
        due_field="due_at",
        clock=clock,
        moves=moves,
        **more,  # type: ignore[arg-type]
    )


def add(store: Store, clock: FakeClock, student: str, *ids: str, ago_s: float = 60) -> None:
    batch = store.batch()
    for number, id in enumerate(ids):
        due_at = stamp(clock() - timedelta(seconds=ago_s) + timedelta(milliseconds=number))
        batch.for_student(student).insert(COLLECTION, {"id": id, "due_at": due_at})
    batch.commit()


def finishing(store: Store, done: list[str], *, broken: str = "") -> Callable[[str, str], None]:
    def work(student: str, id: str) -> None:
        done.append(f"{student}/{id}")
        if student == broken:
            raise KeyError("somebody's words")
        store.for_student(student).compare_and_set(COLLECTION, id, {}, {"due_at": None})

    return work


def test_the_oldest_comes_first_and_then_each_student_in_turn(store: Store, clock: FakeClock) -> None:
    add(store, clock, "maya", "m1", "m2", "m3", ago_s=90)
    add(store, clock, "diego", "d1", "d2", ago_s=60)
    add(store, clock, "ana", "a1", ago_s=70)
    done: list[str] = []

    queue_of(store, clock).run(finishing(store, done), limit=100)

    assert done == ["maya/m1", "ana/a1", "diego/d1", "maya/m2", "diego/d2", "maya/m3"]


@pytest.mark.parametrize("hogs", [1, 3])
def test_two_hundred_of_one_student_delay_each_other_by_one_place(store: Store, clock: FakeClock, hogs: int) -> None:
    names = [f"hog{number}" for number in range(hogs)]
    for name in names:
        add(store, clock, name, *(f"r{number}" for number in range(200)), ago_s=90)
    add(store, clock, "diego", "d1")
    done: list[str] = []

    queue_of(store, clock).run(finishing(store, done), limit=20)

    assert done.index("diego/d1") == hogs


def test_a_student_waits_for_one_piece_of_work_of_each_other_also_where_rounds_are_short(
    store: Store, clock: FakeClock
) -> None:
    now = [0.0]
    add(store, clock, "hog", *(f"r{number}" for number in range(30)), ago_s=90)
    add(store, clock, "diego", "d1")
    add(store, clock, "ana", "a1", ago_s=30)
    queue = queue_of(store, clock, monotonic=lambda: now[0])
    done: list[str] = []
    finish = finishing(store, done)

    def slowly(student: str, id: str) -> None:
        now[0] += ROUND_S + 1
        finish(student, id)

    rounds = [queue.run(slowly, limit=20) for _ in range(4)]

    assert rounds == [1, 1, 1, 1]
    assert done == ["hog/r0", "diego/d1", "ana/a1", "hog/r1"]


@pytest.mark.parametrize("moves", [True, False])
def test_what_fails_is_put_off_and_holds_up_nobody(
    store: Store, clock: FakeClock, registry: MetricsRegistry, caplog: pytest.LogCaptureFixture, moves: bool
) -> None:
    add(store, clock, "hog", *(f"r{number}" for number in range(150)), ago_s=90)
    add(store, clock, "diego", *(f"d{number}" for number in range(25)))
    queue, done = queue_of(store, clock, moves=moves), list[str]()

    for _ in range(8):
        queue.run(finishing(store, done, broken="hog"), limit=10)

    assert sum(name.startswith("diego/") for name in done) == 25
    tried = [name for name in done if name.startswith("hog/")]
    assert len(tried) == len(set(tried)), "what has failed just now is not tried again in the next rounds"
    assert registry.take()[(RECORDS_PASSED_OVER.name, "remind", COLLECTION)] == len(tried)
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == len(tried)
    assert "record=hog/r0 at=KeyError@" in lines[0]
    assert "somebody's words" not in caplog.text


def test_a_record_is_logged_once_and_tried_more_and_more_rarely(
    store: Store, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    add(store, clock, "maya", "m1")
    queue, tried = queue_of(store, clock), list[str]()

    for _ in range(24 * 60):
        queue.run(finishing(store, tried, broken="maya"), limit=10)
        clock.advance(seconds=60)

    assert len(caplog.records) == 1
    assert 24 <= len(tried) <= 32


def test_what_its_work_leaves_due_goes_behind_what_waits(store: Store, clock: FakeClock) -> None:
    add(store, clock, "maya", *(f"m{number}" for number in range(30)))
    queue, done = queue_of(store, clock), list[str]()

    for _ in range(3):
        queue.run(lambda student, id: done.append(id), limit=10)

    assert len(set(done)) == 30


def test_records_without_an_owner_or_an_id_are_passed_over(store: Store, clock: FakeClock) -> None:
    engine = store._engine
    for number in range(25):
        engine.put(COLLECTION, {"id": f"odd{number}", "due_at": stamp(clock() - timedelta(hours=1))})
    engine.put(COLLECTION, {"id": "x", "owner": "maya", "due_at": stamp(clock() - timedelta(hours=1))})
    add(store, clock, "diego", "d1")
    done: list[str] = []

    queue_of(store, clock).run(finishing(store, done), limit=10)

    assert done == ["diego/d1"]


def test_a_store_that_is_away_ends_the_round_and_one_slow_answer_does_not(store: Store, clock: FakeClock) -> None:
    add(store, clock, "maya", *(f"m{number}" for number in range(9)))
    done: list[str] = []

    def away(student: str, id: str) -> None:
        done.append(id)
        raise StorageUnavailable("The store is away.")

    with pytest.raises(StorageUnavailable):
        queue_of(store, clock).run(away, limit=20)

    assert len(done) == MOST_OUTAGES
