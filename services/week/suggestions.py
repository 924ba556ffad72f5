"""Suggestions: what to do first, from a snapshot of the week, without a model or a service."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from services.week.free_time import Gap
from services.week.horizon import horizon
from services.week.week import WeekEntry

MOST = 3
AHEAD = timedelta(days=7)


class SuggestionKind(StrEnum):
    OVERDUE = "overdue"
    TODAY = "today"
    TOMORROW = "tomorrow"
    EXAM = "exam"
    AHEAD = "ahead"
    FREE = "free"


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """Suggestion about an entry; `entry` is None for free time."""

    hint: SuggestionKind
    entry: WeekEntry | None = field(default=None, repr=False)


def suggest(entries: Sequence[WeekEntry], free: Sequence[Gap], now: datetime, locale: str) -> tuple[Suggestion, ...]:
    """At most `MOST`, one of each kind, the most urgent first. now: in the student's zone. locale: theirs.

    What is late longest is not always what matters: the latest of it may still be caught up with. From Friday noon on
    what the next seven days bring counts too.
    """
    open_entries = sorted((entry for entry in entries if not entry.is_done), key=lambda entry: entry.start)
    return tuple(_found(open_entries, free, now, locale))[:MOST]


def _found(open_entries: Sequence[WeekEntry], free: Iterable[Gap], now: datetime, locale: str) -> Iterator[Suggestion]:
    today, tomorrow, days = now.date(), now.date() + timedelta(days=1), horizon(now, locale)
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
        (
            SuggestionKind.AHEAD,
            [entry for entry in open_entries if days.is_ahead and tomorrow < entry.start.date() <= days.this_week.last],
        ),
    )
    told: set[str] = set()
    for hint, found in firsts:
        if new := next((entry for entry in found if entry.id not in told), None):
            told.add(new.id)
            yield Suggestion(hint=hint, entry=new)
    if any(gap.is_free_afternoon(now) for gap in free):
        yield Suggestion(hint=SuggestionKind.FREE)
