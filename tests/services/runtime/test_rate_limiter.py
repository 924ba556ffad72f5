"""Rate limits: never one use too many, whichever replica it comes from, and never one too few."""

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.errors import StorageUnavailable
from services.runtime.clock import Clock
from services.runtime.rate_limiter import LocalRateLimiter, RateLimit, RateLimiter, SlidingWindow, TokenBucket
from services.storage.documents import Documents
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments, FollowedClock

pytestmark = pytest.mark.any_store

BUCKET = TokenBucket(burst=3, per_second=0.5)
WINDOW = SlidingWindow(calls=2, seconds=60)
NEVER = 10**9
"""Seconds between two uses that no test waits for."""


class CountedStates:
    """The shared documents, counted by verb; `is_down` as a store that does not answer."""

    def __init__(self, engine: Documents) -> None:
        self._shared = Store(engine).shared
        self.asked: Counter[str] = Counter()
        self.is_down = False

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if self.is_down:
                raise StorageUnavailable("The store is away.")
            self.asked[verb] += 1
            return getattr(self._shared, verb)(*arguments)

        return call


def replica(engine: Documents, clock: Clock) -> RateLimiter:
    return RateLimiter(Store(engine).shared, clock)


@pytest.fixture
def clock(engine_clock: FollowedClock) -> FakeClock:
    clock = FakeClock()
    engine_clock.follows = clock
    return clock


def test_two_replicas_over_one_store_share_a_limit(engine: Documents, clock: FakeClock) -> None:
    here, there = replica(engine, clock), replica(engine, clock)

    waits = [limiter.acquire("key", BUCKET) for limiter in (here, there, here, there, here)]

    assert waits == [0.0, 0.0, 0.0, 2.0, 2.0]


def test_a_limit_has_room_again_after_the_wait_that_it_named(engine: Documents, clock: FakeClock) -> None:
    here, there = replica(engine, clock), replica(engine, clock)
    assert [limiter.acquire("tool", WINDOW) for limiter in (here, there)] == [0.0, 0.0]
    clock.advance(seconds=40)
    wait_s = there.acquire("tool", WINDOW)
    clock.advance(seconds=wait_s)

    assert wait_s == 20.0
    assert [limiter.acquire("tool", WINDOW) for limiter in (here, there, here)] == [0.0, 0.0, 60.0]


@pytest.mark.each_store
def test_a_state_that_has_expired_is_a_fresh_one_everywhere(engine: Documents, clock: FakeClock) -> None:
    here, there = replica(engine, clock), replica(engine, clock)
    for limiter in (here, here, there):
        assert limiter.acquire("key", BUCKET) == 0.0
    clock.advance(days=2)

    assert [limiter.acquire("key", BUCKET) for limiter in (there, here, there, here)] == [0.0, 0.0, 0.0, 2.0]


@pytest.mark.parametrize(("limit", "uses"), [(BUCKET, 3), (WINDOW, 2)])
def test_a_clock_that_was_set_back_locks_nobody_out(limit: RateLimit, uses: int) -> None:
    """What a clock an hour ahead has counted would count for an hour more."""
    clock = FakeClock()
    engine = FakeDocuments(clock=clock)
    limiter = replica(engine, clock)
    assert [limiter.acquire("key", limit) for _ in range(uses)] == [0.0] * uses
    clock.advance(hours=-1)

    waits = [replica(engine, clock).acquire("key", limit) for _ in range(uses)]

    assert [*waits, limiter.acquire("key", limit) > 0] == [*[0.0] * uses, True]


def test_a_clock_that_is_moments_behind_counts_what_another_one_counted() -> None:
    clock, behind = FakeClock(), FakeClock()
    engine = FakeDocuments(clock=clock)
    behind.advance(seconds=-30)
    assert [replica(engine, clock).acquire("key", WINDOW) for _ in range(2)] == [0.0, 0.0]

    assert replica(engine, behind).acquire("key", WINDOW) == 90.0


