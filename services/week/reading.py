"""`read_week`: a week from the student's own tools, side by side, with no model call and nothing stored."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from services.language import say, to_say
from services.students import Student
from services.tools.base import ToolResult
from services.week.week import DAYS, Entry, Gap, Kind, Trouble, Week, monday_of

ASKED_BY = to_say("This week")
"""Who reads and proposes, in the activity and on an approval's card."""
SHORTEST_GAP = 60
MOST_WEEKS = 8
_DONE = ("handed in", "graded", "excused", "done")
"""How the states of work begin that asks nothing of the student any more."""
_NOT_THERE = ("not_connected", "not_allowed")
_CALENDAR, _CANVAS, _SAMPLE = "calendar_list_events", "canvas_list_assignments", "sample_list_assignments"
Json = Mapping[str, Any]
Call = tuple[str, Json]


class Door(Protocol):
    """What this needs of `services.tools.door`."""

    def call_all(self, student: Student, calls: Sequence[Call], *, asked_by: str) -> list[ToolResult]: ...


def read_week(door: Door, student: Student, day: date | None = None, *, now: datetime) -> Week:
    """The week of that day, of today when left out; now: an aware time.

    A service that fails becomes a trouble, and the rest is there; nothing is raised for it.
    """
    zone = ZoneInfo(student.timezone)
    now = now.astimezone(zone)
    first = monday_of(day or now.date())
    calls = _calls(first, now.date())
    found = dict(zip(calls, door.call_all(student, list(calls.values()), asked_by=ASKED_BY), strict=True))
    minutes = _minutes(found.get("workload"))
    due, missed = (
        [_due(one, zone, minutes) for name in names for one in _dated(found[name])]
        for names in (("due", "sample"), ("overdue", "sample_overdue"))
    )
    tasks = list(_tasks(found["tasks"], zone))
    shown = [one for one in tasks if first <= one.start.date() < first + timedelta(days=DAYS)]
    late = [one for one in tasks if one.start < now and not one.is_done and one not in shown]
    events = [_event(one, zone) for one in _data(found["events"], "events") if not one.get("declined")]
    return Week(
        first=first,
        as_of=now,
        entries=tuple(sorted([*due, *events, *shown], key=lambda one: one.order)),
        overdue=tuple(sorted([*missed, *late], key=lambda one: one.order)),
        free=tuple(_gaps(found.get("free"), zone, now)),
        troubles=tuple(_troubles(found)),
        has_calendar=found["events"].error_kind not in _NOT_THERE,
        can_write=any(one["can_write"] for one in _data(found["calendars"], "calendars")),
        has_courses=found["due"].error_kind not in _NOT_THERE or any(one.kind is Kind.DUE for one in events),
        has_sample=found["sample"].success,
    )


def _calls(first: date, today: date) -> dict[str, Call]:
    """The tools that a week takes. Free time and workload are of use for days to come only."""
    last = first + timedelta(days=DAYS - 1)
    span = {"start": first.isoformat(), "end": last.isoformat()}
    calls: dict[str, Call] = {
        "due": (_CANVAS, {"window": "range", **span, "limit": 100}),
        "overdue": (_CANVAS, {"window": "overdue", "limit": 50}),
        "sample": (_SAMPLE, {"window": "range", **span}),
        "sample_overdue": (_SAMPLE, {"window": "overdue"}),
        "events": (_CALENDAR, span),
        "calendars": ("calendar_list_calendars", {}),
        "tasks": ("planner_list_tasks", {"state": "all"}),
    }
    weeks = (first - monday_of(today)).days // DAYS + 1
    if last >= today:
        ahead = {"start": max(first, today).isoformat(), "end": last.isoformat()}
        calls["free"] = ("calendar_find_free_time", {**ahead, "minutes": SHORTEST_GAP})
    if 1 <= weeks <= MOST_WEEKS:
        calls["workload"] = ("canvas_get_workload", {"weeks": weeks})
    return calls


def _data(result: ToolResult | None, name: str) -> list[Any]:
    return list((result.data or {}).get(name, ())) if result is not None and result.success else []


def _dated(assignments: ToolResult) -> list[Any]:
    """Without those whose due date nobody can read: no day is theirs."""
    return [one for one in _data(assignments, "assignments") if one["due_at"]]


def _minutes(workload: ToolResult | None) -> dict[str, int]:
    """About how long each piece of work takes, by its id."""
    return {str(one["id"]): int(one["minutes"]) for week in _data(workload, "weeks") for one in week["items"]}


def _due(one: Json, zone: ZoneInfo, minutes: Mapping[str, int]) -> Entry:
    return Entry(
        kind=Kind.DUE,
        id=str(one["id"]),
        title=one["title"],
        start=_at(one["due_at"], zone),
        course=one["course"] or "",
        points=one["points"],
        minutes=minutes.get(str(one["id"]), one.get("minutes", 0)),
        is_done=one["status"].startswith(_DONE),
        is_exam=one.get("kind") == "exam",
        is_sample=(is_sample := bool(one.get("is_sample"))),
        to_grade=one.get("to_grade"),
        status=one["status"],
        service="Sample course" if is_sample else "Canvas",
        url=one.get("url") or "",
    )


def _event(one: Json, zone: ZoneInfo) -> Entry:
    """An event; a feed's due date counts as due work of which nobody knows whether it is done."""
    is_due, is_whole_day = bool(one["due_date"]), bool(one["all_day"])
    start = _at(one["start"], zone)
    return Entry(
        kind=Kind.DUE if is_due else Kind.EVENT,
        id=one["id"],
        title=one["title"],
        start=start,
        end=None if is_due else _at(one["end"], zone),
        is_whole_day=is_whole_day,
        where=one["location"] or "",
        is_busy=bool(one["busy"]),
        service=one["calendar"] or one["provider"],
        url=one["url"] or "",
    )


def _tasks(result: ToolResult, zone: ZoneInfo) -> Iterator[Entry]:
    """The student's own tasks that have a day."""
    for one in _data(result, "tasks"):
        if one["due_at"]:
            yield Entry(
                kind=Kind.TASK,
                id=one["id"],
                title=one["title"],
                start=_at(one["due_at"], zone),
                is_done=one["status"] == "done",
                status=one["status"],
                service=say("Your planner"),
            )


def _gaps(result: ToolResult | None, zone: ZoneInfo, now: datetime) -> Iterator[Gap]:
    for one in _data(result, "free"):
        start, end = max(_at(one["start"], zone), now), _at(one["end"], zone)
        if (end - start).total_seconds() >= SHORTEST_GAP * 60:
            yield Gap(start=start, end=end)


def _troubles(found: Mapping[str, ToolResult]) -> Iterator[Trouble]:
    """Each thing that went wrong once, however many tools met it; what is not connected is no trouble."""
    said: set[str] = set()
    for result in found.values():
        if not result.success:
            if result.error_kind not in _NOT_THERE and (error := result.error or "") not in said:
                said.add(error)
                yield Trouble(sentence=error, is_missing=True)
            continue
        for note in re.findall(r"^Note: (.+)$", result.output, re.MULTILINE):
            if note not in said:
                said.add(note)
                yield Trouble(sentence=note)


def _at(written: str, zone: ZoneInfo) -> datetime:
    """A moment in the student's zone; a bare day is its midnight."""
    read = datetime.fromisoformat(written)
    return read.replace(tzinfo=zone) if read.tzinfo is None else read.astimezone(zone)
