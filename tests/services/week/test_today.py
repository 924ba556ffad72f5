"""Today: the next class, what is due, late and new, and the next free time, from a snapshot alone."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.i18n import get_locale, locale_scope
from services.identity.students import Student
from services.integrations.canvas.tools.announcements import canvas_list_announcements
from services.integrations.canvas.tools.discussions import canvas_list_discussions
from services.storage.store import Store
from services.study.overview import StudyDay
from services.tools.result import ToolResult
from services.week import refresher
from services.week.changes import Change, ChangeKind
from services.week.day_sources import SourceReading
from services.week.free_time import Gap
from services.week.refresher import WeekRefresher
from services.week.snapshots import FRESH, SourceState, WeekSnapshot, WeekSnapshots
from services.week.today import StudySlot, Today, make_today
from services.week.week import EntryKind, WeekEntry
from tests.fakes import FakeClock, FakeDocuments
from tests.services.week.door import ASSIGNMENT, EVENT, NOW, TASK, FakeDoor, found

ZONE = ZoneInfo("America/Chicago")
HERE = NOW.astimezone(ZONE)
MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
HOUR = timedelta(hours=1)


def work(title: str, hours: float, **more: Any) -> WeekEntry:
    return WeekEntry(**{"kind": EntryKind.DUE, "id": title, "title": title, "start": HERE + hours * HOUR, **more})


def event(title: str, hours: float, length: float = 1, **more: Any) -> WeekEntry:
    start = HERE + hours * HOUR
    return WeekEntry(kind=EntryKind.EVENT, id=title, title=title, start=start, end=start + length * HOUR, **more)


def titles(*entries: WeekEntry | None) -> list[tuple[str, str]]:
    return [(entry.title, entry.where) for entry in entries if entry]


def today(*entries: WeekEntry, **more: Any) -> Today:
    since = more.pop("since", None)
    events = tuple(entry for entry in entries if entry.kind is EntryKind.EVENT)
    rest = tuple(entry for entry in entries if entry.kind is not EntryKind.EVENT)
    return make_today(WeekSnapshot(entries=rest, events=events, **more), HERE, locale="en-US", since=since)


def test_the_next_class_is_the_one_that_runs_or_comes_first_and_takes_time() -> None:
    offers = [event("All day", -12, is_whole_day=True), event("Drop-in", 0.5, is_busy=False)]

    assert today(*offers, event("Lab", 3), event("Lecture", 1), event("Gone", -2)).next_class == event("Lecture", 1)
    assert today(*offers, event("Lecture", 1), event("Running", -0.5)).next_class == event("Running", -0.5)
    assert today(*offers, event("After the holidays", 24 * 9)).next_class is None


def test_due_soon_is_open_work_of_two_days_and_then_what_comes_first() -> None:
    shown = today(
        work("Done", 2, is_done=True), work("Late", 60), work("B", 47), work("A", 1), work("To grade", 1, to_grade=3)
    )

    assert [entry.title for entry in shown.due_soon] == ["A", "B"]
    assert shown.due_later is not None
    assert shown.due_later.title == "Late"


def test_from_friday_noon_on_the_next_seven_days_are_told() -> None:
    friday = HERE.replace(day=27, hour=13)
    snapshot = WeekSnapshot(entries=tuple(work(title, hours) for title, hours in (("A", 80), ("B", 190), ("C", 290))))

    shown, before = (make_today(snapshot, at, locale="en-US") for at in (friday, friday - 2 * HOUR))

    assert [[entry.title for entry in part] for part in (shown.due_soon, shown.due_ahead)] == [["A"], ["B"]]
    assert shown.ahead_until == friday.date() + timedelta(days=6)
    assert (before.due_ahead, before.ahead_until) == ((), None)
    assert before.due_later == shown.due_later == work("B", 190)


def test_overdue_is_what_was_told_so_and_what_has_gone_by_since_it_was_read() -> None:
    shown = today(
        work("Told", -30),
        work("Just now", -1),
        work("Exam", -1, is_exam=True),
        work("On paper", -5),
        work("Of a feed", -1),
        work("Own task", -40, kind=EntryKind.TASK),
        late=frozenset({"Told"}),
        feed_due=frozenset({"Of a feed"}),
        read_at=HERE - 2 * HOUR,
    )

    assert [entry.title for entry in shown.overdue] == ["Just now", "Told", "Own task"]


def test_made_up_work_is_told_only_to_who_has_no_other() -> None:
    sample, own = work("Stars", 5, is_sample=True), SourceState(source="due:canvas_list_assignments")

    assert today(sample).has_sample
    assert today(sample, work("Lab", 5), sources=(own,)).due_soon == (work("Lab", 5),)


def test_changes_are_those_since_the_last_visit_the_newest_first() -> None:
    changes = tuple(
        Change(kind=ChangeKind.GRADE, id=str(ago), title="Quiz", at=HERE - ago * HOUR) for ago in (90, 30, 2, -3)
    )

    assert [change.id for change in today(changes=changes, since=HERE - 40 * HOUR).changes] == ["2", "30"]
    assert [change.id for change in today(changes=changes, since=HERE - 1000 * HOUR).changes] == ["2", "30", "90"]
    assert [change.id for change in today(changes=changes).changes] == ["2", "30"]


def test_the_next_free_time_is_for_what_is_due_first_and_still_in_time() -> None:
    free = (Gap(start=HERE + 2 * HOUR, end=HERE + 8 * HOUR),)

    slot = today(work("Too soon", 1), work("Second", 50), work("First", 30, minutes=90), free=free).suggestion

    assert slot == StudySlot(entry=work("First", 30, minutes=90), gap=Gap(start=HERE + 2 * HOUR, end=HERE + 3.5 * HOUR))
    assert today(work("First", 30), free=(Gap(start=HERE + 60 * HOUR, end=HERE + 70 * HOUR),)).suggestion is None


@given(st.integers(0, 3600 * 30), st.integers(0, 600), st.integers(-600, 4000), st.integers(0, 400))
def test_free_time_is_never_past_nor_a_sliver_nor_after_what_is_due(
    seconds: int, length: int, due: int, minutes: int
) -> None:
    now = HERE + timedelta(seconds=seconds)
    gap = Gap(start=HERE, end=HERE + timedelta(minutes=length))
    entry = replace(work("Essay", 0), start=HERE + timedelta(minutes=due), minutes=minutes)

    slot = make_today(WeekSnapshot(entries=(entry,), free=(gap,)), now, locale="en-US").suggestion

    if slot is not None:
        assert now <= slot.gap.start
        assert slot.gap.end <= min(gap.end, entry.start)
        assert slot.gap.minutes >= 30
        assert slot.gap.start.minute % 15 == 0


class Days:
    """A student whose days are read by a refresher from tools that answer as a test says."""

    def __init__(self, **answers: ToolResult) -> None:
        self.clock = FakeClock(NOW)
        self.door = FakeDoor(canvas_list_announcements, canvas_list_discussions, **answers)
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


def test_that_nothing_is_due_is_told_only_when_it_could_be_read() -> None:
    late, due = (SourceState(source=f"{part}:canvas_list_assignments", read_at=HERE) for part in ("late", "due"))

    assert not today(sources=(late, due)).is_due_unread
    assert today(sources=(late, replace(due, trouble="Canvas is away."))).is_due_unread


def test_a_due_date_that_moved_is_told_with_the_earlier_one() -> None:
    days = Days(range=found("assignments", ASSIGNMENT))
    days.read()
    days.clock.advance(hours=1)

    (change,) = days.read(range=found("assignments", {**ASSIGNMENT, "due_at": "2026-12-04T05:30:00+00:00"})).changes

    assert change.kind is ChangeKind.MOVED
    assert change.earlier_due_at == datetime(2026, 11, 26, 23, 30, tzinfo=ZONE)
    assert change.due_at == datetime(2026, 12, 3, 23, 30, tzinfo=ZONE)


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
    assert (whole.is_partial, whole.has_courses, whole.is_current) == (False, True, True)


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
