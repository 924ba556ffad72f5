"""Example messages by the tools that they need: reading, and a hash of all that training reads."""

import hashlib
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from services.discovery import lexicon

EXAMPLES = Path(__file__).with_name("tools")
"""*.toml: messages by the tools that they need. labels.jsonl: {"message", "tools"} of messages of `data/`, none needing
no tool; they were labelled by patterns, so that they count less."""
EXAMPLE, LABEL = 3.0, 0.1
"""Weight of a message of each kind."""


@dataclass(frozen=True, kw_only=True)
class ToolExample:
    """Message with the names of the tools that it needs, all of them; weight: how much it counts."""

    message: str
    tools: tuple[str, ...]
    weight: float


def read_examples(folder: Path = EXAMPLES) -> list[ToolExample]:
    """Read all examples, those by tool first."""
    by_tool = [
        ToolExample(message=line, tools=tuple(tools.split()), weight=EXAMPLE)
        for path in sorted(folder.glob("*.toml"))
        for tools, lines in tomllib.loads(path.read_text(encoding="utf-8")).items()
        for line in lines.strip().splitlines()
    ]
    labels = map(json.loads, (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    return [*by_tool, *(ToolExample(message=row["message"], tools=tuple(row["tools"]), weight=LABEL) for row in labels)]


def fingerprint(folder: Path = EXAMPLES) -> str:
    """Hash of all that training reads: the examples and the lexicon."""
    whole = hashlib.sha256()
    for path in (*sorted(folder.glob("*.toml")), folder / "labels.jsonl", lexicon.FILE):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()
