"""Dates and times in the student's own time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student


def local_day(moment: datetime, student: Student) -> str:
    """Day: "Fri 27 Nov 2026"."""
    return formats.day(_local(moment, student))


def clock_time(moment: datetime, student: Student) -> str:
    """Time of day: "10:42 AM"."""
    return formats.clock(_local(moment, student))


def days_until(moment: datetime, now: datetime, student: Student) -> str:
    """Distance: "today", "tomorrow" or "in 12 days", by the student's calendar."""
    days = (_local(moment, student).date() - _local(now, student).date()).days
    return (
        gettext("today")
        if days <= 0
        else gettext("tomorrow")
        if days == 1
        else ngettext("in {n} day", "in {n} days", days)
    )


def as_heading(written: str) -> str:
    """Text with a capital first letter, which Spanish days and months have only there."""
    return f"{written[:1].upper()}{written[1:]}"


def day_part(moment: datetime, student: Student) -> str:
    """Part of the day: "morning", "afternoon" or "evening"."""
    hour = _local(moment, student).hour
    return "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"


def _local(moment: datetime, student: Student) -> datetime:
    return moment.astimezone(ZoneInfo(student.timezone))
