"""Days of the seed's data, counted from today, as the moments that Canvas writes."""

from datetime import UTC, datetime

from sandbox.campus import Campus


def at(campus: Campus, day: int | str, time: str) -> str | None:
    """A day counted from today and a wall-clock time in America/Chicago, as Canvas writes moments (UTC)."""
    if isinstance(day, str):
        return None
    hour, minute = (int(part) for part in (time or "00:00").split(":"))
    return written(campus.local(day, hour, minute))


def written(moment: datetime) -> str:
    """Canvas's form of a moment: "2026-11-24T05:59:59Z"; a deadline at 23:59 lasts to the minute's end."""
    return moment.astimezone(UTC).replace(second=59 if moment.minute == 59 else 0).strftime("%Y-%m-%dT%H:%M:%SZ")
