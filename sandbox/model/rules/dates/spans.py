"""Time spans in a text: each expression of time and where it stands."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sandbox.model.rules.dates import days, hours
from sandbox.model.rules.language.text import fold

BEFORE = re.compile(
    r"(?<![a-z0-9])(from|between|desde|entre|del|de|by|before|until|till|til|due|no later than|hasta|antes de"
    r"|antes del|del|para|to|a|al|on|for|after|since|despues de|around|at|and|y|in|within|en|dentro de|over|el|la|los"
    r"|las|-|–|—|through|thru)\s*(?:(?:the|el|la|las|los|about|(?:mon|tue|wed|thu|fri|sat|sun|lun|mar|mie|jue|vie|sab|dom)"
    r"(?:[a-z]{0,9}day)?,?)\s++){0,4}$"
)
NAMED_HOUR = re.compile(r"\b(?:noon|midday|midnight|mediodia|medianoche)\b")


@dataclass(frozen=True, kw_only=True)
class Span:
    """One piece: `kind` is day, range, time, part, duration, moment or shift.
    first, last: days, both included. at, until: minutes after midnight. minutes: of a duration or a shift.
    is_weekly: named by the weekday alone. before: the preposition in front of it, folded."""

    kind: str
    start: int
    end: int
    first: date | None = None
    last: date | None = None
    at: int | None = None
    until: int | None = None
    minutes: int | None = None
    moment: datetime | None = None
    is_vague: bool = False
    is_weekly: bool = False
    before: str = ""


def find_spans(text: str, now: datetime) -> list[Span]:
    """The pieces in the order of the text; of two that overlap the one found by the more exact rule stays."""
    folded = NAMED_HOUR.sub(_in_figures, fold(text))
    kept: list[Span] = []
    for rule in RULES:
        for match in rule.pattern.finditer(folded):
            fields = rule.read(match, now)
            if fields is None:
                continue
            found = _span(folded, match, fields)
            if not any(found.start < span.end and span.start < found.end for span in kept):
                kept.append(found)
    return sorted(kept, key=lambda span: span.start)


def _in_figures(match: re.Match[str]) -> str:
    # As long as the word, so that positions stay.
    return ("12am" if match.group().startswith(("midn", "median")) else "12pm").ljust(len(match.group()))


def _span(folded: str, match: re.Match[str], fields: dict[str, Any]) -> Span:
    start, end = match.span("here") if "here" in match.re.groupindex else match.span()
    while end > start and folded[end - 1].isspace():
        end -= 1
    before = BEFORE.search(folded[:start])
    return Span(start=start, end=end, before=before.group(1) if before else "", **fields)


@dataclass(frozen=True)
class Rule:
    """A pattern on folded text and how to read a match of it; None says that it was none after all."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], datetime], dict[str, Any] | None]


RULES = [Rule(re.compile(found), read) for found, read in (*days.EXACT, *hours.RULES, *days.RULES)]
