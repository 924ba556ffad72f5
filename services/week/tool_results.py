"""Week entries from results of tools (`services.tools.result`), of any service."""

import logging
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.tools.result import ToolResult
from services.tools.result_contracts import ASSIGNMENTS, EVENTS, TASKS
from services.tools.tool import Tool
from services.week.week import EntryKind, WeekEntry

log = logging.getLogger(__name__)

Json = Mapping[str, Any]
NO_MINUTES: Mapping[str, int] = {}
PRODUCTS_BY_CATEGORY = {
    "courses": frozenset({ASSIGNMENTS}),
    "calendar": frozenset({EVENTS}),
    "planner": frozenset({TASKS}),
}
"""Products that hold week entries, by the category of their tools."""


def week_entries(
    tool: Tool, result: ToolResult, zone: ZoneInfo, minutes: Mapping[str, int] = NO_MINUTES
) -> Iterator[WeekEntry]:
    """The entries in a result; none of a tool that says nothing about the student's days.

    minutes: about how long pieces of work take, by entry id, where another tool told it. Whatever has no day is left
    out, and so is what the student declined. A row that cannot be read hides none of the others.
    """
    for product in PRODUCTS_BY_CATEGORY.get(tool.category, frozenset()) & set(tool.produces):
        for row in result_list(result, product):
            try:
                entry = _read(product, tool, row, zone, minutes)
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
                log.warning("row_unreadable tool=%s kind=%s", tool.name, type(error).__name__)
            else:
                if entry is not None:
                    yield entry


def has_week_entries(tool: Tool) -> bool:
    """Whether a tool's results hold week entries."""
    return not PRODUCTS_BY_CATEGORY.get(tool.category, frozenset()).isdisjoint(tool.produces)


def result_list(result: ToolResult, name: str) -> list[Any]:
    """A list of its data; empty when the call failed."""
    return list((result.data or {}).get(name, ())) if result.success else []


def entry_id(tool: Tool, id: object) -> str:
    """Two services may number their work alike."""
    return f"{tool.integration or tool.name}/{id}"


def parse_time(written: str, zone: ZoneInfo) -> datetime:
    """A moment in the student's zone; a bare day is its midnight."""
    read = datetime.fromisoformat(written)
    return read.replace(tzinfo=zone) if read.tzinfo is None else read.astimezone(zone)


def _read(product: str, tool: Tool, row: Json, zone: ZoneInfo, minutes: Mapping[str, int]) -> WeekEntry | None:
    if product == EVENTS:
        return None if row["declined"] else _event(row, zone)
    if not row["due_at"]:
        return None
    return _due(tool, row, zone, minutes) if product == ASSIGNMENTS else _task(row, zone)


def _due(tool: Tool, row: Json, zone: ZoneInfo, minutes: Mapping[str, int]) -> WeekEntry:
    id = entry_id(tool, row["id"])
    return WeekEntry(
        kind=EntryKind.DUE,
        id=id,
        title=row["title"],
        start=parse_time(row["due_at"], zone),
        course=row["course"] or "",
        points=row["points"],
        minutes=minutes.get(id, row.get("minutes", 0)),
        is_done=row["is_done"],
        is_exam=row.get("kind") == "exam",
        is_sample=bool(row.get("is_sample")),
        to_grade=row.get("to_grade"),
        status=row["status"],
        service=row["service"],
        url=row.get("url") or "",
    )


def _event(row: Json, zone: ZoneInfo) -> WeekEntry:
    """An event; a feed's due date counts as due work of which nobody knows whether it is done."""
    is_due = bool(row["due_date"])
    return WeekEntry(
        kind=EntryKind.DUE if is_due else EntryKind.EVENT,
        id=row["id"],
        title=row["title"],
        start=parse_time(row["start"], zone),
        end=None if is_due else parse_time(row["end"], zone),
        is_whole_day=bool(row["all_day"]),
        course=row.get("course") or "",
        where=row["location"] or (row.get("call_url") or "").removeprefix("https://"),
        is_busy=bool(row["busy"]),
        can_change=not is_due and bool(row.get("can_change")),
        service=row["calendar"] or row["provider"],
        url=row["url"] or "",
    )


def _task(row: Json, zone: ZoneInfo) -> WeekEntry:
    """One of the student's own tasks; one without a time of day is due at the end of its day."""
    has_time, due = row.get("has_time", True), parse_time(row["due_at"], zone)
    return WeekEntry(
        kind=EntryKind.TASK,
        id=row["id"],
        title=row["title"],
        start=due if has_time else due.replace(hour=0, minute=0, second=0, microsecond=0),
        is_whole_day=not has_time,
        is_done=row["is_done"],
        status=row["status"],
        service=row["service"],
    )
