"""Which locale this run, turn or call speaks.

The locale belongs to the context (`contextvars`), as a student's page run or turn sets it; threads that work for it
copy the context. Outside of any, English is spoken.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from babel import Locale, UnknownLocaleError

LANGUAGES = {"en": "English", "es": "Español"}
"""What a student can choose, each in its own words."""
DEFAULT = "en-US"
COOKIE = "homeroom_language"
"""In which a browser keeps the language that was chosen in it before anybody signed in."""
_LONGEST_TAG = 40
_BEGINNING = re.compile(r"([A-Za-z]{2})(?:[-_][A-Za-z]{2})?(?!\w)")

_spoken: ContextVar[str] = ContextVar("spoken_locale", default="")
_otherwise: list[Callable[[], str]] = [lambda: DEFAULT]


def speak(locale: str) -> None:
    """Say everything from here on in this locale ("es-MX"): for the whole run of a page or a turn."""
    _spoken.set(nearest(locale))


@contextmanager
def spoken(locale: str) -> Iterator[None]:
    """The same for a block, and what was spoken before it afterwards."""
    before = _spoken.set(nearest(locale))
    try:
        yield
    finally:
        _spoken.reset(before)


def locale() -> str:
    """The locale that is spoken, as a BCP 47 tag: "en-US"."""
    return _spoken.get() or _otherwise[-1]()


def otherwise(ask: Callable[[], str]) -> None:
    """Where to ask for the locale when nobody has said one: in callbacks of a page, which begin before its run."""
    _otherwise[:] = [ask]


def language() -> str:
    """The language that is spoken: "en" or "es"."""
    return locale().partition("-")[0]


def nearest(tag: str | None, *, language: str | None = None) -> str:
    """The locale for what a browser asks for ("es-MX"), or the default where we do not speak that language.

    language: what the student chose; the browser's region then only counts where it speaks the same. Of a tag that is
    none, what it begins with counts. It can be said again: `nearest(nearest(x)) == nearest(x)`.
    """
    return _nearest(tag[:_LONGEST_TAG] if isinstance(tag, str) else "", language)


# Each run of a page and of a turn asks, and Babel takes 0.05 ms.
@lru_cache(maxsize=512)
def _nearest(tag: str, language: str | None) -> str:
    tag = tag.strip().replace("_", "-")
    beginning = _BEGINNING.match(tag)
    asked = _parsed(tag) or _parsed(beginning[0] if beginning else "")
    spoken = asked.language if asked else beginning[1].lower() if beginning else ""
    if spoken not in LANGUAGES or (language and spoken != language):
        spoken, asked = language or "", None
    if asked is None:
        return spoken if spoken in LANGUAGES and spoken != "en" else DEFAULT
    return f"{spoken}-{asked.territory}" if asked.territory else spoken


def _parsed(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        return None
