"""A week from the student's own tools: complete, in their own zone, and honest about what is missing."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar

from services.students import Student
from services.tools.base import ToolResult
from services.week.ics import to_ics
from services.week.reading import read_week
from services.week.week import Kind, Week

NOW = datetime(2026, 11, 25, 18, 0, tzinfo=UTC)
"""A Wednesday, noon in Chicago."""
NOT_CONNECTED = ToolResult(success=False, error="Not connected.", error_kind="not_connected")
ASSIGNMENT: dict[str, Any] = {
    "id": 7,
    "course": "BIOL 201: Cell Biology",
    "title": "Quiz 5",
    "due_at": "2026-11-27T05:30:00+00:00",
    "points": 10.0,
    "status": "not handed in yet",
    "url": "https://canvas.example/7",
}
EVENT: dict[str, Any] = {
    "id": "google/1",
    "title": "Lab",
    "start": "2026-11-26T15:00:00-06:00",
    "end": "2026-11-26T17:00:00-06:00",
    "all_day": False,
    "due_date": False,
    "location": "Room 2",
    "calendar": "",
    "provider": "Google Calendar",
    "busy": True,
    "declined": False,
    "url": "https://calendar.example/1",
}
TASK: dict[str, Any] = {"id": "t1", "title": "Read", "due_at": "2026-11-24T18:00:00+00:00", "status": "open"}


class FakeDoor:
    """Answers by the tool's name, and for Canvas's assignments by window; all else is not connected."""

    def __init__(self, **answers: ToolResult) -> None:
        self.answers = answers
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def call_all(
        self, student: Student, calls: Sequence[tuple[str, Mapping[str, Any]]], *, asked_by: str
    ) -> list[ToolResult]:
        self.asked += calls
        return [self.answers.get(_key(name, arguments), NOT_CONNECTED) for name, arguments in calls]


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    return str(arguments["window"]) if name == "canvas_list_assignments" else name


def found(name: str, *rows: Mapping[str, Any], notes: Sequence[str] = ()) -> ToolResult:
    return ToolResult(output="\n".join(["Found.", *notes]), data={name: list(rows)})


def read(door: FakeDoor, day: date | None = None, timezone: str = "America/Chicago") -> Week:
    maya = Student(id="maya", name="Maya", email="", timezone=timezone)
    return read_week(door, maya, day, now=NOW)


def test_every_source_lands_on_its_day_in_the_students_own_zone() -> None:
    door = FakeDoor(
        range=found("assignments", ASSIGNMENT),
        calendar_list_events=found("events", EVENT),
        planner_list_tasks=found("tasks", TASK),
        canvas_get_workload=found("weeks", {"items": [{"id": 7, "minutes": 90}]}),
    )

    week = read(door)

    assert (week.first, week.last) == (date(2026, 11, 23), date(2026, 11, 29))
    assert [one.title for one in week.on(date(2026, 11, 24))] == ["Read"]
    assert [(one.title, one.kind) for one in week.on(date(2026, 11, 26))] == [("Lab", Kind.EVENT), ("Quiz 5", Kind.DUE)]
    assert week.minutes_left() == 90
    assert [one.title for one in read(door, timezone="Asia/Tokyo").on(date(2026, 11, 27))] == ["Lab", "Quiz 5"]


def test_what_is_late_comes_first_whichever_week_is_shown() -> None:
    missed = {**ASSIGNMENT, "id": 3, "title": "Old", "due_at": "2026-10-01T05:00:00+00:00", "status": "missing"}
    late = {**TASK, "id": "t0", "due_at": "2026-11-10T18:00:00+00:00"}
    done = {**late, "id": "t2", "status": "done"}
    door = FakeDoor(overdue=found("assignments", missed), planner_list_tasks=found("tasks", late, done))

    assert [one.title for one in read(door).overdue] == ["Old", "Read"]
    assert [one.title for one in read(door, date(2026, 12, 9)).overdue] == ["Old", "Read"]


@pytest.mark.parametrize("status", ["handed in", "graded: 8 of 10, handed in late", "excused", "done"])
def test_work_that_asks_nothing_any_more_is_done(status: str) -> None:
    door = FakeDoor(
        range=found("assignments", {**ASSIGNMENT, "status": status}),
        canvas_get_workload=found("weeks", {"items": [{"id": 7, "minutes": 90}]}),
    )

    (entry,) = read(door).entries

    assert entry.is_done
    assert read(door).minutes_left() == 0


def test_work_without_a_date_that_can_be_read_belongs_to_no_day_and_spoils_none() -> None:
    door = FakeDoor(range=found("assignments", {**ASSIGNMENT, "id": 8, "due_at": None}, ASSIGNMENT))

    assert [one.id for one in read(door).entries] == ["7"]


def test_a_feed_alone_gives_due_dates_without_canvas() -> None:
    due = {**EVENT, "due_date": True, "provider": "Calendar feed"}

    week = read(FakeDoor(calendar_list_events=found("events", due)))

    assert [one.kind for one in week.entries] == [Kind.DUE]
    assert week.has_calendar
    assert week.has_courses
    assert not week.can_write


def test_with_nothing_connected_there_is_no_trouble_only_an_empty_week() -> None:
    week = read(FakeDoor())

    assert (week.entries, week.overdue, week.troubles) == ((), (), ())
    assert not week.has_calendar
    assert not week.has_courses


def test_what_fails_is_named_once_and_the_rest_is_there() -> None:
    down = ToolResult(success=False, error="Canvas cannot be reached.", error_kind="unavailable")
    old = found("events", EVENT, notes=["Note: Google is slow; this is from 10:42 AM."])
    week = read(FakeDoor(range=down, overdue=down, canvas_get_workload=down, calendar_list_events=old))

    told = [(one.sentence, one.is_missing) for one in week.troubles]
    assert told == [("Canvas cannot be reached.", True), ("Google is slow; this is from 10:42 AM.", False)]
    assert [one.title for one in week.entries] == ["Lab"]


def test_room_is_only_in_the_time_to_come() -> None:
    gaps = (
        {"start": "2026-11-25T08:00:00-06:00", "end": "2026-11-25T12:30:00-06:00"},
        {"start": "2026-11-25T11:00:00-06:00", "end": "2026-11-25T14:00:00-06:00"},
    )
    door = FakeDoor(calendar_find_free_time=found("free", *gaps))

    week = read(door)
    before = read(door, date(2026, 11, 18))

    assert [(gap.start.hour, gap.minutes) for gap in week.free_on(date(2026, 11, 25))] == [(12, 120)]
    assert before.free == ()


def test_an_event_over_midnight_stands_on_both_days_and_one_that_ends_at_midnight_on_one() -> None:
    night = {**EVENT, "start": "2026-11-26T23:00:00-06:00", "end": "2026-11-27T01:00:00-06:00"}
    evening = {
        **EVENT,
        "id": "2",
        "title": "Film",
        "start": "2026-11-26T21:00:00-06:00",
        "end": "2026-11-27T00:00:00-06:00",
    }

    week = read(FakeDoor(calendar_list_events=found("events", night, evening)))

    assert [one.title for one in week.on(date(2026, 11, 26))] == ["Film", "Lab"]
    assert [one.title for one in week.on(date(2026, 11, 27))] == ["Lab"]


def test_filtering_by_course_keeps_what_belongs_to_none() -> None:
    other = {**ASSIGNMENT, "id": 8, "title": "Essay", "course": "WRIT 110"}
    door = FakeDoor(range=found("assignments", ASSIGNMENT, other), calendar_list_events=found("events", EVENT))

    week = read(door)

    assert week.courses == ["BIOL 201: Cell Biology", "WRIT 110"]
    assert {one.title for one in week.of_courses(["WRIT 110"]).entries} == {"Lab", "Essay"}
    assert week.of_courses([]) is week


def test_the_calendar_file_reads_back_with_the_same_moments() -> None:
    whole_day = {**EVENT, "id": "3", "title": "Break", "start": "2026-11-26", "end": "2026-11-28", "all_day": True}
    door = FakeDoor(
        range=found("assignments", ASSIGNMENT),
        calendar_list_events=found("events", EVENT, whole_day),
        planner_list_tasks=found("tasks", TASK),
    )
    week = read(door)

    calendar = Calendar.from_ical(to_ics(week))

    events = {str(one["summary"]): one for one in calendar.walk("VEVENT")}
    assert events["Due: Quiz 5 (BIOL 201: Cell Biology)"]["dtend"].dt == datetime(2026, 11, 27, 5, 30, tzinfo=UTC)
    assert events["Lab"]["dtend"].dt - events["Lab"]["dtstart"].dt == timedelta(hours=2)
    assert (events["Break"]["dtstart"].dt, events["Break"]["dtend"].dt) == (date(2026, 11, 26), date(2026, 11, 28))
    (todo,) = calendar.walk("VTODO")
    assert str(todo["status"]) == "NEEDS-ACTION"
    assert len({str(one["uid"]) for one in calendar.walk("VEVENT")}) == 3


def test_the_sample_course_stands_beside_the_students_own_work_and_is_marked() -> None:
    sample = {**ASSIGNMENT, "id": "quiz2", "title": "Quiz 2", "is_sample": True, "minutes": 30, "kind": "exam"}
    del sample["url"]
    door = FakeDoor(range=found("assignments", ASSIGNMENT), sample_list_assignments=found("assignments", sample))

    week = read(door)

    marks = [(one.title, one.is_sample, one.minutes, one.is_exam) for one in week.entries]
    assert marks == [("Quiz 2", True, 30, True), ("Quiz 5", False, 0, False)]
    assert week.has_sample
    assert [one.title for one in week.without_sample().entries] == ["Quiz 5"]
    assert not read(FakeDoor()).has_sample


def test_a_filter_by_course_keeps_events_unless_they_are_left_out() -> None:
    door = FakeDoor(range=found("assignments", ASSIGNMENT), calendar_list_events=found("events", EVENT))
    week = read(door)

    assert [one.title for one in week.of_courses([ASSIGNMENT["course"]]).entries] == ["Lab", "Quiz 5"]
    assert [one.title for one in week.of_courses([ASSIGNMENT["course"]], alone=True).entries] == ["Quiz 5"]
    assert week.of_courses([], alone=True) == week
