"""Vocabulary files: sections of entries, several entries a line, as the other rooms read them."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "vocabulary"


@cache
def sections(file: str) -> dict[str, str]:
    """The text of each [section] of a file, with its continued (indented) lines joined and its remarks left out."""
    found: dict[str, str] = {}
    name = ""
    for line in (FOLDER / file).read_text().splitlines():
        if line.startswith("[") and line.endswith("]"):
            name = line[1:-1]
            found[name] = ""
        elif line and not line.startswith("#"):
            found[name] += f" {line.strip()}" if line.startswith("  ") else f"\n{line}" if found[name] else line
    return found


@cache
def pairs(file: str, section: str) -> tuple[tuple[str, str], ...]:
    """The "one => other" entries of a section, between " | " or on lines of their own."""
    entries = sections(file)[section].replace("\n", " | ").split(" | ")
    return tuple((first, other) for entry in entries for first, _, other in [entry.partition(" => ")])
