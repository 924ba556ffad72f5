"""Dates as a student reads them, in their own time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from services.students import Student


def in_words(moment: datetime, student: Student) -> str:
    """ "Fri 27 Nov 2026"."""
    local = moment.astimezone(ZoneInfo(student.timezone))
    return f"{local:%a} {local.day} {local:%b %Y}"


def clock_time(moment: datetime, student: Student) -> str:
    """ "10:42 AM"."""
    return f"{moment.astimezone(ZoneInfo(student.timezone)):%I:%M %p}".lstrip("0")


def day_part(moment: datetime, student: Student) -> str:
    hour = moment.astimezone(ZoneInfo(student.timezone)).hour
    return "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"
