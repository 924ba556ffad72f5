"""Dates and times in the student's own time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from services.i18n import formats, gettext, ngettext
from services.identity.students import Student


def local_day(moment: datetime, student: Student) -> str:
    """Day: "Fri 27 Nov 2026"."""
    return formats.day(to_local(moment, student))


def clock_time(moment: datetime, student: Student) -> str:
    """Time of day: "10:42 AM"."""
    return formats.clock(to_local(moment, student))


def day_and_time(moment: datetime, student: Student) -> str:
    """Day and time of day: "Fri 27 Nov 2026, 10:42 AM CST"."""
    return formats.moment(moment, ZoneInfo(student.timezone))


def days_until(moment: datetime, now: datetime, student: Student) -> str:
    """Distance: "today", "tomorrow" or "in 12 days", by the student's calendar."""
    days = (to_local(moment, student).date() - to_local(now, student).date()).days
    if days <= 0:
        return gettext("today")
    return gettext("tomorrow") if days == 1 else ngettext("in {n} day", "in {n} days", days)


def as_heading(written: str) -> str:
    """Text with a capital first letter, which Spanish days and months have only there."""
    return f"{written[:1].upper()}{written[1:]}"


def to_local(moment: datetime, student: Student) -> datetime:
    """Same moment in the student's time zone."""
    return moment.astimezone(ZoneInfo(student.timezone))
