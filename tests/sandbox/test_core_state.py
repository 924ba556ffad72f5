"""The campus's memory."""

import os
import threading
from pathlib import Path

import pytest

from sandbox.state import State


@pytest.fixture
def state(tmp_path: Path) -> State:
    """An empty memory."""
    return State(tmp_path / "campus.sqlite")


def test_a_value_that_was_put_is_there_for_the_next_process(tmp_path: Path) -> None:
    first = State(tmp_path / "campus.sqlite")
    first.put("notes", 1, {"text": "é"})
    second = State(tmp_path / "campus.sqlite")

    assert second.get("notes", "1") == {"text": "é"}


def test_inserting_a_taken_id_changes_nothing(state: State) -> None:
    assert state.insert("notes", "a", 1)
    assert not state.insert("notes", "a", 2)

    assert state.get("notes", "a") == 1


def test_a_change_sets_its_fields_alone_and_makes_nothing_new(state: State) -> None:
    state.put("notes", 1, {"text": "é", "status": None, "tags": ["a"]})
    state.change("notes", 1, status=200, person=None, tags=["b", {"c": True}])
    state.change("notes", 2, status=200)

    assert state.get("notes", 1) == {"text": "é", "status": 200, "tags": ["b", {"c": True}], "person": None}
    assert state.get("notes", 2) is None


@pytest.mark.parametrize("written", ["{a: 1}", '{"a": 1', "", "{'a': 1}"])
def test_what_is_not_json_is_not_written(state: State, written: str) -> None:
    state.put("notes", 1, {"text": "é"})
    with pytest.raises(ValueError, match="not JSON"):
        state.change_written("notes", 1, "body", written)
    state.change_written("notes", 1, "body", '{"a": "é"}')

    assert state.get("notes", 1) == {"text": "é", "body": {"a": "é"}}


def test_values_come_in_order_of_insertion_even_after_they_change(state: State) -> None:
    for name in ("b", "a", "c"):
        state.put("notes", name, {"name": name})
    state.put("notes", "b", {"name": "B"})

    assert [note["name"] for note in state.all("notes")] == ["B", "a", "c"]


def test_all_compares_fields_none_and_booleans_included(state: State) -> None:
    state.put("notes", "a", {"done": True, "course": None})
    state.put("notes", "b", {"done": False, "course": 7})

    assert len(state.all("notes", done=True)) == 1
    assert state.all("notes", course=None) == [{"done": True, "course": None}]
    assert state.all("notes", course=7, done=True) == []


def test_deleting_says_whether_there_was_something(state: State) -> None:
    state.put("notes", "a", 1)

    assert state.delete("notes", "a")
    assert not state.delete("notes", "a")


def test_a_transaction_that_raises_leaves_nothing_behind(state: State) -> None:
    def fail_half_way() -> None:
        with state.transaction():
            state.put("notes", "a", 1)
            with state.transaction():
                state.put("notes", "b", 2)
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail_half_way()

    assert state.all("notes") == []


def test_threads_that_count_in_transactions_lose_nothing(state: State) -> None:
    def count() -> None:
        for _ in range(50):
            with state.transaction():
                state.put("counters", "n", (state.get("counters", "n") or 0) + 1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert state.get("counters", "n") == 200


def test_restoring_brings_back_what_was_remembered_except_what_is_kept(state: State) -> None:
    state.put("notes", "a", 1)
    state.put("keys", "k", "old")
    state.remember()
    state.put("notes", "b", 2)
    state.put("keys", "k", "new")

    state.restore(keep=("keys",))

    assert state.all("notes") == [1]
    assert state.get("keys", "k") == "new"


def test_only_its_owner_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "campus.sqlite"
    before = os.umask(0)
    try:
        path.touch(mode=0o644)
        state = State(path)
        state.put("a", 1, "b")
    finally:
        os.umask(before)

    assert {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {
        "campus.sqlite": 0o600,
        "campus.sqlite-wal": 0o600,
        "campus.sqlite-shm": 0o600,
    }
    state.close()


@pytest.mark.parametrize("is_cut", [True, False], ids=["cut off", "something else"])
def test_a_damaged_file_is_set_aside_and_begun_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, is_cut: bool
) -> None:
    path = tmp_path / "campus.sqlite"
    state = State(path)
    for number in range(200):
        state.put("a", number, "x" * 200)
    state.close()
    damaged = path.read_bytes()[:20_000] if is_cut else b"something else " * 100
    path.write_bytes(damaged)

    fresh = State(path)
    fresh.put("a", 1, "b")

    (aside,) = [file for file in tmp_path.iterdir() if "damaged" in file.name]
    assert aside.read_bytes() == damaged
    assert str(aside) in caplog.text
    assert fresh.all("a") == ["b"]
    fresh.close()
