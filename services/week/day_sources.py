"""Sources of a student's days: the tools that tell of classes, due dates, free time and news, asked in parallel.

No model is asked, and nothing is stored here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n import gettext_noop
from services.identity.students import Student
from services.tools import result_contracts
from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.week.changes import Change, ChangeKind, changes_in
from services.week.free_time import SHORTEST_GAP, Gap
from services.week.part_calls import ToolGatewayPort, call_parts, free_gaps, is_there
from services.week.tool_results import Json, week_entries
from services.week.week import WeekEntry

ASKED_BY = gettext_noop("Today")
"""Caller's name in the activity."""
DUE_AHEAD = timedelta(days=21)
"""As far as a due date can move and still be found."""
EVENTS_AHEAD = timedelta(days=7)
FREE_AHEAD = timedelta(days=2)
CHANGES_BACK = timedelta(days=14)


class DayPart(StrEnum):
    """What a source is asked for. Of work that two parts have, the first one counts."""

    LATE = "late"
    DUE = "due"
    TASKS = "tasks"
    EVENTS = "events"
    FREE = "free"
    GRADES = "grades"
    ANNOUNCEMENTS = "announcements"
    REPLIES = "replies"


@dataclass(frozen=True, kw_only=True)
class SourceReading:
    """What one tool told of one part. source: "part:tool". trouble: why it did not answer; notes: what it could not
    read, in words for the student.
    """

    source: str
    entries: tuple[WeekEntry, ...] = field(default=(), repr=False)
    free: tuple[Gap, ...] = ()
    changes: tuple[Change, ...] = field(default=(), repr=False)
    trouble: str = ""
    notes: tuple[str, ...] = ()
    is_sample: bool = False


_TOOLS = {
    DayPart.LATE: ("courses", result_contracts.ASSIGNMENTS),
    DayPart.DUE: ("courses", result_contracts.ASSIGNMENTS),
    DayPart.TASKS: ("planner", result_contracts.TASKS),
    DayPart.EVENTS: ("calendar", result_contracts.EVENTS),
    DayPart.FREE: ("calendar", result_contracts.FREE_TIME),
    DayPart.GRADES: ("courses", result_contracts.ASSIGNMENTS),
    DayPart.ANNOUNCEMENTS: ("courses", result_contracts.ANNOUNCEMENTS),
    DayPart.REPLIES: ("courses", result_contracts.DISCUSSIONS),
}
_CHANGES = {
    DayPart.GRADES: ChangeKind.GRADE,
    DayPart.ANNOUNCEMENTS: ChangeKind.ANNOUNCEMENT,
    DayPart.REPLIES: ChangeKind.REPLIES,
}


def read_sources(
    gateway: ToolGatewayPort,
    student: Student,
    now: datetime,
    *,
    on_reading: Callable[[SourceReading | None, frozenset[DayPart]], None] | None = None,
) -> list[SourceReading]:
    """Ask every tool that the student has; one that fails tells why, and nothing is raised for it. now: aware.

    on_reading: told each reading as it comes, None where a service is not connected, and the parts that still lack one.
    """
    zone = ZoneInfo(student.timezone)

    def tell(part: DayPart, tool: Tool, result: ToolResult, awaited: frozenset[DayPart]) -> None:
        if on_reading is not None:
            on_reading(_reading(part, tool, result, zone) if is_there(result) else None, awaited)

    asked = _arguments(now.astimezone(zone).date())
    answers = call_parts(gateway, student, _TOOLS, asked, asked_by=ASKED_BY, on_answer=tell)
    return [_reading(part, tool, result, zone) for part, tool, result in answers if is_there(result)]


def _arguments(today: date) -> Mapping[DayPart, Json]:
    def until(ahead: timedelta) -> Json:
        return {"start": today.isoformat(), "end": (today + ahead).isoformat()}

    return {
        DayPart.LATE: {"window": "overdue"},
        DayPart.DUE: {"window": "range", **until(DUE_AHEAD)},
        DayPart.TASKS: {"state": "open", "due_until": (today + EVENTS_AHEAD).isoformat()},
        DayPart.EVENTS: until(EVENTS_AHEAD),
        DayPart.FREE: {**until(FREE_AHEAD), "minutes": SHORTEST_GAP},
        DayPart.GRADES: {"window": "graded", "start": (today - CHANGES_BACK).isoformat()},
        DayPart.ANNOUNCEMENTS: {"days": CHANGES_BACK.days},
        DayPart.REPLIES: {"only": "unread"},
    }


def _reading(part: DayPart, tool: Tool, result: ToolResult, zone: ZoneInfo) -> SourceReading:
    source, data = f"{part}:{tool.name}", result.data or {}
    if not result.success:
        return SourceReading(source=source, trouble=result.trouble)
    told: dict[str, Any] = {}
    if part in _CHANGES:
        told["changes"] = tuple(changes_in(_CHANGES[part], tool, result, zone))
    elif part is DayPart.FREE:
        told["free"] = tuple(free_gaps(result, zone))
    else:
        told["entries"] = tuple(week_entries(tool, result, zone))
    return SourceReading(
        source=source, notes=tuple(data.get("notes", ())), is_sample=bool(data.get("is_sample")), **told
    )
