"""A time that a model gives for a day reaches a tool, and its card, as the day of the student's own zone."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.providers.local import LocalToolsProvider
from services.tools.providers.local_days import LocalDaysToolsProvider
from services.tools.result import ToolResult


@tool(label="Planning", category="planner", contexts=())
def day_of(context: ToolExecutionContext, *, due: date) -> ToolResult:
    """Say the day."""
    return ToolResult(output=due.isoformat())


def test_a_time_with_an_offset_is_the_students_day(context: Callable[..., ToolExecutionContext]) -> None:
    provider = LocalDaysToolsProvider(LocalToolsProvider([day_of]))
    mine = context()
    in_zones = [
        replace(mine, student=replace(mine.student, timezone=zone)) for zone in ("America/Chicago", "Asia/Tokyo")
    ]

    days = [provider.execute("day_of", {"due": "2026-12-04T03:00:00Z"}, own).output for own in in_zones]

    assert days == ["2026-12-03", "2026-12-04"]
