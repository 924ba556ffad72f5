from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.i18n.english import count, cut_note, day, days, duration, moment, span
from services.safety.text import one_line

CHICAGO = ZoneInfo("America/Chicago")


def at(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=CHICAGO)  # type: ignore[arg-type]


def test_a_moment_has_weekday_day_month_time_and_zone() -> None:
    assert moment(datetime(2026, 11, 28, 5, 59, tzinfo=UTC), CHICAGO) == "Fri 27 Nov 2026, 11:59 PM CST"
    assert moment(datetime(2026, 7, 1, 5, 0, tzinfo=UTC), CHICAGO) == "Wed 1 Jul 2026, 12:00 AM CDT"


def test_a_zone_without_letters_is_named_by_its_distance() -> None:
    assert moment(datetime(2026, 11, 27, 12, tzinfo=UTC), ZoneInfo("America/Sao_Paulo")).endswith("9:00 AM UTC-03")


def test_a_span_names_its_day_once_and_two_days_when_it_has_two() -> None:
    assert span(at(2026, 11, 27, 15), at(2026, 11, 27, 16, 30), CHICAGO) == "Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST"
    assert span(at(2026, 11, 27, 23), at(2026, 11, 28, 1), CHICAGO) == (
        "Fri 27 Nov 2026, 11:00 PM CST – Sat 28 Nov 2026, 1:00 AM CST"
    )


def test_a_span_over_a_change_of_clocks_says_both_zones() -> None:
    assert span(at(2026, 11, 1, 0), at(2026, 11, 1, 3), CHICAGO) == (
        "Sun 1 Nov 2026, 12:00 AM CDT – Sun 1 Nov 2026, 3:00 AM CST"
    )


def test_days_name_the_year_once() -> None:
    assert days(date(2026, 11, 23), date(2026, 11, 29)) == "Mon 23 Nov – Sun 29 Nov 2026"
    assert days(date(2026, 12, 30), date(2027, 1, 2)) == "Wed 30 Dec 2026 – Sat 2 Jan 2027"
    assert days(date(2026, 11, 23), date(2026, 11, 23)) == day(date(2026, 11, 23)) == "Mon 23 Nov 2026"


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0, "0 minutes"),
        (1, "1 minute"),
        (60, "1 hour"),
        (90, "1 hour 30 minutes"),
        (1440, "1 day"),
        (1505, "1 day 1 hour 5 minutes"),
    ],
)
def test_a_length_is_written_in_words(minutes: int, words: str) -> None:
    assert duration(minutes) == words


def test_numbers_of_things_agree_with_them() -> None:
    assert [count(n, "event") for n in (0, 1, 2)] == ["no events", "1 event", "2 events"]
    assert [count(n, "entry", "entries") for n in (0, 1, 2)] == ["no entries", "1 entry", "2 entries"]


def test_a_list_that_was_cut_says_so() -> None:
    assert cut_note(100, 1_234) == "Note: only the first 100 of 1,234 are shown."
    assert cut_note(100, 100) == ""


@given(st.text(max_size=300), st.integers(2, 100))
def test_a_title_is_one_visible_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert line == line.strip()


def test_a_title_cannot_hide_words_or_start_a_new_line() -> None:
    assert one_line("Lab\n(id: evil)\u202e\U000e0041") == "Lab (id: evil)"
    assert one_line("موعد 👩‍🔬") == "موعد 👩‍🔬"


@given(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)), st.integers(0, 10_000))
def test_every_span_can_be_written(start: datetime, minutes: int) -> None:
    assert span(start, start + timedelta(minutes=minutes), CHICAGO)
