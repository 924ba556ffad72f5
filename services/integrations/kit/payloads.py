"""Parsing of a service's payload; one of an unexpected shape is reported as the service's failure and not as ours."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from typing import TypeVar

from services.errors import AnswerUnreadable
from services.i18n import gettext
from services.safety.text import plain

DateOrTime = TypeVar("DateOrTime", date, datetime)

log = logging.getLogger(__name__)

_YEARS = range(1900, 9000)
"""Years that a change of zone cannot take out of the calendar."""


@contextmanager
def payload_guard(service: str) -> Iterator[None]:
    """Guard around the parsing of a payload, as a block or a decorator; raises `AnswerUnreadable`."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        log.warning("answer_unreadable service=%s kind=%s", service, type(error).__name__)
        sentence = gettext("{service} sent something that Homeroom cannot read.", service=service)
        raise AnswerUnreadable(service, sentence) from None


def parse_text(value: object) -> str:
    """Read a text, "" for null; raises `TypeError` for anything else, `ValueError` for a lone surrogate."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("not a text")
    value.encode()
    return value


def parse_id(value: object) -> str:
    """Read an id, which may be put into an address; raises `ValueError` or `TypeError`."""
    text = parse_text(value)
    if not text or len(text) > 2_000 or plain(text) != text or not text.isprintable():
        raise ValueError("not an id")
    return text


def parse_time(value: object) -> datetime:
    """Read a time in ISO 8601, within the years that every zone can show; raises `ValueError` or `TypeError`."""
    return _in_range(datetime.fromisoformat(parse_text(value)))


def parse_day(value: object) -> date:
    """Read a day in ISO 8601, likewise."""
    return _in_range(date.fromisoformat(parse_text(value)))


def _in_range(at: DateOrTime) -> DateOrTime:
    if at.year not in _YEARS:
        raise ValueError("not in the calendar")
    return at
