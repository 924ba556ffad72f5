"""The Spanish catalogue holds every text that the code says, whole."""

from functools import cache
from string import Formatter

from babel.messages.catalog import Catalog, Message

from services.language import LANGUAGES
from services.language.catalogue import read
from services.language.collect import texts

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
