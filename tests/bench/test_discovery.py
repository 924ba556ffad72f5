"""The table of the detector: quality by kind on any file of messages, cross-validation, time, size and loading."""

import json
from pathlib import Path

import pytest

from bench import discovery

ROWS = (
    {"message": "what's due this week?", "contexts": ["courses"], "kind": "plain"},
    {"message": "¿qué tengo que entregar mañana?", "contexts": ["courses"], "kind": "plain", "lang": "es"},
    {"message": "thanks!", "contexts": [], "kind": "none"},
)


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "ROUNDS", 1)


def test_any_file_of_messages_is_measured_by_kind_and_language(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")

    rows = {row[0].strip(): row for row in discovery.measured(path)}
    assert rows["mine.jsonl, all"][1] == "3"
    assert rows["plain"][2] == "1.000"
    assert rows["none"][5] == "0 of 1"
    assert rows["language es"][1] == "1"
    assert "cross-validation, implicit" in rows
    assert rows["time of a message on one core"][3].startswith("p95 ")
    assert {len(row) for row in rows.values()} == {len(discovery.HEAD)}


def test_without_messages_a_sentence_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = discovery.measured(tmp_path / "none.jsonl")

    assert "There are no labelled messages at" in capsys.readouterr().out
    assert rows[0][0].startswith("cross-validation")
