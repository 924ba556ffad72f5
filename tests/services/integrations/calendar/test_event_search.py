"""Words find events by title, place and notes: all of them, as beginnings in a title and whole in notes."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.integrations.calendar.event import Event
from services.integrations.calendar.event_search import closest_titles, events_with_words

NOW = datetime(2026, 11, 23, 16, tzinfo=UTC)


def event(title: str, place: str = "", notes: str = "") -> Event:
    zone = ZoneInfo("America/Chicago")
    facts = {"provider": "Google Calendar", "calendar": "", "start": NOW, "end": NOW, "zone": zone}
    return Event(id=f"g/{title}", title=title, location=place, description=notes, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (event("Biology lab"), "bio lab"),
        (event("Examen de Química"), "QUIMICA examen"),
        (event("Review", notes="Everything for the exam"), "exam"),
        (event("Review", notes="Todo para los exámenes"), "examenes"),
        (event("Call", place="Exam hall"), "exam"),
        (event("Biology", notes="Bring the lab coat"), "biology lab"),
        (event("Study", notes="For quiz 5 and quiz 6"), "quiz 6"),
        (event("CS 101 project"), "CS101"),
        (event("Priya's birthday 🎂"), "🎂"),
        (event("日本語 conversation table"), "日本語"),
        (event("Anything"), "  "),
    ],
)
def test_words_find_what_has_all_of_them(found: Event, words: str) -> None:
    assert events_with_words([event("Zumba"), found], words)[0][-1] == found


@pytest.mark.parametrize(
    ("missed", "words"),
    [
        (event("Review", notes="For example"), "exam"),
        (event("Dinner", notes="Write to exam@campus.example or https://exam.example/exam"), "exam"),
        (event("Biology lab"), "biology lecture"),
        (event("Quiz 2", notes="Chapters 4–5"), "quiz 5"),
        (event("Midterm", place="Room 2"), "midterm 2"),
    ],
)
def test_words_do_not_find_what_lacks_one_of_them(missed: Event, words: str) -> None:
    assert events_with_words([missed], words) == ([], False)


def test_mistyped_words_find_what_is_like_them_only_where_nothing_has_them() -> None:
    zebra, other = event("Zebra watching"), event("Zebra wacthing")

    assert events_with_words([zebra], "zebra wacthing") == ([zebra], True)
    assert events_with_words([zebra, other], "zebra wacthing") == ([other], False)


def test_the_closest_titles_come_once() -> None:
    events = [event("Dentist: Dr. Osei"), event("Dentist: Dr. Osei"), event("Run")]

    assert closest_titles(events, "dentist appointment", 5) == ["Dentist: Dr. Osei"]


@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=20))
def test_any_words_find_only_some_of_the_events_in_their_order(texts: list[str], words: str) -> None:
    events = [event(text or "-", notes=text[::-1]) for text in texts]

    found, _ = events_with_words(events, words)

    assert [kept for kept in events if any(kept is match for match in found)] == found
