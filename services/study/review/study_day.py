"""Study day: a student's calendar day of practice, which begins at 4 a.m. in their time zone, as in Anki."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

BEGINS = time(4)


def study_day(at: datetime, zone: ZoneInfo) -> date:
    """The day that a moment belongs to: at 2 a.m. it is still yesterday."""
    local = at.astimezone(zone).replace(tzinfo=None)
    return (local - timedelta(hours=BEGINS.hour)).date()


def start_of_day(day: date, zone: ZoneInfo) -> datetime:
    """The moment at which a study day begins, in UTC."""
    return datetime.combine(day, BEGINS, zone).astimezone(UTC)