def test_names_do_not_share_a_limit(engine: Documents, clock: FakeClock) -> None:
    limiter = replica(engine, clock)

    assert [limiter.acquire(name, SlidingWindow(calls=1, seconds=9)) for name in ("maya", "diego", "maya")] == [0, 0, 9]


@pytest.mark.parametrize("limit", [TokenBucket(burst=20, per_second=1 / NEVER), SlidingWindow(calls=20, seconds=NEVER)])
@pytest.mark.each_store
def test_of_many_that_come_at_once_exactly_as_many_get_through_as_may(
    engine: Documents, clock: FakeClock, limit: RateLimit
) -> None:
    limiters = [replica(engine, clock) for _ in range(2)]
    admitted: list[bool] = []

    def come(number: int) -> None:
        admitted.extend(not limiters[number % 2].acquire("key", limit) for _ in range(5))

    threads = [threading.Thread(target=come, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(admitted), sum(admitted)) == (40, 20)


def test_the_usual_use_is_one_write_and_a_refused_one_asks_no_store() -> None:
    clock = FakeClock()
    states = CountedStates(FakeDocuments(clock=clock))
    limiter = RateLimiter(states, clock)

    waits = [limiter.acquire("key", BUCKET) for _ in range(10)]

    assert waits.count(0.0) == 3
    assert states.asked == {"insert": 1, "compare_and_set": 2}


def test_while_the_store_is_away_each_process_counts_on_and_the_uses_count_afterwards() -> None:
    clock = FakeClock()
    engine = FakeDocuments(clock=clock)
    states = CountedStates(engine)
    limiter = RateLimiter(states, clock)
    assert limiter.acquire("tool", SlidingWindow(calls=4, seconds=60)) == 0.0
    states.is_down = True

    in_the_outage = [limiter.acquire("tool", SlidingWindow(calls=3, seconds=60)) for _ in range(3)]
    states.is_down = False
    afterwards = [limiter.acquire("tool", SlidingWindow(calls=4, seconds=60)) for _ in range(2)]

    assert in_the_outage == [0.0, 0.0, 60.0]
    assert afterwards == [0.0, 60.0]
    assert replica(engine, clock).acquire("tool", SlidingWindow(calls=4, seconds=60)) == 60.0


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 30)), max_size=60))
def test_no_window_ever_holds_more_uses_than_the_limit(uses: list[tuple[int, int]]) -> None:
    """Against a plain list of all uses, from two replicas, with pauses of any length."""
    clock = FakeClock()
    engine = FakeDocuments(clock=clock)
    limiters = [replica(engine, clock) for _ in range(2)]
    used: list[float] = []
    for who, pause_s in uses:
        clock.advance(seconds=pause_s)
        now = clock().timestamp()
        has_room = sum(moment > now - 60 for moment in used) < 3

        wait_s = limiters[who].acquire("tool", SlidingWindow(calls=3, seconds=60))

        assert (wait_s == 0.0) is has_room
        used += [now] if has_room else []


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 8)), max_size=60))
def test_a_bucket_gives_its_burst_and_what_has_run_in_since_and_no_more(uses: list[tuple[int, int]]) -> None:
    clock = FakeClock()
    engine = FakeDocuments(clock=clock)
    limiters = [replica(engine, clock) for _ in range(2)]
    tokens = 3.0
    for who, pause_s in uses:
        clock.advance(seconds=pause_s)
        tokens = min(3.0, tokens + pause_s * 0.5)

        wait_s = limiters[who].acquire("key", BUCKET)

        assert wait_s == (0.0 if tokens >= 1 else (1 - tokens) / 0.5)
        tokens -= 1.0 if tokens >= 1 else 0.0


def test_a_local_limit_spends_amounts() -> None:
    now = [0.0]
    limiter = LocalRateLimiter(TokenBucket(burst=60, per_second=1), clock=lambda: now[0])

    assert limiter.spend(50)
    assert not limiter.spend(11)
    assert limiter.spend(10)
    now[0] = 5.0
    assert limiter.spend(5)
    assert not limiter.spend(1)
    limiter.refill()
    assert limiter.spend(60)
