"""The map and the recipes of CONTRIBUTING name files that are there, and every room is on the map."""

import re
from pathlib import Path

import pytest

from tests.structure import files
from tests.where import described_files, files_about

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

MOST_ROWS = 30


def _rows(heading: str) -> list[list[str]]:
    """The cells of the tables between this heading and the next one that is not below it."""
    section = TEXT.split(f"{heading}\n", 1)[1]
    section = re.split(r"^#{1,3} ", section, maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ") and "`" in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def _paths(cell: str) -> list[str]:
    return re.findall(r"`([\w./-]+)`", cell)


def test_every_file_to_begin_with_is_there() -> None:
    named = [path for room, _, first in _rows("## The map") for path in (*_paths(room), *_paths(first))]

    assert len(named) > 50
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_room_of_the_services_is_on_the_map() -> None:
    mapped = {path.rstrip("/") for room, *_ in _rows("## The map") for path in _paths(room)}
    rooms = {path.split("/")[1] for path in files() if path.startswith("services/") and path != "services/__init__.py"}

    assert sorted(room for room in rooms if f"services/{room}" not in mapped) == []


def test_every_recipe_opens_a_file_that_is_there() -> None:
    recipes = {change: _paths(files) for change, files in _rows("### To change …, open …")}

    assert len(recipes) >= 10
    assert all(recipes.values())
    assert [path for paths in recipes.values() for path in paths if not (ROOT / path).exists()] == []


def test_no_group_of_recipes_is_longer_than_one_reads() -> None:
    groups = TEXT.split("### To change …, open …\n", 1)[1].split("\n### ", 1)[0].split("\n#### ")[1:]

    assert len(groups) >= 10
    assert [group.splitlines()[0] for group in groups if group.count("\n| ") > MOST_ROWS] == []


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ("undo refused sentence", "services/approvals/execution.py"),
        ("longest title chat", "services/conversations/titles.py"),
        ("topic known", "services/study/mastery.py"),
        ("unsubscribe e-mail", "services/reminders/unsubscribe.py"),
    ],
)
def test_a_search_by_words_names_the_file_that_speaks_most_of_them(asked: str, path: str) -> None:
    beside = [str(file.relative_to(ROOT)) for file in (ROOT / path).parent.iterdir() if file.is_file()]

    assert files_about(asked.split(), described_files(beside))[0].path == path
