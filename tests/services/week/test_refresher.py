"""Days are read behind a page: what services told, what they did not, and what moved since."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.i18n import get_locale, locale_scope
from services.identity.students import Student
from services.integrations.canvas.tools.announcements import canvas_list_announcements
from services.integrations.canvas.tools.discussions import canvas_list_discussions
from services.storage.store import Store
from services.study.overview import StudyDay
from services.tools.result import ToolResult
from services.week import refresher
from services.week.changes import ChangeKind
from services.week.day_sources import SourceReading
from services.week.refresher import WeekRefresher
from services.week.snapshots import FRESH, WeekSnapshots
from services.week.today import Today
from services.week.week import WeekEntry
from tests.fakes import FakeClock, FakeDocuments
from tests.services.week.fake_gateway import ASSIGNMENT, EVENT, NOW, TASK, FakeGateway, found

ZONE = ZoneInfo("America/Chicago")
HERE = NOW.astimezone(ZONE)
MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
HOUR = timedelta(hours=1)


def titles(*entries: WeekEntry | None) -> list[tuple[str, str]]:
    return [(entry.title, entry.where) for entry in entries if entry]


class Days:
    """A student whose days are read by a refresher from tools that answer as a test says."""

    def __init__(self, **answers: ToolResult) -> None:
        self.clock = FakeClock(NOW)
        self.door = FakeGateway(canvas_list_announcements, canvas_list_discussions, **answers)
        self.accounts: Mapping[str, Any] = {"canvas": SimpleNamespace(connected_at=NOW, data_version=0)}
        self.store = Store(FakeDocuments(clock=self.clock))
        connections: Any = SimpleNamespace(all=lambda _: self.accounts)
        self.refresher = WeekRefresher(
            gateway=self.door,
            connections=connections,
            store=self.store,
            study_day=lambda _: StudyDay(),
            clock=self.clock,
        )

    def read(self, **answers: ToolResult) -> Today:
        self.door.answers |= answers
        self.refresher.refresh(MAYA)
        return self.shown()

    def shown(self) -> Today:
        return self.refresher.today(MAYA, self.accounts)


def test_a_reading_holds_classes_with_their_room_work_and_news() -> None:
    posted = {"id": 5, "course": "BIOL 201", "title": "Room", "posted_at": "2026-11-25T10:00:00+00:00"}
    unread = {"id": 6, "course": "BIOL 201", "title": "HeLa", "unread": 2, "latest_at": "2026-11-25T11:00:00+00:00"}
    graded = {**ASSIGNMENT, "id": 8, "graded_at": "2026-11-25T09:00:00+00:00", "score": 9.0, "is_done": True}

    shown = Days(
        range=found("assignments", ASSIGNMENT),
        overdue=found("assignments", {**ASSIGNMENT, "id": 9, "due_at": "2026-11-20T05:00:00+00:00"}),
        graded=found("assignments", graded),
        calendar_list_events=found("events", EVENT),
        open_tasks=found("tasks", TASK),
        canvas_list_announcements=found("announcements", posted),
        canvas_list_discussions=found("discussions", unread),
    ).read()

    assert titles(shown.next_class) == [("Lab", "Room 2")]
    assert titles(*shown.due_soon) == [("Quiz 5", ""), ("Read", "")]
    assert [entry.id for entry in shown.overdue] == ["canvas/9"]
    assert [(change.kind, change.score, change.count) for change in shown.changes] == [
        (ChangeKind.REPLIES, None, 2),
        (ChangeKind.ANNOUNCEMENT, None, 0),
        (ChangeKind.GRADE, 9.0, 0),
    ]
    assert (shown.has_calendar, shown.has_courses, shown.is_current) == (True, True, True)


def test_a_service_that_fails_leaves_what_it_told_before_and_says_of_when_that_is() -> None:
    """Fault R74."""
    days = Days(range=found("assignments", ASSIGNMENT), calendar_list_events=found("events", EVENT))
    days.read()
    days.clock.advance(hours=1)

    shown = days.read(calendar_list_events=ToolResult(success=False, error="Google is away.", error_kind="unavailable"))

    assert titles(shown.next_class) == [("Lab", "Room 2")]
    assert [problem.as_of for problem in shown.problems] == [HERE]
    assert shown.as_of == HERE + HOUR


def test_a_due_date_that_moved_is_told_with_the_earlier_one() -> None:
    days = Days(range=found("assignments", ASSIGNMENT))
    days.read()
    days.clock.advance(hours=1)

    (change,) = days.read(range=found("assignments", {**ASSIGNMENT, "due_at": "2026-12-04T05:30:00+00:00"})).changes

    assert change.kind is ChangeKind.MOVED
    assert change.earlier_due_at == datetime(2026, 11, 26, 23, 30, tzinfo=ZONE)
    assert change.due_at == datetime(2026, 12, 3, 23, 30, tzinfo=ZONE)


def test_an_entry_is_told_as_it_is_now_and_as_it_was_where_its_service_is_away() -> None:
    days, later = Days(range=found("assignments", ASSIGNMENT)), "2026-12-04T05:30:00+00:00"
    days.read()
    (key,) = (entry.key for entry in days.shown().due_soon)
    days.clock.advance(hours=1)
    days.door.answers |= {"range": found("assignments", {**ASSIGNMENT, "due_at": later})}

    moved = days.refresher.entry(MAYA, key)
    days.clock.advance(hours=1)
    days.door.answers |= {"range": ToolResult(success=False, error="Canvas is away.", error_kind="unavailable")}
    away = days.refresher.entry(MAYA, key)

    assert moved
    assert away
    assert moved.start == away.start == datetime(2026, 12, 3, 23, 30, tzinfo=ZONE)
    assert days.refresher.entry(MAYA, "due canvas/none") is None


def test_a_date_that_moved_there_and_back_or_was_moved_by_the_student_is_no_news() -> None:
    days = Days(range=found("assignments", ASSIGNMENT), open_tasks=found("tasks", TASK))
    days.read()
    days.read(
        range=found("assignments", {**ASSIGNMENT, "due_at": "2026-12-04T05:30:00+00:00"}),
        open_tasks=found("tasks", {**TASK, "due_at": "2026-11-26T18:00:00+00:00"}),
    )

    assert days.read(range=found("assignments", ASSIGNMENT)).changes == ()


def test_with_a_feed_alone_its_due_dates_count_and_nobody_calls_them_late() -> None:
    feed = {**EVENT, "id": "feed/1", "title": "Quiz 5", "start": "2026-11-26T15:00:00-06:00", "due_date": True}
    past = {**feed, "id": "feed/2", "start": "2026-11-25T09:00:00-06:00"}

    shown = Days(calendar_list_events=found("events", feed, past)).read()

    assert [entry.id for entry in shown.due_soon] == ["feed/1"]
    assert (shown.overdue, shown.has_courses) == ((), True)


def test_what_a_feed_and_canvas_both_tell_is_told_once() -> None:
    feed = {**EVENT, "id": "feed/1", "title": "Quiz 5 [BIOL]", "start": "2026-11-27T05:30:00+00:00", "due_date": True}

    shown = Days(range=found("assignments", ASSIGNMENT), calendar_list_events=found("events", feed)).read()

    assert [entry.id for entry in shown.due_soon] == ["canvas/7"]


def test_days_of_other_accounts_or_of_yesterday_are_not_shown() -> None:
    days = Days(range=found("assignments", ASSIGNMENT))
    days.read()
    other = {"canvas": SimpleNamespace(connected_at=NOW + HOUR, data_version=0)}

    assert days.refresher.today(MAYA, other).due_soon == ()
    days.clock.advance(seconds=FRESH.total_seconds() + 1)
    assert days.shown() == replace(Today(now=days.shown().now, since=days.shown().since))


def test_a_reading_behind_is_in_the_students_language_and_tells_when_it_is_done() -> None:
    days, locales, done = Days(range=found("assignments", ASSIGNMENT)), [], Event()
    asked = days.door.call_all
    days.door.call_all = lambda *given, **more: locales.append(get_locale()) or asked(*given, **more)  # type: ignore[method-assign,func-returns-value]

    with locale_scope("en-US"):
        days.refresher.refresh_behind(replace(MAYA, locale="es-MX"), done.set)

    assert done.wait(20)
    assert locales == ["es-MX"]
    assert days.shown().is_current


def test_while_a_service_takes_long_what_the_others_told_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresher, "FIRST_AFTER_S", 0.01)
    days, told, answered = Days(), Event(), Event()
    slow = Days(calendar_list_events=found("events", EVENT), range=found("assignments", ASSIGNMENT)).door

    def answer(student: Student, calls: Any, *, asked_by: str, on_result: Any) -> list[ToolResult]:
        results = slow.call_all(student, calls, asked_by=asked_by)
        for place, (name, _) in enumerate(calls):
            if name == "calendar_list_events":
                on_result(place, results[place])
        assert answered.wait(20)
        return results

    days.door.call_all = answer  # type: ignore[method-assign, assignment]
    days.refresher.refresh_behind(MAYA, told.set)
    assert told.wait(20)
    first = days.shown()
    told.clear()
    answered.set()
    assert told.wait(20)
    whole = days.shown()

    assert (first.next_class is not None, first.is_partial, first.has_courses, first.as_of) == (True, True, False, None)
    assert (first.awaits_due, first.awaits_next_class) == (True, False)
    assert (whole.is_partial, whole.has_courses, whole.is_current) == (False, True, True)
    assert not whole.awaited


def test_what_was_connected_while_it_was_read_is_read_too() -> None:
    days = Days(range=found("assignments", ASSIGNMENT))
    asked = days.door.call_all

    def connect(*given: Any, **more: Any) -> list[ToolResult]:
        days.accounts = {**days.accounts, "google_calendar": SimpleNamespace(connected_at=NOW, data_version=0)}
        return asked(*given, **more)

    days.door.call_all = connect  # type: ignore[method-assign]

    assert days.read().is_current


def test_what_is_known_is_not_replaced_by_a_part_of_it() -> None:
    days = Days()
    days.read(calendar_list_events=found("events", EVENT), range=found("assignments", ASSIGNMENT))
    snapshots = WeekSnapshots(days.store, days.clock)

    assert not snapshots.save_first_readings(MAYA, [SourceReading(source="tasks:x")], days.accounts)
    assert days.shown().has_courses


def test_a_reading_that_fails_still_tells_that_it_is_done() -> None:
    days, done = Days(), Event()
    broken: Any = SimpleNamespace(all=lambda _: 1 / 0)
    days.refresher = WeekRefresher(
        gateway=days.door, connections=broken, store=days.store, study_day=lambda _: StudyDay(), clock=days.clock
    )

    days.refresher.refresh_behind(MAYA, done.set)

    assert done.wait(20)
    assert not days.shown().is_current
