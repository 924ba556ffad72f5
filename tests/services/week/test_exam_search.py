"""Exams are found where the student's services tell of them, once each, and free time until them."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.identity.students import Student
from services.tools.result import FailureKind, ToolResult
from services.week.exam_search import find_exams, find_free_time
from tests.services.week.fake_gateway import ASSIGNMENT, EVENT, NOW, FakeGateway, found

ZONE = ZoneInfo("America/Chicago")
MAYA = Student(id="maya", name="Maya", email="", timezone=ZONE.key)
EXAM = {**ASSIGNMENT, "id": 20, "title": "Midterm 2", "kind": "exam", "due_at": "2026-12-08T15:00:00+00:00"}


def event(title: str, start: str, **more: Any) -> dict[str, Any]:
    return {**EVENT, "id": f"e-{title}", "title": title, "start": start, "end": start, **more}


def titles(door: FakeGateway) -> list[str]:
    return [exam.title for exam in find_exams(door, MAYA, NOW)]


def test_exams_of_courses_and_calendars_come_in_the_order_of_their_days() -> None:
    door = FakeGateway(
        range=found("assignments", EXAM, ASSIGNMENT),
        calendar_list_events=found(
            "events", event("Examen parcial", "2026-12-01T09:00:00-06:00"), event("Lab", "2026-12-02T09:00:00-06:00")
        ),
    )

    assert titles(door) == ["Examen parcial", "Midterm 2"]


@pytest.mark.parametrize("title", ["Shared study sheet for the final", "Repaso del examen", "Exam review", "Lab"])
def test_what_is_done_for_an_exam_is_none(title: str) -> None:
    assert titles(FakeGateway(calendar_list_events=found("events", event(title, "2026-12-01T09:00:00-06:00")))) == []


def test_an_exam_that_both_tell_of_is_listed_once() -> None:
    told = event("BIOL 201: Midterm 2", "2026-12-08T09:00:00-06:00")
    door = FakeGateway(range=found("assignments", EXAM), calendar_list_events=found("events", told))

    assert titles(door) == ["Midterm 2"]


@pytest.mark.parametrize(
    ("title", "start"),
    [
        ("BIOL 201 midterm (Halvorsen Hall 112)", "2026-12-08T09:30:00-06:00"),
        ("Biology: second midterm", "2026-12-08T08:30:00-06:00"),
        ("Midterm 2", "2026-12-08"),
    ],
)
def test_an_exam_that_a_calendar_names_otherwise_is_listed_once(title: str, start: str) -> None:
    told = event(title, start, all_day=len(start) == len("2026-12-08"), course="BIOL 201")
    door = FakeGateway(range=found("assignments", EXAM), calendar_list_events=found("events", told))

    assert titles(door) == ["Midterm 2"]


def test_an_exam_in_two_calendars_is_listed_once() -> None:
    rows = [
        event("MATH 221 final exam", "2026-12-09T12:00:00-06:00"),
        event("Final: MATH 221", "2026-12-09T12:00:00-06:00"),
    ]

    assert titles(FakeGateway(calendar_list_events=found("events", *rows))) == ["MATH 221 final exam"]


@pytest.mark.parametrize("title", ["HIST 142 midterm 2", "BIOL 201 midterm 3", "BIOL 201 test in the lab"])
def test_exams_of_one_day_that_differ_in_course_number_or_time_stay_apart(title: str) -> None:
    told = event(title, "2026-12-08T15:00:00-06:00")
    door = FakeGateway(range=found("assignments", EXAM), calendar_list_events=found("events", told))

    assert titles(door) == ["Midterm 2", title]


@pytest.mark.parametrize("row", [{"due_at": "2026-11-20T15:00:00+00:00"}, {"is_done": True}, {"to_grade": 12}])
def test_what_is_over_done_or_taught_is_no_exam_to_prepare_for(row: dict[str, Any]) -> None:
    assert titles(FakeGateway(range=found("assignments", {**EXAM, **row}))) == []


def test_a_service_that_is_away_hides_none_of_the_others() -> None:
    away = ToolResult(success=False, error="Canvas did not answer.", error_kind=FailureKind.UNAVAILABLE)
    told = event("Final", "2026-12-08T09:00:00-06:00")

    assert titles(FakeGateway(range=away, calendar_list_events=found("events", told))) == ["Final"]


def test_free_time_is_what_the_calendar_tells() -> None:
    gap = {"start": "2026-11-26T16:00:00-06:00", "end": "2026-11-26T18:00:00-06:00"}

    free = find_free_time(FakeGateway(calendar_find_free_time=found("free", gap)), MAYA, NOW, NOW + timedelta(days=9))

    assert free.is_known
    assert [stretch.start for stretch in free.stretches] == [datetime(2026, 11, 26, 16, tzinfo=ZONE)]


def test_without_a_calendar_usual_hours_are_offered_and_said_to_be_such() -> None:
    missing = ToolResult(success=False, error="not connected", error_kind=FailureKind.NOT_CONNECTED)
    door = FakeGateway(calendar_find_free_time=missing)

    free = find_free_time(door, replace(MAYA, timezone="Asia/Tokyo"), NOW, NOW + timedelta(days=6))

    assert not free.is_known
    assert len(free.stretches) >= 6
    assert all(stretch.start.utcoffset() == timedelta(hours=9) for stretch in free.stretches)
