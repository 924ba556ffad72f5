"""The sample course's tools: dated around today, always named as the sample, without any settings or network."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.errors import BadArguments, NameUnknown
from services.integrations.sample_course import integration
from services.integrations.sample_course.course import load_course
from services.tools.result import ToolResult
from tests.repetition import repeated
from tests.tool_calls import FakeConnections, ToolCalls, container_of, run

BEGAN = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
HERE = ZoneInfo("America/Chicago")
OFFERED = integration({})
WINDOWS = ("upcoming", "overdue", "graded")


def call(name: str, arguments: dict[str, Any] | None = None, *, at: datetime = BEGAN) -> ToolResult:
    assert OFFERED.begins is not None
    calls = ToolCalls(integration=OFFERED, grant=OFFERED.begins(), clock=lambda: at)
    container = container_of(
        connections=FakeConnections(OFFERED, calls.grant),
        clock=lambda: at,
    )
    connections = {OFFERED.id: SimpleNamespace(connected_at=BEGAN)}
    return run(calls.tool(name), arguments or {}, container=container, connections=connections)


def titles(result: ToolResult) -> list[str]:
    return [assignment["title"].partition(":")[0] for assignment in result.data["assignments"]]


def test_the_course_is_dated_around_the_day_it_was_begun() -> None:
    coming, overdue, graded = (titles(call("sample_list_assignments", {"window": w})) for w in WINDOWS)

    assert coming[:3] == ["Quiz 2", "Lab 3", "Reading Response"]
    assert "Exam 2" in coming
    assert overdue == ["Observation Journal, Entry 3"]
    assert len(graded) == 5


def test_a_range_holds_its_first_and_last_day_and_nothing_else() -> None:
    result = call("sample_list_assignments", {"window": "range", "start": "2026-11-22", "end": "2026-11-26"})

    assert titles(result) == ["Lab 3", "Reading Response", "Problem Set 4"]
    assert result.output.startswith(
        "3 assignments due Sun 22 Nov – Thu 26 Nov 2026 (Sample course, as of 2:00 PM).\n"
        "- **Lab 3: The Spectrum of the Sun** — lab — ASTR 101 (sample): Introduction to Astronomy — "
        "due Sun 22 Nov 2026, 11:59 PM CST — 25 points — not handed in yet "
        "(id: lab3)"
    )


@pytest.mark.parametrize("days", [{"start": "9999-12-30"}, {"end": "0001-01-01"}, {"start": "0001-01-01"}])
def test_what_comes_begins_today_whatever_day_is_named(days: dict[str, str]) -> None:
    result = call("sample_list_assignments", {"window": "upcoming", **days})

    assert " due Sat 21 Nov" in result.output.splitlines()[0]
    assert "9999" not in result.output


def test_a_range_without_an_end_is_refused() -> None:
    with pytest.raises(BadArguments):
        call("sample_list_assignments", {"window": "range", "start": "2026-11-22"})


@pytest.mark.parametrize("days", [0, 1, 6, 7, 20, 400])
def test_the_course_never_runs_dry_however_long_it_stays(days: int) -> None:
    now = BEGAN + timedelta(days=days)

    work = load_course().assignments(BEGAN, now.astimezone(HERE))

    assert any(assignment.is_open and now <= assignment.due_at <= now + timedelta(days=7) for assignment in work)
    assert any(assignment.is_open and assignment.is_late for assignment in work)


def test_the_weekday_of_a_due_date_stays_when_the_dates_move_on() -> None:
    first = {
        assignment.id: assignment.due_at for assignment in load_course().assignments(BEGAN, BEGAN.astimezone(HERE))
    }
    later = {
        assignment.id: assignment.due_at
        for assignment in load_course().assignments(BEGAN, (BEGAN + timedelta(days=16)).astimezone(HERE))
    }

    assert first
    assert all((later[id].date() - at.date()).days % 7 == 0 for id, at in first.items())
    assert all(f"{later[id]:%a %H:%M}" == f"{at:%a %H:%M}" for id, at in first.items())


@pytest.mark.parametrize("tool", OFFERED.tools, ids=lambda tool: tool.name)
def test_every_answer_says_first_that_it_is_the_sample_course(tool: Any) -> None:
    result = call(tool.name, {"assignment": "Lab 3"} if tool.name == "sample_get_assignment" else {})

    assert "(Sample course, as of 2:00 PM)." in result.output.splitlines()[0]
    assert result.data["is_sample"]
    assert (tool.category, tool.contexts[0]) == ("courses", "courses")


@pytest.mark.parametrize("tool", OFFERED.tools, ids=lambda tool: tool.name)
def test_no_title_or_link_stands_twice(tool: Any) -> None:
    result = call(tool.name, {"assignment": "Lab 3"} if tool.name == "sample_get_assignment" else {})

    assert repeated(result.output) == []


def test_an_assignment_is_found_by_words_of_its_title() -> None:
    result = call("sample_get_assignment", {"assignment": "lab 3"})

    assert "Identify six dark lines" in result.output
    assert "20% of the grade" in result.output


def test_an_assignment_that_is_not_there_names_those_there_are() -> None:
    with pytest.raises(NameUnknown, match="none is called “essay on Hamlet”"):
        call("sample_get_assignment", {"assignment": "essay on Hamlet"})


def test_the_grade_counts_graded_groups_by_their_weight() -> None:
    result = call("sample_get_grades")

    homework, labs, quizzes, exams = 100 * 34 / 40, 92.0, 80.0, 84.0
    expected = (homework * 25 + labs * 20 + quizzes * 10 + exams * 30) / 85
    assert result.data["percent"] == pytest.approx(expected, abs=0.05)


def test_the_weights_of_the_syllabus_make_a_whole() -> None:
    assert sum(load_course().weights.values()) == 100
