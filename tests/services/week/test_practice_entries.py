"""Planned practice stands in the week, once, whether a calendar has it or not."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from services.study.exam import Exam, PlannedSession, SessionKind
from services.study.exam_plans.exam_plans import SessionOfExam
from services.week.practice_entries import with_practice
from services.week.week import EntryKind, Week, WeekEntry

ZONE = ZoneInfo("America/Chicago")
NOW = datetime(2026, 11, 23, 9, 30, tzinfo=ZONE)
WEEK = Week(first=date(2026, 11, 23), as_of=NOW)
EXAM = Exam(id="e", course_key="c", title="Midterm", at=NOW + timedelta(days=9), made_at=NOW)
SESSION = PlannedSession(id="s", kind=SessionKind.READ, what="Chapter 3", start=NOW + timedelta(days=1), minutes=40)


def shown(week: Week = WEEK, session: PlannedSession = SESSION, cards: int = 0) -> list[WeekEntry]:
    planned = [SessionOfExam(exam=EXAM, session=session)]
    return list(with_practice(week, planned, cards=cards, now=NOW, zone=ZONE, url="https://h.example/study").entries)


def test_a_session_stands_at_its_time_and_takes_none() -> None:
    (entry,) = shown()

    assert (entry.title, entry.start, entry.end) == (
        "Read: Chapter 3",
        SESSION.start,
        SESSION.start + timedelta(minutes=40),
    )
    assert not entry.is_busy
    assert not entry.can_change
    assert entry.url == "https://h.example/study?view=exams"


def test_a_session_that_a_calendar_has_stands_there_once() -> None:
    event = WeekEntry(kind=EntryKind.EVENT, id="7", title="Read: Chapter 3", start=SESSION.start)

    assert [entry.id for entry in shown(replace(WEEK, entries=(event,)))] == ["7"]


def test_a_session_that_a_card_put_into_the_calendar_is_the_calendars_to_show() -> None:
    kept = replace(SESSION, card="card-7")

    assert shown(replace(WEEK, has_calendar=True), kept) == []
    assert [entry.title for entry in shown(session=kept)] == ["Read: Chapter 3"]


def test_what_lies_in_another_week_is_not_shown() -> None:
    assert shown(session=replace(SESSION, start=NOW + timedelta(days=8))) == []


def test_cards_to_review_stand_with_today() -> None:
    entry = next(entry for entry in shown(cards=12) if entry.id == "study-cards")

    assert (entry.title, entry.start.date(), entry.is_whole_day) == ("12 cards to review", NOW.date(), True)
