"""Parsers of typed text into argument values, by type or format; `format_value` is their inverse."""

import json
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import Any

from services.i18n import gettext

DATE_TIME_PICKER = "picked moment"
"""Format of a text that gets a date and time picker, like 2026-11-27T15:00, also while it is empty."""


class UnreadableText(Exception):
    """Typed text that the argument cannot take; the message is for the person who typed it."""


def format_value(value: Any) -> str:
    """Text of a value: JSON of whatever is not text."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def parse_list(text: str, read: Callable[[str], Any]) -> list[Any]:
    """Parse comma-separated words."""
    return [read(word.strip()) for word in text.split(",") if word.strip()]


def parse_lines(text: str) -> list[Any]:
    """Parse one item per line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _parse_integer(word: str) -> int:
    number = parse_or_none(int, word)
    if number is None:
        raise UnreadableText(gettext("“{word}” is not a whole number, like 30.", word=_short(word)))
    return number


def _parse_float(word: str) -> float:
    number = parse_or_none(float, word)
    if number is None or not math.isfinite(number):
        raise UnreadableText(gettext("“{word}” is not a number, like 2.5.", word=_short(word)))
    return number


def _parse_boolean(word: str) -> bool:
    yes, no = ("true", "yes", gettext("yes")), ("false", "no", gettext("no"))
    if word.lower() not in (*yes, *no):
        raise UnreadableText(gettext("“{word}” is neither yes nor no.", word=_short(word)))
    return word.lower() in yes


def _parse_day(text: str) -> str:
    if parse_or_none(date.fromisoformat, text.strip()) is None:
        raise UnreadableText(gettext("“{word}” is not a day, like 2026-11-27.", word=_short(text)))
    return text.strip()


def _parse_moment(text: str) -> str:
    if parse_or_none(datetime.fromisoformat, text.strip()) is None:
        raise UnreadableText(gettext("“{word}” is not a day and a time, like 2026-11-27T15:00.", word=_short(text)))
    return text.strip()


def _parse_time(text: str) -> str:
    if parse_or_none(time.fromisoformat, text.strip()) is None:
        raise UnreadableText(gettext("“{word}” is not a time of day, like 17:00.", word=_short(text)))
    return text.strip()


def parse_json(text: str) -> Any:
    """Parse JSON; raises `UnreadableText`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableText(
            gettext("This must be written as JSON, like {list} or {object}.", list='["a", "b"]', object='{"name": 1}')
        ) from None


def parse_or_none(make: Callable[[str], Any], text: str) -> Any:
    """Result of `make` for the text; None when it raises ValueError or OverflowError."""
    try:
        return make(text)
    except (ValueError, OverflowError):
        return None


def _short(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:39]}…"


PARSERS: Mapping[str, Callable[[str], Any]] = {
    "string": str,
    "integer": _parse_integer,
    "number": _parse_float,
    "boolean": _parse_boolean,
    "date": _parse_day,
    "time": _parse_time,
    DATE_TIME_PICKER: _parse_moment,
}
"""By type or format; each raises `UnreadableText`."""
