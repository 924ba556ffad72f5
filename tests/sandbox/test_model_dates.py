"""What texts say about time, for any day one may ask on."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.model.rules.dates.when import When, read_when

CHICAGO = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 21, 10, 42, tzinfo=CHICAGO)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DIAS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2028, 12, 31), timezones=st.just(CHICAGO))
DAYS = st.dates(date(2025, 1, 1), date(2028, 12, 31))


def when(text: str, now: datetime = NOW) -> When:
    return read_when(text, now)[0]


def span(text: str) -> tuple[str, str]:
    """Start and end as "MM-DD HH:MM", "" where there is none."""
    read = when(text)
    return tuple(f"{moment:%m-%d %H:%M}" if moment else "" for moment in (read.start, read.end))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("tomorrow", "11-22 00:00", "11-22 23:59"),
        ("mañana", "11-22 00:00", "11-22 23:59"),
        ("pasado mañana", "11-23 00:00", "11-23 23:59"),
        ("mañana por la mañana", "11-22 08:00", "11-22 12:00"),
        ("tomorrow afternoon", "11-22 12:00", "11-22 17:00"),
        ("this week", "11-16 00:00", "11-22 23:59"),
        ("esta semana", "11-16 00:00", "11-22 23:59"),
        ("the rest of the week", "11-21 00:00", "11-22 23:59"),
        ("next week", "11-23 00:00", "11-29 23:59"),
        ("la semana que viene", "11-23 00:00", "11-29 23:59"),
        ("next month", "12-01 00:00", "12-31 23:59"),
        ("Friday at 3", "11-27 15:00", ""),
        ("thurs 5ish", "11-26 17:00", ""),
        ("el viernes a las 15:30", "11-27 15:30", ""),
        ("a las 4 y media de la tarde", "11-21 16:30", ""),
        ("15:00–17:00", "11-21 15:00", "11-21 17:00"),
        ("Monday 3-5pm", "11-23 15:00", "11-23 17:00"),
        ("10-2pm on Monday", "11-23 10:00", "11-23 14:00"),
        ("from Monday to Wednesday", "11-23 00:00", "11-25 23:59"),
        ("in two hours", "11-21 12:42", ""),
        ("en dos horas", "11-21 12:42", ""),
        ("12/1 at noon", "12-01 12:00", ""),
        ("27 de noviembre a las 9", "11-27 09:00", ""),
        ("Fri 27 Nov 2026, 3:00 PM – 4:30 PM CST", "11-27 15:00", "11-27 16:30"),
        ("2026-11-27T15:00", "11-27 15:00", ""),
        ("tomorrow 10am-noon", "11-22 10:00", "11-22 12:00"),
        ("by Thursday", "", "11-26 23:59"),
        ("before Sunday", "", "11-21 23:59"),
        ("hasta el domingo", "", "11-22 23:59"),
        ("8am", "11-22 08:00", ""),
        ("Saturday at noon", "11-28 12:00", ""),
    ],
)
def test_usual_wordings_are_read(text: str, start: str, end: str) -> None:
    assert span(text) == (start, end)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("2h", 120),
        ("an hour and a half", 90),
        ("media hora", 30),
        ("45 min", 45),
        ("una hora y media", 90),
        ("two free hours", 120),
        ("1 hour 15 min", 75),
    ],
)
def test_lengths_are_read(text: str, minutes: int) -> None:
    assert when(f"study for {text}").minutes == minutes


@pytest.mark.parametrize(
    "text", ["problem 2 and 3", "chapter 5", "calc 2 homework", "pages 3 to 5", "a lot", "may I", "24% of it"]
)
def test_other_numbers_and_words_are_no_times(text: str) -> None:
    assert not when(text).is_said


@given(MOMENTS, st.integers(0, 6))
def test_a_weekday_is_the_next_one_and_in_spanish_the_same(now: datetime, weekday: int) -> None:
    english, spanish = when(f"on {WEEKDAYS[weekday]}", now), when(f"el {DIAS[weekday]}", now)

    assert english == spanish
    assert english.start is not None
    assert english.start.weekday() == weekday
    assert 0 <= (english.start.date() - now.date()).days < 7


@given(MOMENTS, st.integers(0, 6))
def test_next_weekday_lies_in_the_next_calendar_week(now: datetime, weekday: int) -> None:
    read = when(f"next {WEEKDAYS[weekday]}", now)

    assert read.start is not None
    monday = now.date() - timedelta(days=now.weekday())
    assert read.start.date() == monday + timedelta(days=7 + weekday)


@given(DAYS, st.integers(8, 22), st.sampled_from([0, 15, 30, 45]))
def test_a_written_date_and_hour_is_read_back_in_every_form(day: date, hour: int, minute: int) -> None:
    clock = f"{hour:02}:{minute:02}"
    forms = (
        f"{day.isoformat()} {clock}",
        f"{day:%B} {day.day}, {day.year} at {clock}",
        f"{day.day} {day:%b} {day.year}, {clock}",
        f"{day:%a} {day.day} {day:%b} {day.year}, {hour % 12 or 12}:{minute:02} {'PM' if hour >= 12 else 'AM'}",
    )
    expected = datetime(day.year, day.month, day.day, hour, minute, tzinfo=CHICAGO)
    now = datetime(day.year, day.month, day.day, 0, 0, tzinfo=CHICAGO) - timedelta(days=3)

    assert [when(form, now).start for form in forms] == [expected] * len(forms)


@given(MOMENTS, st.integers(1, 11), st.integers(1, 4))
def test_a_range_of_hours_keeps_its_length(now: datetime, first: int, length: int) -> None:
    last = first + length
    if last > 11:
        return

    read = when(f"tomorrow from {first}pm to {last}pm", now)

    assert read.start is not None
    assert read.end is not None
    assert read.end - read.start == timedelta(hours=length)
    assert read.start.date() == now.date() + timedelta(days=1)


@given(MOMENTS, st.integers(1, 20))
def test_an_hour_without_a_day_is_never_in_the_past(now: datetime, hour: int) -> None:
    read = when(f"at {hour}:30", now)

    assert read.start is not None
    assert now - timedelta(minutes=1) <= read.start <= now + timedelta(hours=36)


@given(st.text(max_size=120), MOMENTS)
def test_any_text_is_read_without_trouble(text: str, now: datetime) -> None:
    read, spans = read_when(text, now)

    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    if read.start and read.end and not read.is_deadline:
        assert read.start <= read.end
