"""The jobs loop: one process works at a time, a failing job harms nobody, a dead holder is succeeded."""

import threading

import pytest

from services.errors import StorageUnavailable
from services.runtime.clock import utc_now
from services.storage.documents import Documents
from services.storage.leases import Leases
from services.storage.store import Store
from services.wiring.jobs_loop import JobsLoop
from tests.agent_fakes import WAIT_S
from tests.fakes import FakeClock
from tests.rooms import RoomMaker

pytestmark = pytest.mark.any_store


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(utc_now())


def loop(engine: Documents, clock: FakeClock, done: list[str], name: str) -> JobsLoop:
    return JobsLoop(Leases(Store(engine), clock), {"note": lambda: done.append(name)}, every_s=0.01)


@pytest.mark.each_store
def test_only_one_of_two_replicas_works(engine: Documents, clock: FakeClock) -> None:
    done: list[str] = []
    first, second = loop(engine, clock, done, "first"), loop(engine, clock, done, "second")

    assert first.run_once()
    assert not second.run_once()
    assert first.run_once()

    assert done == ["first", "first"]


def test_loops_with_leases_of_their_own_do_not_wait_for_each_other(engine: Documents, clock: FakeClock) -> None:
    done: list[str] = []
    leases = Leases(Store(engine), clock)
    first = JobsLoop(leases, {"note": lambda: done.append("first")})
    other = JobsLoop(leases, {"note": lambda: done.append("other")}, name="reminders")

    assert first.run_once()
    assert other.run_once()

    assert done == ["first", "other"]


@pytest.mark.each_store
@pytest.mark.parametrize("field", ["kind", "holder", "until", "student", "work"])
@pytest.mark.parametrize("value", [None, 17, {"later": 1}])
def test_a_lease_that_cannot_be_read_stops_no_loop(
    engine: Documents, clock: FakeClock, field: str, value: object
) -> None:
    done: list[str] = []
    dead, next_one = loop(engine, clock, done, "dead"), loop(engine, clock, done, "next")
    assert dead.run_once()
    stored = engine.find("leases", {"id": "jobs"})[0]
    stored |= {field: value}
    engine.put("leases", {name: kept for name, kept in stored.items() if kept is not None})
    clock.advance(seconds=60)

    assert next_one.run_once()
    assert not dead.run_once()
    assert next_one.run_once()


@pytest.mark.parametrize("field", ["kind", "student", "work"])
def test_a_living_holder_goes_on_whatever_else_its_lease_lost(engine: Documents, clock: FakeClock, field: str) -> None:
    done: list[str] = []
    alive, other = loop(engine, clock, done, "alive"), loop(engine, clock, done, "other")
    assert alive.run_once()
    stored = engine.find("leases", {"id": "jobs"})[0]
    engine.put("leases", {name: value for name, value in stored.items() if name != field})

    assert not other.run_once()
    assert alive.run_once()


def test_a_dead_holder_is_succeeded_and_does_not_come_back(engine: Documents, clock: FakeClock) -> None:
    done: list[str] = []
    dead, next_one = loop(engine, clock, done, "dead"), loop(engine, clock, done, "next")
    dead.run_once()
    clock.advance(seconds=60)

    assert next_one.run_once()
    assert not dead.run_once()

    assert done == ["dead", "next"]


def test_a_lease_from_before_the_clock_was_set_back_is_free(engine: Documents, clock: FakeClock) -> None:
    """Fault R71, where nobody could work until the old time comes again."""
    done: list[str] = []
    dead, next_one = loop(engine, clock, done, "dead"), loop(engine, clock, done, "next")
    clock.advance(hours=3)
    dead.run_once()
    clock.advance(hours=-3)

    assert next_one.run_once()

    assert done == ["dead", "next"]


def test_a_loop_that_stops_hands_over_at_once(engine: Documents, clock: FakeClock) -> None:
    done: list[str] = []
    first, second = loop(engine, clock, done, "first"), loop(engine, clock, done, "second")
    first.run_once()

    first.stop()

    assert second.run_once()


def test_a_failing_job_does_not_keep_the_others_back(
    engine: Documents, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []

    def crash() -> None:
        raise RuntimeError("a student's text")

    def fail() -> None:
        raise StorageUnavailable("The store is down.")

    jobs = JobsLoop(Leases(Store(engine), clock), {"crash": crash, "fail": fail, "note": lambda: done.append("ran")})
    jobs.run_once()

    assert done == ["ran"]
    assert "job_crashed job=crash" in caplog.text
    assert "job_failed job=fail" in caplog.text
    assert "student's text" not in caplog.text


def test_it_begins_at_once_and_ends_when_it_is_told(engine: Documents, clock: FakeClock) -> None:
    ran = threading.Event()
    jobs = JobsLoop(Leases(Store(engine), clock), {"note": ran.set}, every_s=60)

    jobs.start()
    was_run = ran.wait(WAIT_S)
    jobs.stop()

    assert was_run


def test_the_rooms_own_loop_recovers_and_retries_revocations(room: RoomMaker) -> None:
    maya = room()

    assert maya.services.jobs.run_once()
