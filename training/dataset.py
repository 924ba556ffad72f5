"""Dataset of labelled messages: reading, folds for cross-validation, and augmentation with typing errors."""

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from services.discovery import lexicon

DATA = Path(__file__).with_name("data")
FOLDS = 4
MISTYPED_SHARE = 0.4
"""Share of the messages that get a copy with errors."""
_TYPED_LANGUAGES = frozenset(("en", "es", "de", "fr", "pt", "it", "nl", "pl", "id", "tr"))
_NEIGHBOURING_KEYS = {
    **dict(zip("qwertyuiop", ["wa", "qe", "wr", "et", "ry", "tu", "yi", "uo", "ip", "ol"], strict=True)),
    **dict(zip("asdfghjkl", ["sq", "ad", "sf", "dg", "fh", "gj", "hk", "jl", "ko"], strict=True)),
    **dict(zip("zxcvbnm", ["xs", "zc", "xv", "cb", "vn", "bm", "nj"], strict=True)),
}


@dataclass(frozen=True, kw_only=True)
class LabelledMessage:
    """Message with its labels.

    history: {"role", "content"}, oldest first. kind: how it is said, such as typo. theme: what near-copies share.
    """

    message: str
    history: tuple[Mapping[str, str], ...] = ()
    contexts: frozenset[str] = frozenset()
    kind: str = "plain"
    language: str = "en"
    theme: str = ""


def read_file(path: Path) -> Iterator[LabelledMessage]:
    """Read the messages of a JSONL file; raises `ValueError` with the line's number when one is not as it should be."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            given = json.loads(line)
            yield LabelledMessage(
                message=given["message"],
                history=tuple(given.get("history") or ()),
                contexts=frozenset(given["contexts"]),
                kind=given.get("kind", "plain"),
                language=given.get("lang", "en"),
                theme=given.get("theme", path.stem),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error


def read_dataset() -> list[LabelledMessage]:
    """Read every labelled message, each once, in the order of the files' names."""
    rows = (row for path in sorted(DATA.glob("*.jsonl")) for row in read_file(path))
    distinct = {(row.message, json.dumps(row.history, sort_keys=True)): row for row in rows}
    return list(distinct.values())


def assign_folds(rows: Sequence[LabelledMessage]) -> list[int]:
    """Assign a fold to each message; all of a theme are in the same, so that near-copies never meet."""
    themes = sorted({row.theme for row in rows})
    random.Random(7).shuffle(themes)
    parts = {theme: index % FOLDS for index, theme in enumerate(themes)}
    return [parts[row.theme] for row in rows]


def fingerprint() -> str:
    """Hash of everything written by people that training reads: the messages and the lexicon."""
    whole = hashlib.sha256()
    for path in (*sorted(DATA.glob("*.jsonl")), lexicon.FILE):
        whole.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


def augment(rows: Sequence[LabelledMessage], seed: int = 3) -> list[LabelledMessage]:
    """The messages themselves, and the mistyped copies."""
    chance = random.Random(seed)
    return [*rows, *_mistyped(chance, rows)]


def mistype(chance: random.Random, text: str) -> str:
    """Mistype one word in four, at least one: a letter dropped, doubled, swapped with the next, or struck beside."""
    words = text.split(" ")
    long = [index for index, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    for index in chance.sample(long, min(len(long), max(1, len(long) // 4))):
        words[index] = chance.choice(_ERRORS)(chance, words[index])
    return " ".join(words)


def _mistyped(chance: random.Random, rows: Sequence[LabelledMessage]) -> Iterator[LabelledMessage]:
    for row in rows:
        if row.language in _TYPED_LANGUAGES and row.kind != "typo" and chance.random() < MISTYPED_SHARE:
            yield replace(row, message=mistype(chance, row.message), kind="typo")


def _dropped(chance: random.Random, word: str) -> str:
    at = chance.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _doubled(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def _swapped(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _neighbouring_key(chance: random.Random, word: str) -> str:
    at = chance.randrange(len(word))
    return word[:at] + chance.choice(_NEIGHBOURING_KEYS.get(word[at].lower(), word[at])) + word[at + 1 :]


_ERRORS: tuple[Callable[[random.Random, str], str], ...] = (_dropped, _doubled, _swapped, _neighbouring_key)
