"""How a text is said in the locale that is spoken."""

import re

from services.language.catalogue import catalogue
from services.language.dates import number
from services.language.speaking import language

_ENDING = re.compile(r"\{(\w+)\}[*_]*\.(?![.\w])")
"""A named place that the end of a sentence follows."""
_HOUR = re.compile(r"\b(l)as (\{(\w+)\})", re.IGNORECASE)
"""A named place with the article of Spanish hours, which are many, except one: "las 3:19", "la 1:05"."""


def say(english: str, /, **values: object) -> str:
    """A text of the catalogue in the language spoken, with its named places filled in; English where it has none."""
    text = catalogue(language()).gettext(english) if english else ""
    return _filled(text, values) if values else text


def say_count(one: str, many: str, n: int, /, **values: object) -> str:
    """The same for a number of things, which `{n}` stands for: `say_count("{n} event", "{n} events", 3)`."""
    return _filled(catalogue(language()).ngettext(one, many, n), {"n": number(n), **values})


def _filled(text: str, values: dict[str, object]) -> str:
    """Fill in the places; where one ends a sentence with its own point ("3:19 p.m."), that serves both.

    What fills a place stays as it is, whatever it says.
    """
    text = _HOUR.sub(lambda hour: f"{hour[1]}a {hour[2]}" if _is_one(values.get(hour[3])) else hour[0], text)
    doubled = {name for name in _ENDING.findall(text) if str(values.get(name, "")).endswith(".")}
    return text.format(**{name: str(value)[:-1] if name in doubled else value for name, value in values.items()})


def _is_one(hour: object) -> bool:
    return str(hour).startswith("1:")


def to_say(english: str) -> str:
    """Mark a text for the catalogue where it is written down; `say` it where it is shown."""
    return english
