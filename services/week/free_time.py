"""Free time of a week: gaps in the calendars, and how long one must be to be looked for, worked in, or suggested."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

SHORTEST_GAP = 60
"""Minutes of free time that calendars are asked for."""
SHORTEST_SESSION = 30
"""Minutes: less is not worth beginning."""
LONG_GAP = 90
"""Minutes: a shorter one is no free afternoon."""
AFTERNOON = (12, 18)


@dataclass(frozen=True, kw_only=True)
class Gap:
    """Stretch of time with nothing in the calendar."""

    start: datetime
    end: datetime

    @property
    def minutes(self) -> int:
        return int((self.end.astimezone(UTC) - self.start.astimezone(UTC)).total_seconds() // 60)

    def is_free_afternoon(self, now: datetime) -> bool:
        """Whether enough of this day's afternoon is free. now: in the student's zone."""
        noon, evening = (now.replace(hour=hour, minute=0, second=0, microsecond=0) for hour in AFTERNOON)
        return Gap(start=max(self.start, noon, now), end=min(self.end, evening)).minutes >= LONG_GAP


def gaps_ahead(free: Iterable[Gap], now: datetime) -> tuple[Gap, ...]:
    """What is left of free time from now on, where that is long enough."""
    left = (replace(gap, start=max(gap.start, now)) for gap in free)
    return tuple(gap for gap in left if gap.minutes >= SHORTEST_GAP)


def gaps_until(free: Iterable[Gap], deadline: datetime) -> list[Gap]:
    """Gaps to work in before a deadline, where they are long enough for a session."""
    cut = (replace(gap, end=min(gap.end, deadline)) for gap in free)
    return [gap for gap in cut if gap.minutes >= SHORTEST_SESSION]
