"""`Row`: one labelled message; reading them all, and keeping themes apart."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.discovery import lexicon

DATA = Path(__file__).with_name("data")
FOLDS = 4


@dataclass(frozen=True, kw_only=True)
class Row:
    """history: {"role", "content"}, oldest first. kind: how it is said, such as typo. theme: what near-copies share."""

    message: str
    history: tuple[Mapping[str, str], ...] = ()
    contexts: frozenset[str] = frozenset()
    kind: str = "plain"
    language: str = "en"
    theme: str = ""


def read(path: Path) -> Iterator[Row]:
    """The rows of a JSONL file; raises `ValueError` with the line's number when one is not as it should be."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
            yield Row(
                message=given["message"],
                history=tuple(given.get("history") or ()),
                contexts=frozenset(given["contexts"]),
                kind=given.get("kind", "plain"),
                language=given.get("lang", "en"),
                theme=given.get("theme", path.stem),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error


def all_rows() -> list[Row]:
    """Every labelled message, each once, in the order of the files' names."""
    rows = (row for path in sorted(DATA.glob("*.jsonl")) for row in read(path))
    once = {(row.message, json.dumps(row.history, sort_keys=True)): row for row in rows}
    return list(once.values())


def fold_of(rows: Sequence[Row]) -> list[int]:
    """The part that each row is in; all rows of a theme are in the same, so that near-copies never meet."""
    themes = sorted({row.theme for row in rows})
    random.Random(7).shuffle(themes)
    parts = {theme: index % FOLDS for index, theme in enumerate(themes)}
    return [parts[row.theme] for row in rows]


def fingerprint() -> str:
    """Of everything that is written by people and that training reads: the messages and the lexicon."""
    whole = hashlib.sha256()
    for path in (*sorted(DATA.glob("*.jsonl")), lexicon.FILE):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()
