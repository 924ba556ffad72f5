"""`Budget`: limits in money by day and by term, and the periods that they are counted in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from services.errors import SettingsError
from services.identity.time_zones import is_timezone

TIMEZONE_SETTING = "HOMEROOM_TIMEZONE"


class Period(StrEnum):
    DAY = "day"
    TERM = "term"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits in millionths of a dollar; None where there is none."""

    day: int | None = None
    term: int | None = None

    def of(self, period: Period) -> int | None:
        return self.day if period is Period.DAY else self.term

    @property
    def are_set(self) -> bool:
        return self.day is not None or self.term is not None

    def within(self, other: "Limits") -> "Limits":
        """The lower one of each two."""
        return Limits(day=_lower(self.day, other.day), term=_lower(self.term, other.term))

    def divided(self, count: int) -> "Limits":
        """An equal part of each for so many."""
        count = max(1, count)
        return Limits(
            day=None if self.day is None else self.day // count,
            term=None if self.term is None else self.term // count,
        )


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Budget of the deployment, or of one class.

    total: of all together. share: of each student; in a class never more than an equal part of the total, so that
    nobody can spend what is another's. most_of_class: what any class may be given; of the deployment's alone.
    term_from, term_until: first and last day of the term; without the first one a term is never over.
    """

    total: Limits = Limits()
    share: Limits = Limits()
    most_of_class: Limits = Limits()
    term_from: date | None = None
    term_until: date | None = None
    version: str = field(default="", compare=False)

    @property
    def is_set(self) -> bool:
        return self.total.are_set or self.share.are_set


@dataclass(frozen=True, kw_only=True)
class Periods:
    """Keys of the day and the term of one moment, and when each is over; None for a term without an end."""

    day: str
    term: str
    day_ends_at: datetime
    term_ends_at: datetime | None

    def key(self, period: Period) -> str:
        return self.day if period is Period.DAY else self.term

    def ends_at(self, period: Period) -> datetime | None:
        return self.day_ends_at if period is Period.DAY else self.term_ends_at


def school_zone(environment: Mapping[str, str]) -> ZoneInfo:
    """Read the time zone of the school, whose days are counted, UTC where none is set; raises `SettingsError`."""
    name = environment.get(TIMEZONE_SETTING, "UTC")
    if not is_timezone(name):
        step = "Set an IANA name, such as America/Chicago."
        raise SettingsError(TIMEZONE_SETTING, "is not a time zone.", next_step=step)
    return ZoneInfo(name)


def periods_of(now: datetime, zone: ZoneInfo, budget: Budget) -> Periods:
    """The periods of a budget, by the school's calendar. What comes after a term's last day is counted anew."""
    today = now.astimezone(zone).date()
    until = budget.term_until
    is_over = until is not None and today > until
    begins = f"{budget.term_from or 'always'}"
    return Periods(
        day=f"{today}",
        term=f"{until}+" if is_over else begins,
        day_ends_at=_midnight(today + timedelta(days=1), zone),
        term_ends_at=None if until is None or is_over else _midnight(until + timedelta(days=1), zone),
    )


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _lower(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else min(first, second)
