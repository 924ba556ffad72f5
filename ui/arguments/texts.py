"""What a student types for an argument, read as its value: the other way of `written`."""

import json
import math
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from typing import Any

from services.i18n import gettext

PICKED = "picked moment"
"""The format of a text that is picked as a day and a time, like 2026-11-27T15:00, also while nothing stands there."""


class Unreadable(Exception):
    """A typed text that is not what the argument wants; its message is for the person who typed it."""


def written(value: Any) -> str:
    """The text of a value: JSON of what is no text."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def listed(text: str, read: Callable[[str], Any]) -> list[Any]:
    """A list is written as words with commas between them."""
    return [read(word.strip()) for word in text.split(",") if word.strip()]


def lines(text: str) -> list[Any]:
    """A list of sentences is written one on each line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def _integer(word: str) -> int:
    number = parsed(int, word)
    if number is None:
        raise Unreadable(gettext("“{word}” is not a whole number, like 30.", word=_short(word)))
    return number


def _float(word: str) -> float:
    number = parsed(float, word)
    if number is None or not math.isfinite(number):
        raise Unreadable(gettext("“{word}” is not a number, like 2.5.", word=_short(word)))
    return number


def _yes_or_no(word: str) -> bool:
    yes, no = ("true", "yes", gettext("yes")), ("false", "no", gettext("no"))
    if word.lower() not in (*yes, *no):
        raise Unreadable(gettext("“{word}” is neither yes nor no.", word=_short(word)))
    return word.lower() in yes


def _day(text: str) -> str:
    if parsed(date.fromisoformat, text.strip()) is None:
        raise Unreadable(gettext("“{word}” is not a day, like 2026-11-27.", word=_short(text)))
    return text.strip()


def _moment(text: str) -> str:
    if parsed(datetime.fromisoformat, text.strip()) is None:
        raise Unreadable(gettext("“{word}” is not a day and a time, like 2026-11-27T15:00.", word=_short(text)))
    return text.strip()


def _clock(text: str) -> str:
    if parsed(time.fromisoformat, text.strip()) is None:
        raise Unreadable(gettext("“{word}” is not a time of day, like 17:00.", word=_short(text)))
    return text.strip()


def from_json(text: str) -> Any:
    """What is written as JSON; raises `Unreadable`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable(
            gettext("This must be written as JSON, like {list} or {object}.", list='["a", "b"]', object='{"name": 1}')
        ) from None


def parsed(make: Callable[[str], Any], text: str) -> Any:
    """What `make` reads in the text; None when it cannot."""
    try:
        return make(text)
    except (ValueError, OverflowError):
        return None


def _short(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:39]}…"


READERS: Mapping[str, Callable[[str], Any]] = {
    "string": str,
    "integer": _integer,
    "number": _float,
    "boolean": _yes_or_no,
    "date": _day,
    "time": _clock,
    PICKED: _moment,
}
"""By type or format: what a typed text means; each raises `Unreadable`."""
