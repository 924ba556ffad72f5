"""Suggestions: what to do first, from a snapshot of the week, without a model or a service."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from services.week.free_time import Gap
from services.week.week import WeekEntry

MOST = 3
AHEAD = timedelta(days=7)


class SuggestionKind(StrEnum):
    OVERDUE = "overdue"
    TODAY = "today"
    TOMORROW = "tomorrow"
    EXAM = "exam"
    FREE = "free"


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Suggestion about an entry; `entry` is None for free time."""

    hint: SuggestionKind
    entry: WeekEntry | None = field(default=None, repr=False)


def suggest(entries: Sequence[WeekEntry], free: Sequence[Gap], now: datetime) -> tuple[Suggestion, ...]:
    """At most `MOST`, one of each kind, the most urgent first. now: in the student's zone.

    What is late longest is not always what matters: the latest of it may still be caught up with.
    """
    open_entries = sorted((entry for entry in entries if not entry.is_done), key=lambda entry: entry.start)
    return tuple(_found(open_entries, free, now))[:MOST]


def _found(open_entries: Sequence[WeekEntry], free: Iterable[Gap], now: datetime) -> Iterator[Suggestion]:
    today, tomorrow = now.date(), now.date() + timedelta(days=1)
    firsts = (
        (
            SuggestionKind.TODAY,
            [entry for entry in open_entries if not entry.is_past(now) and entry.start.date() == today],
        ),
        (SuggestionKind.TOMORROW, [entry for entry in open_entries if entry.start.date() == tomorrow]),
        (SuggestionKind.OVERDUE, [entry for entry in reversed(open_entries) if entry.is_past(now)]),
        (
            SuggestionKind.EXAM,
            [entry for entry in open_entries if entry.is_exam and tomorrow < entry.start.date() <= today + AHEAD],
        ),
    )
    for hint, found in firsts:
        if found:
            yield Suggestion(hint=hint, entry=found[0])
    if any(gap.is_free_afternoon(now) for gap in free):
        yield Suggestion(hint=SuggestionKind.FREE)
