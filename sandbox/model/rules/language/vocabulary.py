"""Vocabulary files: sections of entries, several entries a line, as the other rooms read them."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "vocabulary"


@cache
def sections(file: str) -> dict[str, str]:
    """The text of each [section] of a file, with its continued (indented) lines joined and its remarks left out; one
    of several names is theirs together.
    """
    found: dict[str, str] = {}
    names: list[str] = []
    for line in (FOLDER / file).read_text().splitlines():
        if line.startswith("[") and line.endswith("]"):
            found |= dict.fromkeys(names := line[1:-1].split(", "), "")
        for name in names if line and not line.startswith(("#", "[")) else ():
            found[name] += f" {line.strip()}" if line.startswith("  ") else f"\n{line}" if found[name] else line
    return found


@cache
def pairs(file: str, section: str) -> tuple[tuple[str, str], ...]:
    """The "one => other" entries of a section, between " | " or on lines of their own."""
    entries = sections(file)[section].replace("\n", " | ").split(" | ")
    return tuple((first, other) for entry in entries for first, _, other in [entry.partition(" => ")])
