"""The one place that knows what time it is, and how times are written down."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Write an aware time as fixed-width ISO 8601 in UTC, so that stamps sort as times do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def moment(written: str) -> datetime:
    """Read what `stamp` wrote."""
    return datetime.fromisoformat(written)
