"""Misses keep ideas and labels, nobody's words, and become candidates once several students have them."""

import json
from datetime import UTC, datetime

import pytest

from services.discovery.contexts import CONTEXT_NAMES
from services.discovery.retrieval_misses import COLLECTION, RETENTION, RetrievalMisses
from services.storage.store import Store
from tests.fakes import FakeClock, FakeDocuments
from training.dataset import read_file

MESSAGE = "Remind Zebulon Quackenbush (zeb@campus.example) about my zygote homework on Friday at 3:30pm, tel. 5550199"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 11, 21, 12, 34, 56, tzinfo=UTC))


@pytest.fixture
def store(clock: FakeClock) -> Store:
    return Store(FakeDocuments(clock=clock))


@pytest.fixture
def misses(store: Store, clock: FakeClock) -> RetrievalMisses:
    return RetrievalMisses(store, clock)


def test_nothing_that_identifies_is_kept(misses: RetrievalMisses, store: Store) -> None:
    misses.record_miss("maya", MESSAGE, found=["courses"], needed=["calendar"])

    kept = json.dumps(store.for_student("maya").find(COLLECTION, {})).lower()
    for word in ("zebulon", "quackenbush", "zeb@", "zygote", "3:30", "5550199", "12:34"):
        assert word not in kept
    assert '"remind"' in kept


def test_what_several_students_missed_becomes_a_line_of_training_data(misses: RetrievalMisses, tmp_path) -> None:
    for student in ("maya", "ben"):
        misses.record_miss(student, MESSAGE, found=[], needed=["calendar", "a_server_of_ours"])

    (candidate,) = misses.candidates()
    path = tmp_path / "candidates.jsonl"
    path.write_text(json.dumps(candidate), encoding="utf-8")
    (row,) = read_file(path)
    assert row.contexts == {"calendar"} < set(CONTEXT_NAMES)
    assert "xxweekday" in row.message
    assert candidate["times"] == 2


def test_a_tool_that_its_context_did_not_bring_becomes_a_line_that_names_it(misses: RetrievalMisses) -> None:
    for student in ("maya", "ben"):
        misses.record_miss(student, MESSAGE, found=["calendar"], needed=[], tools=["reminders_create"])

    (candidate,) = misses.candidates()
    assert (candidate["tools"], candidate["contexts"]) == (["reminders_create"], ["calendar"])


def test_what_one_student_missed_is_shown_to_nobody(misses: RetrievalMisses) -> None:
    misses.record_miss("maya", MESSAGE, found=[], needed=["calendar"])
    misses.record_miss("maya", MESSAGE, found=[], needed=["calendar"])

    assert list(misses.candidates()) == []


def test_what_follows_up_says_nothing_alone(misses: RetrievalMisses) -> None:
    for student in ("maya", "ben"):
        misses.record_miss(student, "and on Friday?", found=[], needed=["calendar"], is_followup=True)

    assert list(misses.candidates()) == []


def test_misses_end_by_themselves(misses: RetrievalMisses, store: Store, clock: FakeClock) -> None:
    misses.record_miss("maya", MESSAGE, found=[], needed=["calendar"])
    clock.at += RETENTION

    assert store.for_student("maya").find(COLLECTION, {}) == []
