"""Files of others: how many of those that are tried in `tests/files_of_others` are read right, by kind."""

import json
import subprocess
import sys
from pathlib import Path

TITLE = "Files of others: read right of tried"
HEAD = ("room", "law", "given", "siblings")


def measure(_data_dir: Path) -> list[list[str]]:
    """Rows of a table: a law each."""
    command = [sys.executable, "-m", "tests.files_of_others", "--json"]
    found = subprocess.run(command, capture_output=True, check=True, text=True)
    rows: list[list[str]] = json.loads(found.stdout.splitlines()[-1])
    return rows
