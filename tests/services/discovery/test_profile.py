"""What a student uses breaks ties, as counters without a word."""

from datetime import UTC, datetime

import pytest

from services.discovery.usage import FEWEST_USES, LARGEST_BIAS, PROFILES, UsageProfiles, profile_bias
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments


@pytest.fixture
def store() -> Store:
    return Store(FakeDocuments(clock=FakeClock(datetime(2026, 11, 21, tzinfo=UTC))))


def test_shares_are_told_once_there_is_enough(store: Store) -> None:
    profiles = UsageProfiles(store)
    for _ in range(FEWEST_USES - 1):
        profiles.add("maya", ["courses"])
    assert profiles.of("maya") == {}

    profiles.add("maya", ["notes"])
    assert profiles.of("maya") == {"courses": 0.9, "notes": 0.1}
    assert profiles.of("ben") == {}


def test_only_numbers_are_kept(store: Store) -> None:
    UsageProfiles(store).add("maya", ["courses", "notes"])

    (document,) = store.of("maya").find(PROFILES, {})
    assert document == {"id": "all", "of_courses": 1, "of_notes": 1}


def test_habits_lean_a_little_and_never_more() -> None:
    assert profile_bias({}, "courses") == 0
    assert profile_bias({"courses": 1.0}, "courses") == pytest.approx(LARGEST_BIAS)
    assert (
        profile_bias({"courses": 0.9, "notes": 0.1}, "notes")
        < 0
        < profile_bias({"courses": 0.9, "notes": 0.1}, "courses")
    )
    assert profile_bias({"courses": 1.0}, "news") >= -LARGEST_BIAS
