"""The rule engine of the demo model: rooms that import downwards only, small files, and never more lines than today."""

import ast
from pathlib import Path

RULES = Path("sandbox/model/rules")
ORDER = (
    "language", "dates", "tools", "understanding", "request_state", "search", "slots", "dialogue", "responses",
    "planning", "attachments", "commands", "injection_mode", "tool_choice", "tool_search",
)  # fmt: skip
"""From low to high; a room uses those before it."""
MOST_LINES = 9_900
"""The vocabulary counted, too. It was 11,305; a later change may lower it."""
LONGEST_FILE, MOST_FILES = 400, 25
ROOT = "sandbox.model.rules."


def room_of(module: str) -> str:
    return module.removeprefix(ROOT).split(".")[0]


def imported(file: Path) -> set[str]:
    nodes = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.ImportFrom)]
    return {room_of(node.module) for node in nodes if node.module and node.module.startswith(ROOT)}


def test_each_room_uses_only_rooms_below_it() -> None:
    upward = []
    for file in RULES.rglob("*.py"):
        room = file.relative_to(RULES).parts[0].removesuffix(".py")
        if room != "__init__":
            upward += [(str(file), other) for other in imported(file) if ORDER.index(other) > ORDER.index(room)]

    assert upward == []


def test_the_rules_do_not_grow() -> None:
    files = [file for file in RULES.rglob("*") if file.suffix in (".py", ".txt")]
    lines = {file: len(file.read_text().splitlines()) for file in files}

    assert sum(lines.values()) <= MOST_LINES
    assert [str(file) for file in files if file.suffix == ".py" and lines[file] > LONGEST_FILE] == []


def test_no_room_is_crowded() -> None:
    folders = [RULES, *(path for path in RULES.iterdir() if path.is_dir()), RULES.parent]

    assert [str(path) for path in folders if len(list(path.glob("*.py"))) > MOST_FILES] == []
