"""One thing has one name in Spanish, as `docs/spanish.md` says."""

import re
from collections.abc import Iterator
from pathlib import Path

from services.i18n.messages import read_catalog

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "spanish.md"
COLUMNS = 4
OTHER_NAMES = re.compile(r"planificador|almac[eé]n\b|ordenador\b|portátil|alumnado|vosotros\b", re.I)
COMPOUND_PAST = re.compile(r"(?<!no )(?<!no se )(?<!nadie )\bha[sn]? \w+[ai]do\b", re.I)
"""But for what has not happened yet: "aún no ha terminado"."""
NO_WORDS = re.compile(r"\{\w+\}|\S*/\S+|\b[A-Z_]{4,}\b")
"""Places to fill in, addresses, and names of settings."""


def test_each_text_uses_the_names_of_the_glossary() -> None:
    wrong = []
    for english, spanish in _texts():
        for word, names, others in _glossary():
            if re.search(rf"\b{word}s?\b", NO_WORDS.sub("", english), re.I):
                said = spanish.casefold()
                if not any(name in said for name in names) or any(re.search(rf"\b{other}", said) for other in others):
                    wrong.append((word, english, spanish))

    assert wrong == []


def test_no_text_uses_names_that_are_nowhere_right() -> None:
    assert [text for _, text in _texts() if OTHER_NAMES.search(text) or COMPOUND_PAST.search(text)] == []


def test_quotes_are_those_of_spanish_and_closed() -> None:
    assert [text for _, text in _texts() if re.search("[“”„]", text) or text.count("«") != text.count("»")] == []


def test_questions_and_exclamations_are_opened_as_they_are_closed() -> None:
    assert [t for _, t in _texts() if t.count("?") != t.count("¿") or t.count("!") != t.count("¡")] == []


def test_a_text_ends_as_its_english_does() -> None:
    """A sentence stays one, a label a label, and what leads on to more keeps its colon or dots."""
    ends = re.compile(r"[.:…?]?$")

    assert [(e, s) for e, s in _texts() if ends.search(e.rstrip())[0] != ends.search(s.rstrip())[0]] == []


def _texts() -> Iterator[tuple[str, str]]:
    for message in read_catalog("es"):
        said = message.id if isinstance(message.id, tuple) else (message.id,)
        spanish = message.string if isinstance(message.string, tuple) else (message.string,)
        yield from ((e, s) for e, s in zip(said, spanish, strict=True) if e and s)


def _glossary() -> Iterator[tuple[str, list[str], list[str]]]:
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == COLUMNS and cells[0] != "English":
            word, names, others, _ = (cell.casefold() for cell in cells)
            yield word, names.split(", "), others.split(", ") if others else []
