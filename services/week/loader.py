"""`read_week`: a week from the student's own tools, side by side, with no model call and nothing stored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.tools import result_contracts
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Effect, Tool
from services.week.tool_results import at, entries, entry_id, listed
from services.week.week import DAYS, Entry, Gap, Kind, Trouble, Week, monday_of

ASKED_BY = gettext_noop("This week")
"""Who reads and proposes, in the activity and on an approval's card."""
SHORTEST_GAP = 60
MOST_WEEKS = 8
_NOT_THERE = (FailureKind.NOT_CONNECTED, FailureKind.NOT_ALLOWED)
Json = Mapping[str, Any]
Call = tuple[str, Json]


class Part(StrEnum):
    """What a week is put together from."""

    DUE = "due"
    OVERDUE = "overdue"
    WORKLOAD = "workload"
    EVENTS = "events"
    CALENDARS = "calendars"
    FREE = "free"
    TASKS = "tasks"
    LATE_TASKS = "late_tasks"


TOOLS = {
    Part.DUE: ("courses", result_contracts.ASSIGNMENTS),
    Part.OVERDUE: ("courses", result_contracts.ASSIGNMENTS),
    Part.WORKLOAD: ("courses", result_contracts.WORKLOAD),
    Part.EVENTS: ("calendar", result_contracts.EVENTS),
    Part.CALENDARS: ("calendar", result_contracts.CALENDARS),
    Part.FREE: ("calendar", result_contracts.FREE_TIME),
    Part.TASKS: ("planner", result_contracts.TASKS),
    Part.LATE_TASKS: ("planner", result_contracts.TASKS),
}
"""By category and what they produce: the tools of every service that tells of one's days, whatever it is called."""
CUT = {
    Part.DUE: gettext_noop("Only {shown} of {total} assignments that are due in this week are shown."),
    Part.OVERDUE: gettext_noop("Only {shown} of {total} assignments that are overdue are shown."),
    Part.EVENTS: gettext_noop("Only {shown} of {total} events of this week are shown."),
    Part.TASKS: gettext_noop("Only {shown} of {total} tasks that are due in this week are shown."),
    Part.LATE_TASKS: gettext_noop("Only {shown} of {total} tasks that are overdue are shown."),
}


