"""Dates as a student reads them, in their own time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from services.students import Student


def in_words(moment: datetime, student: Student) -> str:
    """ "Fri 27 Nov 2026"."""
    local = _local(moment, student)
    return f"{local:%a} {local.day} {local:%b %Y}"


def clock_time(moment: datetime, student: Student) -> str:
    """ "10:42 AM"."""
    return f"{_local(moment, student):%I:%M %p}".lstrip("0")


def days_until(moment: datetime, now: datetime, student: Student) -> str:
    """ "today", "tomorrow" or "in 12 days", by the student's calendar."""
    days = (_local(moment, student).date() - _local(now, student).date()).days
    return "today" if days <= 0 else "tomorrow" if days == 1 else f"in {days} days"


def day_part(moment: datetime, student: Student) -> str:
    hour = _local(moment, student).hour
    return "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"


def _local(moment: datetime, student: Student) -> datetime:
    return moment.astimezone(ZoneInfo(student.timezone))
