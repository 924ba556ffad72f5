"""Which days "this week" and "next week" are."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.week.horizon import horizon, week_start

ZONE = ZoneInfo("America/Chicago")
SUNDAY = date(2026, 11, 22)
LOCALES = ("en-US", "en-GB", "en", "es", "es-MX", "es-419", "en-MV")


@pytest.mark.parametrize(
    ("locale", "first"),
    [
        ("en-US", SUNDAY),
        ("en", SUNDAY),
        ("es-MX", SUNDAY),
        ("en-GB", SUNDAY - timedelta(days=6)),
        ("es", SUNDAY - timedelta(days=6)),
        ("en-MV", SUNDAY - timedelta(days=2)),
    ],
)
def test_a_week_begins_on_the_day_that_the_students_locale_says(locale: str, first: date) -> None:
    assert week_start(SUNDAY, locale) == first


@pytest.mark.parametrize("locale", ["en-US", "es"])
def test_until_friday_noon_this_week_is_the_calendars(locale: str) -> None:
    morning = datetime(2026, 11, 27, 11, 59, tzinfo=ZONE)

    weeks = horizon(morning, locale)

    assert not weeks.is_ahead
    assert weeks.this_week.first == week_start(morning.date(), locale)
    assert weeks.next_week.first == weeks.this_week.last + timedelta(days=1)


@pytest.mark.parametrize("locale", ["en-US", "es"])
def test_from_friday_noon_on_this_week_is_the_next_seven_days(locale: str) -> None:
    noon = datetime(2026, 11, 27, 12, tzinfo=ZONE)

    weeks = horizon(noon, locale)

    assert (weeks.this_week.first, weeks.this_week.last) == (date(2026, 11, 27), date(2026, 12, 3))
    assert weeks.next_week.first == week_start(noon.date(), locale) + timedelta(days=7)


def test_a_sunday_begins_a_week_or_looks_ahead() -> None:
    morning = datetime(2026, 11, 22, 9, tzinfo=ZONE)

    for locale in LOCALES:
        assert horizon(morning, locale).this_week.last >= SUNDAY + timedelta(days=4), locale


@pytest.mark.parametrize("locale", ["en-US", "es"])
def test_on_a_sunday_everybody_is_told_of_the_week_ahead(locale: str) -> None:
    weeks = horizon(datetime(2026, 11, 22, 9, tzinfo=ZONE), locale)

    assert weeks.is_ahead
    assert weeks.this_week.first == SUNDAY
    assert not horizon(datetime(2026, 11, 23, 9, tzinfo=ZONE), locale).is_ahead


@given(st.datetimes(datetime(2000, 1, 3), datetime(2090, 1, 1)), st.sampled_from(LOCALES))
def test_this_week_has_seven_days_and_today_is_one_of_them(at: datetime, locale: str) -> None:
    weeks = horizon(at.replace(tzinfo=ZONE), locale)

    for span in (weeks.this_week, weeks.next_week):
        assert (span.last - span.first).days == 6
    assert weeks.this_week.first <= at.date() <= weeks.this_week.last
    assert at.date() < weeks.next_week.first <= at.date() + timedelta(days=7)
