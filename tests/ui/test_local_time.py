"""Dates in the student's own words and time zone."""

from datetime import UTC, datetime, timedelta

import pytest

from services.identity.students import Student
from ui import local_time

MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (timedelta(hours=-1), "today"),
        (timedelta(hours=8), "today"),
        (timedelta(hours=15, minutes=1), "tomorrow"),
        (timedelta(days=12), "in 12 days"),
    ],
)
def test_days_are_counted_by_the_students_calendar(ahead: timedelta, words: str) -> None:
    assert local_time.days_until(NOW + ahead, NOW, MAYA) == words


def test_a_day_and_a_time_are_those_of_the_students_zone() -> None:
    late = datetime(2026, 11, 28, 5, 59, tzinfo=UTC)

    assert local_time.local_day(late, MAYA) == "Fri 27 Nov 2026"
    assert local_time.clock_time(late, MAYA) == "11:59 PM"
    assert local_time.clock_time(datetime(2026, 11, 28, 6, 5, tzinfo=UTC), MAYA) == "12:05 AM"
