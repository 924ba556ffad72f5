"""The texts of each language, as gettext's own tools read and write them."""

import gettext
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

HERE = Path(__file__).parent


def path(language: str) -> Path:
    return HERE / f"{language}.po"


def read(language: str) -> Catalog:
    """The catalogue as it is written down; the source language has none, and comes back empty."""
    if not path(language).exists():
        return Catalog(locale=language)
    with path(language).open("rb") as file:
        return read_po(file, locale=language)


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The same, ready to look texts up in; read once, when somebody first speaks the language."""
    compiled = BytesIO()
    write_mo(compiled, read(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
