"""`make candidates` prints what several students missed, as lines of training data, and nothing of anybody."""

import json
from pathlib import Path

import pytest

from services.discovery.retrieval_misses import RetrievalMisses
from services.runtime.clock import utc_now
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from training import candidates


def test_the_command_prints_a_line_for_each_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {"HOMEROOM_DEMO": "1", "HOMEROOM_DATA_DIR": str(tmp_path), "MONGODB_URI": ""}.items():
        monkeypatch.setenv(name, value)
    engine = SqliteDocuments(tmp_path / "homeroom.sqlite")
    for student in ("maya", "ben"):
        RetrievalMisses(Store(engine), utc_now).record_miss(
            student, "remind me of Zebulon", found=[], needed=["calendar"]
        )
    engine.close()

    candidates.main()
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["contexts"] == ["calendar"]
    assert "zebulon" not in line.lower()
