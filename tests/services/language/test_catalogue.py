"""The Spanish catalogue holds every text that the code says, whole."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog, Message

from services.language import LANGUAGES
from services.language.catalogue import read
from services.language.collect import ROOMS, texts

ROOT = Path(__file__).resolve().parent.parent.parent.parent
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")


@cache
def catalog(language: str) -> Catalog:
    return read(language)


def spanish(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_each_language_has_the_texts_of_the_code_and_no_others() -> None:
    """Run `python -m services.language.collect` after changing a text."""
    for language in TRANSLATED:
        assert {message.id for message in catalog(language) if message.id} == set(texts())


def test_a_text_that_is_named_before_it_is_said_is_collected_too() -> None:
    """Write `name = to_say("…")`: of a bare `name = "…"` nobody would know that it wants a translation."""
    assert [found for room in ROOMS for found in _named_bare(ROOT / room)] == []


def _named_bare(room: Path) -> Iterator[tuple[str, str]]:
    for file in [room] if room.is_file() else sorted(room.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        said = {
            node.args[0].id
            for node in nodes
            if isinstance(node, ast.Call)
            and ast.unparse(node.func) == "say"
            and node.args
            and isinstance(node.args[0], ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                yield from ((file.name, ast.unparse(name)) for name in node.targets if ast.unparse(name) in said)


def test_nothing_is_left_untranslated() -> None:
    for language in TRANSLATED:
        assert [m.id for m in catalog(language) if m.id and not all(spanish(m))] == []


def test_a_translation_has_the_same_places_to_fill_in() -> None:
    for language in TRANSLATED:
        for message in catalog(language):
            said = message.id if isinstance(message.id, tuple) else (message.id,)
            wanted = places(said[-1]) if message.id else set()
            assert all(places(text) in (wanted, wanted - {"n"}) for text in spanish(message) if message.id), message.id


def test_a_translation_keeps_the_markdown_of_the_text() -> None:
    for language in TRANSLATED:
        for message in catalog(language):
            said = message.id[0] if isinstance(message.id, tuple) else message.id
            for mark in ("**", "`", "## ", ":material/", "]("):
                assert all(text.count(mark) == said.count(mark) for text in spanish(message) if message.id), said
