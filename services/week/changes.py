"""Changes that others made to a student's courses: new grades, moved due dates, announcements and replies."""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.week.tool_results import entry_id, parse_time

log = logging.getLogger(__name__)

Json = Mapping[str, Any]


class ChangeKind(StrEnum):
    GRADE = "grade"
    MOVED = "moved"
    ANNOUNCEMENT = "announcement"
    REPLIES = "replies"


@dataclass(frozen=True, kw_only=True)
class Change:
    """Something that others did.

    at: when it happened; of a moved date, when it was first seen. due_at, earlier_due_at: of a moved date.
    is_whole_day: the time of day of these says nothing. score, points: of a grade, None where the service tells none.
    count: of unread replies. is_sample: made up, of the sample course.
    """

    kind: ChangeKind
    id: str
    title: str = field(repr=False)
    course: str = ""
    at: datetime
    url: str = field(default="", repr=False)
    due_at: datetime | None = None
    earlier_due_at: datetime | None = None
    is_whole_day: bool = False
    score: float | None = field(default=None, repr=False)
    points: float | None = None
    count: int = 0
    is_sample: bool = False


def changes_in(kind: ChangeKind, tool: Tool, result: ToolResult, zone: ZoneInfo) -> Iterator[Change]:
    """Changes of one kind in a tool's result. A row that cannot be read hides none of the others."""
    name, read = _READERS[kind]
    for row in (result.data or {}).get(name, ()) if result.success else ():
        try:
            found = read(row, entry_id(tool, row["id"]), zone)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            log.warning("row_unreadable tool=%s kind=%s", tool.name, type(error).__name__)
        else:
            if found is not None:
                yield found


def _grade(row: Json, id: str, zone: ZoneInfo) -> Change | None:
    if not row.get("graded_at"):
        return None
    return Change(
        kind=ChangeKind.GRADE,
        at=parse_time(row["graded_at"], zone),
        score=row.get("score"),
        points=row["points"],
        **_common(row, id),
    )


def _announcement(row: Json, id: str, zone: ZoneInfo) -> Change | None:
    if not row["posted_at"]:
        return None
    return Change(kind=ChangeKind.ANNOUNCEMENT, at=parse_time(row["posted_at"], zone), **_common(row, id))


def _replies(row: Json, id: str, zone: ZoneInfo) -> Change | None:
    if not (row["unread"] and row["latest_at"]):
        return None
    return Change(
        kind=ChangeKind.REPLIES, at=parse_time(row["latest_at"], zone), count=int(row["unread"]), **_common(row, id)
    )


def _common(row: Json, id: str) -> dict[str, Any]:
    return {
        "id": id,
        "title": row["title"],
        "course": row.get("course") or "",
        "url": row.get("url") or "",
        "is_sample": bool(row.get("is_sample")),
    }


_READERS: Mapping[ChangeKind, tuple[str, Callable[[Json, str, ZoneInfo], Change | None]]] = {
    ChangeKind.GRADE: ("assignments", _grade),
    ChangeKind.ANNOUNCEMENT: ("announcements", _announcement),
    ChangeKind.REPLIES: ("discussions", _replies),
}
