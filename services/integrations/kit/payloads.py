"""`readable`: what reads a service's answer, so that one of another form is the service's failure and not ours."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TypeVar

from services.errors import AnswerUnreadable
from services.i18n import gettext
from services.safety.text import plain

On = TypeVar("On", date, datetime)

log = logging.getLogger(__name__)

_YEARS = range(1900, 9000)
"""Near the ends of the calendar a change of zone leaves it."""


@contextmanager
def payload_guard(service: str) -> Iterator[None]:
    """Around the reading of an answer only, as block or decorator; raises `AnswerUnreadable`."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        log.warning("answer_unreadable service=%s kind=%s", service, type(error).__name__)
        sentence = gettext("{service} sent something that Homeroom cannot read.", service=service)
        raise AnswerUnreadable(service, sentence) from None


def parse_text(value: object) -> str:
    """A text of an answer, "" for none; raises `TypeError` for anything else, `ValueError` for half a character."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("not a text")
    value.encode()
    return value


def parse_id(value: object) -> str:
    """A text that stands for something and may be put into an address; raises `ValueError` or `TypeError`."""
    text = parse_text(value)
    if not text or len(text) > 2_000 or plain(text) != text or not text.isprintable():
        raise ValueError("not an id")
    return text


def parse_time(value: object) -> datetime:
    """A time in ISO 8601, within the years that can be shown everywhere; raises `ValueError` or `TypeError`."""
    return _shown(datetime.fromisoformat(parse_text(value)))


def parse_day(value: object) -> date:
    """The same of a day."""
    return _shown(date.fromisoformat(parse_text(value)))


def _shown(on: On) -> On:
    if on.year not in _YEARS:
        raise ValueError("not in the calendar")
    return on
