"""Clock: the current time, and timestamps as they are stored."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
MOST_SKEW_S = 60.0
"""How far another replica's clock may be ahead: a later time than that is from a clock that has been set back since."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Format an aware time as fixed-width ISO 8601 in UTC, so that timestamps sort as times do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def moment(written: str) -> datetime:
    """Parse a timestamp that `stamp` made."""
    return datetime.fromisoformat(written)
