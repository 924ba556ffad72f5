"""What the demo model asks the demo's own tools, which it knows by their schemas alone."""

from collections.abc import Mapping
from typing import Any

import pytest

from sandbox.model.rules.language.translation import in_spanish
from tests.api.every_tool import root
from tests.sandbox.model_thoughts import NOW, turn

TOOLS = [
    {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}
    for tool in root().values()
    if not tool.name.startswith("sample_")
]
TERM = {"window": "range", "start": "2026-11-21", "end": "2027-03-21"}


def _nothing(name: str, arguments: Mapping[str, Any]) -> str:
    return "Nothing found."


@pytest.mark.parametrize(
    ("asked", "tool", "arguments"),
    [
        ("what tasks are due this week", "planner_list_tasks", {"due_from": "2026-11-16", "due_until": "2026-11-22"}),
        ("what tasks are due this month", "planner_list_tasks", {"due_from": "2026-11-21", "due_until": "2026-11-30"}),
        ("what tasks are due by friday", "planner_list_tasks", {"due_until": "2026-11-27"}),
        ("show me my reminders about the poster", "planner_list_tasks", {}),
        ("how many assignments are left this semester", "canvas_list_assignments", TERM),
        ("cuántas tareas me quedan este semestre", "canvas_list_assignments", TERM),
        ("what classes am I taking this semester", "canvas_list_courses", {}),
        ("qué proyectos tengo pendientes", "canvas_list_assignments", {"kind": "project"}),
        ("qué pendientes tengo", "planner_list_tasks", {"state": "open"}),
    ],
)
def test_a_question_is_asked_with_the_days_and_things_it_names(asked: str, tool: str, arguments: Any) -> None:
    assert turn([asked], TOOLS, _nothing)[0] == [(tool, arguments)]


@pytest.mark.parametrize("asked", ["mark the essay task as done today", "delete the task essay by friday"])
def test_a_task_that_is_to_be_changed_is_looked_for_among_those_without_a_day_too(asked: str) -> None:
    calls, _ = turn([asked], TOOLS, _nothing)

    assert calls == [("planner_list_tasks", {})]


def test_who_teaches_and_how_to_write_to_them_are_both_answered() -> None:
    def courses(name: str, arguments: Mapping[str, Any]) -> str:
        return "1 active course (Canvas, as of 10:42 AM).\n- **BIOL 201: Cell Biology** — Prof. Rhee (id: 4)"

    calls, answer = turn(["who teaches bio and how do I email her"], TOOLS, courses)

    assert [name for name, _ in calls] == ["canvas_list_courses"]
    assert "Prof. Rhee" in answer
    assert "Inbox in Canvas" in answer


@pytest.mark.parametrize(
    ("asked", "day", "is_over"),
    [
        ("cancel robotics club this week only", 17, True),
        ("cancel robotics club this week only", 22, False),
        ("cancel robotics club on November 17", 17, False),
    ],
)
def test_one_of_this_week_that_is_over_is_not_taken_away_unasked(asked: str, day: int, is_over: bool) -> None:
    on = NOW.replace(day=day)
    line = f"- **Robotics club** — {on:%a} {day} Nov 2026, 5:00 PM – 6:00 PM CST — one of a series (id: ev-{day})"

    calls, answer = turn([asked], TOOLS, lambda name, _: f"1 event (Google Calendar, as of 10:42 AM).\n{line}")

    assert ("calendar_delete_event" not in [name for name, _ in calls]) is is_over
    assert ("is over already" in answer) is is_over


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        (
            "4 assignments due Sun 22 Nov – Sat 5 Dec 2026 (Sample course, as of 10:42 AM CST).",
            "4 entregas para el dom 22 nov – sáb 5 dic 2026 (Curso de muestra, a las 10:42 CST).",
        ),
        ("9 assignments in all (Sample course, as of 9:00 AM).", "9 entregas en total (Curso de muestra, a las 9:00)."),
    ],
)
def test_the_sample_courses_first_line_is_said_in_spanish(english: str, spanish: str) -> None:
    assert in_spanish(english) == spanish
