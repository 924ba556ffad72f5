"""Tools that answer as a test says, for a week to be read from."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from services.identity.students import Student
from services.integrations.calendar import TOOLS as CALENDAR_TOOLS
from services.integrations.canvas.tools.assignments import canvas_list_assignments
from services.integrations.canvas.tools.workload import canvas_get_workload
from services.integrations.planner.tools.task_lists import planner_list_tasks
from services.integrations.sample_course.tools import sample_list_assignments
from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.week.loader import load_week
from services.week.week import Week

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
    "is_done": False,
    "service": "Canvas",
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
TASK: dict[str, Any] = {
    "id": "t1",
    "title": "Read",
    "due_at": "2026-11-27T18:00:00+00:00",
    "status": "open",
    "is_done": False,
    "service": "Homeroom planner",
}


TOOLS = (
    canvas_list_assignments,
    canvas_get_workload,
    sample_list_assignments,
    *CALENDAR_TOOLS,
    planner_list_tasks,
)


class FakeGateway:
    """Answers by the tool's name, with its window or state where it has one; all else is not connected."""

    def __init__(self, *more: Tool, **answers: ToolResult) -> None:
        self.answers = answers
        self.more = more
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def tools(self) -> Sequence[Tool]:
        return (*TOOLS, *self.more)

    def call_all(
        self,
        student: Student,
        calls: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        asked_by: str,
        on_result: Callable[[int, ToolResult], None] | None = None,
    ) -> list[ToolResult]:
        self.asked += calls
        results = [self.answers.get(_key(name, arguments), NOT_CONNECTED) for name, arguments in calls]
        for place, result in enumerate(results if on_result else ()):
            on_result(place, result)  # type: ignore[misc]
        return results


def _key(name: str, arguments: Mapping[str, Any]) -> str:
    kind = {"canvas_list_assignments": "window", "planner_list_tasks": "state"}.get(name)
    if kind == "window":
        return str(arguments["window"])
    return f"{arguments['state']}_tasks" if kind else name


def found(name: str, *rows: Mapping[str, Any], **more: Any) -> ToolResult:
    return ToolResult(output="Found.", data={name: list(rows), **more})


def read(
    door: FakeGateway, first: date | None = None, timezone: str = "America/Chicago", *, locale: str = "en-GB"
) -> Week:
    """locale: one in which a week begins on a Monday."""
    maya = Student(id="maya", name="Maya", email="", timezone=timezone, locale=locale)
    return load_week(door, maya, first, now=NOW)
