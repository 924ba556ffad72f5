"""`FigureWeek`: the period of figures, from a Monday to a Sunday by the student's own calendar."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum

LATEST_ZONE = timedelta(hours=12)
"""After midnight in UTC, the day ends in the last time zone."""
GRACE = timedelta(hours=1)
"""For answers that began before the week was over."""


class PartOfDay(StrEnum):
    NIGHT = "night"
    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"


PARTS = tuple(PartOfDay)
HOURS = 24 // len(PARTS)


@dataclass(frozen=True, order=True)
class FigureWeek:
    """Week of figures. monday: its first day; every student's is the one that their own clock shows."""

    monday: date

    @property
    def key(self) -> str:
        return f"{self.monday}"

    @property
    def closes_at(self) -> datetime:
        """When it is over for everybody, and its figures are made, once: a Monday, 13:00 UTC."""
        return datetime.combine(self.monday + timedelta(days=7), time(), UTC) + LATEST_ZONE + GRACE

    @property
    def sunday(self) -> date:
        return self.monday + timedelta(days=6)

    @property
    def previous(self) -> "FigureWeek":
        return FigureWeek(self.monday - timedelta(days=7))


def week_of(day: date) -> FigureWeek:
    return FigureWeek(day - timedelta(days=day.weekday()))


def week_of_key(key: str) -> FigureWeek:
    return FigureWeek(date.fromisoformat(key))


def part_of(when: datetime) -> PartOfDay:
    """Part of the day of a local time: night until 6, morning until 12, afternoon until 18, evening until 24."""
    return PARTS[when.hour // HOURS]
