"""gettext for the locale of the context, over one message catalogue (.po) for each language."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from services.i18n.formats import number
from services.i18n.locale import get_language

LOCALES = Path(__file__).parent / "locales"
_SENTENCE_END = re.compile(r"\{(\w+)\}[*_]*\.(?![.\w])")
"""A placeholder with the full stop of its sentence behind it."""
_HOUR = re.compile(r"\b(l)as (\{(\w+)\})", re.IGNORECASE)
"""A placeholder with the article of Spanish hours, plural except for one o'clock: "las 3:19", "la 1:05"."""


def gettext(text: str, /, **values: object) -> str:
    """Translate a text into the context's language and fill its placeholders; without a translation, in English."""
    translated = _translations(get_language()).gettext(text) if text else ""
    return _format(translated, values) if values else translated


def ngettext(singular: str, plural: str, n: int, /, **values: object) -> str:
    """Translate a text about `n` things, written at `{n}`: `ngettext("{n} event", "{n} events", 3)`."""
    return _format(_translations(get_language()).ngettext(singular, plural, n), {"n": number(n), **values})


def gettext_noop(text: str) -> str:
    """Mark a text for extraction where it is declared, unchanged; `gettext` translates it where it is shown."""
    return text


def read_catalog(language: str) -> Catalog:
    """Parse a language's .po file; the source language has none, and an empty catalogue comes back."""
    path = LOCALES / language / "LC_MESSAGES" / "homeroom.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


@cache
def _translations(language: str) -> NullTranslations:
    """The catalogue compiled for look-ups, at the first text in the language."""
    compiled = BytesIO()
    write_mo(compiled, read_catalog(language))
    compiled.seek(0)
    return GNUTranslations(compiled)


def _format(text: str, values: dict[str, object]) -> str:
    """Fill the placeholders. A value that ends with a full stop ("3:19 p.m.") takes the place of the sentence's own.

    The values themselves are never parsed, whatever they say.
    """
    text = _HOUR.sub(lambda hour: f"{hour[1]}a {hour[2]}" if _is_one_o_clock(values.get(hour[3])) else hour[0], text)
    doubled = {name for name in _SENTENCE_END.findall(text) if str(values.get(name, "")).endswith(".")}
    return text.format(**{name: str(value)[:-1] if name in doubled else value for name, value in values.items()})


def _is_one_o_clock(hour: object) -> bool:
    return str(hour).startswith("1:")


Message = tuple[int, str, str, list[str]]


def extract_assistants(file: BinaryIO, keywords: object, comment_tags: object, options: object) -> Iterator[Message]:
    """Yield line, function, text and comments (https://babel.pocoo.org/en/latest/messages.html#writing-extraction-methods)."""
    for assistant in tomllib.load(file).values():
        yield from ((0, "gettext", assistant[field], []) for field in ("name", "summary", "integrity"))