class Door(Protocol):
    """What this needs of `services.tools.gateway`."""

    def tools(self) -> Sequence[Tool]: ...

    def call_all(self, student: Student, calls: Sequence[Call], *, asked_by: str) -> list[ToolResult]: ...


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What one tool said to one part."""

    part: Part
    tool: Tool
    result: ToolResult = field(repr=False)

    @property
    def is_there(self) -> bool:
        return self.result.success or self.result.error_kind not in _NOT_THERE

    @property
    def is_sample(self) -> bool:
        return self.result.success and bool((self.result.data or {}).get("is_sample"))


def read_week(door: Door, student: Student, day: date | None = None, *, now: datetime) -> Week:
    """The week of that day, of today when left out; now: an aware time.

    A service that fails becomes a trouble, and the rest is there; nothing is raised for it.
    """
    zone = ZoneInfo(student.timezone)
    now = now.astimezone(zone)
    first = monday_of(day or now.date())
    answers = _ask(door, student, _asked(first, now.date()))
    minutes = dict(_minutes(answers))

    def found(*parts: Part) -> list[Entry]:
        return [entry for one in _of(answers, *parts) for entry in entries(one.tool, one.result, zone, minutes)]

    late = [one for one in found(Part.LATE_TASKS) if one.is_past(now)]
    due, told = found(Part.DUE), found(Part.EVENTS)
    events = without_doubles(told, due)
    is_feed_needed = len(events) == len(told) or any(one.kind is Kind.DUE for one in events)
    platforms = [one for one in _of(answers, Part.DUE) if not one.is_sample]
    return Week(
        first=first,
        as_of=now,
        entries=tuple(sorted([*due, *found(Part.TASKS), *events], key=lambda one: one.order)),
        overdue=tuple(sorted([*found(Part.OVERDUE), *late], key=lambda one: one.order, reverse=True)),
        free=tuple(_gaps(answers, zone, now)),
        troubles=_troubles(answers, but_remarks_of=() if is_feed_needed else (Part.EVENTS,)),
        has_calendar=any(one.is_there for one in _of(answers, Part.EVENTS)),
        can_write=any(one["can_write"] for one in _rows(answers, Part.CALENDARS, "calendars")),
        has_courses=any(one.is_there for one in platforms) or any(one.kind is Kind.DUE for one in events),
        has_sample=any(one.is_sample for one in _of(answers, Part.DUE)),
        is_due_unread=any(one.is_there and not one.result.success for one in _of(answers, Part.DUE, Part.OVERDUE)),
    )


def _asked(first: date, today: date) -> dict[Part, Json]:
    """What is asked of the tools of each part. Free time and workload are of use for days to come only."""
    last = first + timedelta(days=DAYS - 1)
    span = {"start": first.isoformat(), "end": last.isoformat()}
    asked: dict[Part, Json] = {
        Part.DUE: {"window": "range", **span},
        Part.OVERDUE: {"window": "overdue"},
        Part.EVENTS: span,
        Part.CALENDARS: {},
        Part.TASKS: {"state": "all", "due_from": span["start"], "due_until": span["end"]},
        Part.LATE_TASKS: {"state": "open", "due_until": today.isoformat()},
    }
    weeks = (first - monday_of(today)).days // DAYS + 1
    if last >= today:
        ahead = {"start": max(first, today).isoformat(), "end": last.isoformat()}
        asked[Part.FREE] = {**ahead, "minutes": SHORTEST_GAP}
    if 1 <= weeks <= MOST_WEEKS:
        asked[Part.WORKLOAD] = {"weeks": weeks}
    return asked


def _ask(door: Door, student: Student, asked: Mapping[Part, Json]) -> list[Answer]:
    """All of it at once, of every tool that can tell it."""
    tools = [tool for tool in door.tools() if tool.effect is Effect.READ]
    wanted = [(part, tool, _with_limit(tool, asked[part])) for part in asked for tool in _telling(tools, part)]
    results = door.call_all(student, [(tool.name, given) for _, tool, given in wanted], asked_by=ASKED_BY)
    return [
        Answer(part=part, tool=tool, result=result) for (part, tool, _), result in zip(wanted, results, strict=True)
    ]


def _telling(tools: Iterable[Tool], part: Part) -> Iterator[Tool]:
    category, product = TOOLS[part]
    return (tool for tool in tools if tool.category == category and product in tool.produces)


def _with_limit(tool: Tool, given: Json) -> Json:
    """As many as the tool lists at most, where it can be told how many."""
    most = tool.schema["properties"].get("limit", {}).get("maximum")
    return {**given, "limit": most} if most else given


def _of(answers: Iterable[Answer], *parts: Part) -> list[Answer]:
    return [one for one in answers if one.part in parts]


def _rows(answers: Iterable[Answer], part: Part, name: str) -> list[Any]:
    return [row for one in _of(answers, part) for row in listed(one.result, name)]


def _minutes(answers: Iterable[Answer]) -> Iterator[tuple[str, int]]:
    """About how long each piece of work takes, by its entry's id."""
    for one in _of(answers, Part.WORKLOAD):
        for week in listed(one.result, "weeks"):
            yield from ((entry_id(one.tool, item["id"]), int(item["minutes"])) for item in week["items"])


def _gaps(answers: Iterable[Answer], zone: ZoneInfo, now: datetime) -> Iterator[Gap]:
    for one in _rows(answers, Part.FREE, "free"):
        start, end = max(at(one["start"], zone), now), at(one["end"], zone)
        if (end - start).total_seconds() >= SHORTEST_GAP * 60:
            yield Gap(start=start, end=end)


def _troubles(answers: Iterable[Answer], *, but_remarks_of: Sequence[Part] = ()) -> tuple[Trouble, ...]:
    """Each thing that went wrong once, however many tools met it; what is not connected is no trouble."""
    told = {
        trouble.sentence: trouble
        for one in answers
        if one.is_there
        for trouble in _troubles_of(one, has_remarks=one.part not in but_remarks_of)
    }
    return tuple(sorted(told.values(), key=lambda one: (not one.is_missing, not one.is_partial)))


def _troubles_of(one: Answer, *, has_remarks: bool) -> Iterator[Trouble]:
    if not one.result.success:
        yield Trouble(sentence=one.result.trouble, is_missing=True, is_partial=True)
        return
    data = one.result.data or {}
    yield from (Trouble(sentence=note, is_partial=True) for note in data.get("notes", ()))
    yield from (Trouble(sentence=remark) for remark in data.get("remarks", ()) if has_remarks)
    name, total = TOOLS[one.part][1], data.get("total", 0)
    if one.part in CUT and total > (shown := len(listed(one.result, name))):
        yield Trouble(sentence=gettext(CUT[one.part], shown=shown, total=total))


def without_doubles(events: Sequence[Entry], due: Sequence[Entry]) -> list[Entry]:
    """The events but for those that stand in `due` as well. A feed may add the course: "Essay [ENGL 110]"."""
    return [one for one in events if one.kind is not Kind.DUE or not any(_is_same(one, work) for work in due)]


def _is_same(one: Entry, work: Entry) -> bool:
    is_then = one.start.date() == work.start.date() if one.is_whole_day else one.start == work.start
    return is_then and one.title.casefold().startswith(work.title.casefold())
