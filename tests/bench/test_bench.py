"""The benchmarks still run: each on a crowd too small to mean anything."""

from pathlib import Path

import pytest

from bench import idle_tabs, live, store_reads


@pytest.mark.soak
def test_two_students_hear_the_last_word_on_every_side(tmp_path: Path) -> None:
    rows = live.measure(tmp_path, crowds=(2,), rounds=1)

    assert {row[1] for row in rows} == {live.SIDES[name] for name in live.SIDES if name != "fallback"}


@pytest.mark.soak
def test_idle_chats_are_weighed(tmp_path: Path) -> None:
    [row] = idle_tabs.measure(tmp_path, tabs=2, watch_s=0.3)

    assert len(row) == len(idle_tabs.HEAD)
    assert row[0] == "2"


def test_one_turn_looks_at_the_connections_once_however_many_there_are(tmp_path: Path) -> None:
    rows = store_reads.measure(tmp_path)

    assert len(rows) == 4
    assert {row[1] for row in rows} == {"1"}
    # Student, assistant, connections, memberships, habits, messages; the prompt that a new connection makes; the
    # deployment's budget, once in two seconds for all turns.
    assert max(int(row[2]) for row in rows[1:]) <= 8
