"""The labelled messages: themes are never split, labels are known, and the shipped file was made from them."""

import json
from collections import defaultdict

import pytest

from services.discovery import classifier
from services.discovery.contexts import CONTEXT_NAMES
from training.dataset import FOLDS, LabelledMessage, assign_folds, fingerprint, read_dataset, read_file


@pytest.fixture(scope="module")
def rows() -> list[LabelledMessage]:
    return read_dataset()


def test_the_shipped_file_was_trained_on_what_lies_here() -> None:
    assert classifier.shipped_classifier().trained_on == fingerprint(), (
        "Run `make train`: the messages or the lexicon have changed."
    )


def test_every_row_has_known_labels_and_a_history_of_turns(rows: list[LabelledMessage]) -> None:
    assert len(rows) > 5_000
    assert set().union(*(row.contexts for row in rows)) <= set(CONTEXT_NAMES)
    assert {turn["role"] for row in rows for turn in row.history} == {"user", "assistant"}


def test_a_theme_is_never_on_both_sides(rows: list[LabelledMessage]) -> None:
    parts = defaultdict(set)
    for row, part in zip(rows, assign_folds(rows), strict=True):
        parts[row.theme].add(part)

    assert {len(found) for found in parts.values()} == {1}
    assert set().union(*parts.values()) == set(range(FOLDS))


def test_a_broken_line_is_told_by_its_number(tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"message": "hi", "contexts": []}) + "\n{\n", encoding="utf-8")

    with pytest.raises(ValueError, match=r"rows\.jsonl, line 2"):
        list(read_file(path))
