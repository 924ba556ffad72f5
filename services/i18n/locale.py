"""Current locale of a page run, a turn or a call, and the negotiation of the one that a browser asks for.

The locale belongs to the context (`contextvars`); threads that work for it copy the
context. Outside of any it is English.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from babel import Locale, UnknownLocaleError

LANGUAGES = {"en": "English", "es": "Español"}
"""The languages that a student can choose, each in its own words."""
DEFAULT_LOCALE = "en-US"
LANGUAGE_COOKIE = "homeroom_language"
"""Cookie with the language that was chosen in a browser before signing in."""
_LONGEST_TAG = 40
_TAG_START = re.compile(r"([A-Za-z]{2})(?:[-_][A-Za-z]{2})?(?!\w)")

_current: ContextVar[str] = ContextVar("locale", default="")
_selector: list[Callable[[], str]] = [lambda: DEFAULT_LOCALE]


def set_locale(locale: str) -> None:
    """Set the locale ("es-MX") for the rest of this context: the whole run of a page or a turn."""
    _current.set(negotiate_locale(locale))


@contextmanager
def locale_scope(locale: str) -> Iterator[None]:
    """Set the locale for a block, and restore the one before afterwards."""
    token = _current.set(negotiate_locale(locale))
    try:
        yield
    finally:
        _current.reset(token)


def get_locale() -> str:
    """The current locale, as a BCP 47 tag: "en-US"."""
    return _current.get() or _selector[-1]()


def set_locale_selector(select: Callable[[], str]) -> None:
    """Register what finds the locale where none is set: in callbacks of a page, which begin before its run."""
    _selector[:] = [select]


def get_language() -> str:
    """The language of the current locale: "en" or "es"."""
    return get_locale().partition("-")[0]


def negotiate_locale(tag: str | None, *, language: str | None = None) -> str:
    """The locale for a browser's tag ("es-MX"), or the default where its language is not among `LANGUAGES`.

    language: the student's choice; the browser's region then only counts where its language is the same. Of a malformed
    tag its start counts. Idempotent: `negotiate_locale(negotiate_locale(x)) == negotiate_locale(x)`.
    """
    return _negotiated(tag[:_LONGEST_TAG] if isinstance(tag, str) else "", language)


# Each run of a page and of a turn asks, and Babel takes 0.05 ms.
@lru_cache(maxsize=512)
def _negotiated(tag: str, language: str | None) -> str:
    tag = tag.strip().replace("_", "-")
    start = _TAG_START.match(tag)
    asked = _parsed(tag) or _parsed(start[0] if start else "")
    found = asked.language if asked else start[1].lower() if start else ""
    if found not in LANGUAGES or (language and found != language):
        found, asked = language or "", None
    if asked is None:
        return found if found in LANGUAGES and found != "en" else DEFAULT_LOCALE
    return f"{found}-{asked.territory}" if asked.territory else found


def _parsed(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag, sep="-")
    except (ValueError, UnknownLocaleError):
        return None
