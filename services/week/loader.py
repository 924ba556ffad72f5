"""Week loader: a week from the student's own tools, asked in parallel, without a model call; nothing is stored."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n import gettext, gettext_noop
from services.identity.students import Student
from services.tools import result_contracts
from services.tools.result import ToolResult
from services.tools.tool import Tool
from services.week.free_time import SHORTEST_GAP, gaps_ahead
from services.week.horizon import horizon
from services.week.part_calls import ToolGatewayPort, call_parts, free_gaps, is_there
from services.week.tool_results import Json, entry_id, result_list, week_entries
from services.week.week import DAYS, EntryKind, Week, WeekEntry, WeekProblem, monday_of

ASKED_BY = gettext_noop("This week")
"""Caller's name in the activity and on an approval's card."""
MOST_WEEKS = 8


class WeekPart(StrEnum):
    """Part of a week, with tools of its own."""

    DUE = "due"
    OVERDUE = "overdue"
    WORKLOAD = "workload"
    EVENTS = "events"
    CALENDARS = "calendars"
    FREE = "free"
    TASKS = "tasks"
    LATE_TASKS = "late_tasks"


TOOLS = {
    WeekPart.DUE: ("courses", result_contracts.ASSIGNMENTS),
    WeekPart.OVERDUE: ("courses", result_contracts.ASSIGNMENTS),
    WeekPart.WORKLOAD: ("courses", result_contracts.WORKLOAD),
    WeekPart.EVENTS: ("calendar", result_contracts.EVENTS),
    WeekPart.CALENDARS: ("calendar", result_contracts.CALENDARS),
    WeekPart.FREE: ("calendar", result_contracts.FREE_TIME),
    WeekPart.TASKS: ("planner", result_contracts.TASKS),
    WeekPart.LATE_TASKS: ("planner", result_contracts.TASKS),
}
"""Category and product of the tools to ask for each part, whatever their names are."""
CUT_SENTENCES = {
    WeekPart.DUE: gettext_noop("Only {shown} of {total} assignments that are due in this week are shown."),
    WeekPart.OVERDUE: gettext_noop("Only {shown} of {total} assignments that are overdue are shown."),
    WeekPart.EVENTS: gettext_noop("Only {shown} of {total} events of this week are shown."),
    WeekPart.TASKS: gettext_noop("Only {shown} of {total} tasks that are due in this week are shown."),
    WeekPart.LATE_TASKS: gettext_noop("Only {shown} of {total} tasks that are overdue are shown."),
}


@dataclass(frozen=True, kw_only=True)
class PartResult:
    """Result of one tool for one part."""

    part: WeekPart
    tool: Tool
    result: ToolResult = field(repr=False)

    @property
    def is_there(self) -> bool:
        return is_there(self.result)

    @property
    def is_sample(self) -> bool:
        return self.result.success and bool((self.result.data or {}).get("is_sample"))


def load_week(gateway: ToolGatewayPort, student: Student, first: date | None = None, *, now: datetime) -> Week:
    """Load seven days from `first` on, those of the student's horizon when left out; now: an aware time.

    A service that fails becomes a problem of the week, and the rest is there; nothing is raised for it.
    """
    zone = ZoneInfo(student.timezone)
    now = now.astimezone(zone)
    first = first or horizon(now, student.locale).this_week.first
    answers = [
        PartResult(part=part, tool=tool, result=result)
        for part, tool, result in call_parts(gateway, student, TOOLS, _arguments(first, now.date()), asked_by=ASKED_BY)
    ]
    minutes = dict(_minutes(answers))

    def found(*parts: WeekPart) -> list[WeekEntry]:
        return [
            entry
            for answer in _of(answers, *parts)
            for entry in week_entries(answer.tool, answer.result, zone, minutes)
        ]

    late = [entry for entry in found(WeekPart.LATE_TASKS) if entry.is_past(now)]
    due, events_of_feeds = found(WeekPart.DUE), found(WeekPart.EVENTS)
    events = without_duplicates(events_of_feeds, due)
    is_feed_needed = len(events) == len(events_of_feeds) or any(event.kind is EntryKind.DUE for event in events)
    platforms = [answer for answer in _of(answers, WeekPart.DUE) if not answer.is_sample]
    return Week(
        first=first,
        as_of=now,
        entries=tuple(sorted([*due, *found(WeekPart.TASKS), *events], key=lambda entry: entry.order)),
        overdue=tuple(sorted([*found(WeekPart.OVERDUE), *late], key=lambda entry: entry.order, reverse=True)),
        free=gaps_ahead((gap for answer in _of(answers, WeekPart.FREE) for gap in free_gaps(answer.result, zone)), now),
        troubles=_problems(answers, but_remarks_of=() if is_feed_needed else (WeekPart.EVENTS,)),
        has_calendar=any(answer.is_there for answer in _of(answers, WeekPart.EVENTS)),
        can_write=any(row["can_write"] for row in _rows(answers, WeekPart.CALENDARS, "calendars")),
        has_courses=any(platform.is_there for platform in platforms)
        or any(event.kind is EntryKind.DUE for event in events),
        has_sample=any(answer.is_sample for answer in _of(answers, WeekPart.DUE)),
        is_due_unread=any(
            answer.is_there and not answer.result.success for answer in _of(answers, WeekPart.DUE, WeekPart.OVERDUE)
        ),
    )


def _arguments(first: date, today: date) -> dict[WeekPart, Json]:
    """The arguments for the tools of each part. Free time and workload are of use for days to come only."""
    last = first + timedelta(days=DAYS - 1)
    span = {"start": first.isoformat(), "end": last.isoformat()}
    asked: dict[WeekPart, Json] = {
        WeekPart.DUE: {"window": "range", **span},
        WeekPart.OVERDUE: {"window": "overdue"},
        WeekPart.EVENTS: span,
        WeekPart.CALENDARS: {},
        WeekPart.TASKS: {"state": "all", "due_from": span["start"], "due_until": span["end"]},
        WeekPart.LATE_TASKS: {"state": "open", "due_until": today.isoformat()},
    }
    weeks = (monday_of(last) - monday_of(today)).days // DAYS + 1
    if last >= today:
        ahead = {"start": max(first, today).isoformat(), "end": last.isoformat()}
        asked[WeekPart.FREE] = {**ahead, "minutes": SHORTEST_GAP}
    if 1 <= weeks <= MOST_WEEKS:
        asked[WeekPart.WORKLOAD] = {"weeks": weeks}
    return asked


def _of(answers: Iterable[PartResult], *parts: WeekPart) -> list[PartResult]:
    return [answer for answer in answers if answer.part in parts]


def _rows(answers: Iterable[PartResult], part: WeekPart, name: str) -> list[Any]:
    return [row for answer in _of(answers, part) for row in result_list(answer.result, name)]


def _minutes(answers: Iterable[PartResult]) -> Iterator[tuple[str, int]]:
    """About how long each piece of work takes, by its entry's id."""
    for answer in _of(answers, WeekPart.WORKLOAD):
        for week in result_list(answer.result, "weeks"):
            yield from ((entry_id(answer.tool, item["id"]), int(item["minutes"])) for item in week["items"])


def _problems(answers: Iterable[PartResult], *, but_remarks_of: Sequence[WeekPart] = ()) -> tuple[WeekProblem, ...]:
    """Each problem once, however many tools met it; what is not connected is none."""
    problems = {
        problem.sentence: problem
        for answer in answers
        if answer.is_there
        for problem in _problems_of(answer, has_remarks=answer.part not in but_remarks_of)
    }
    return tuple(sorted(problems.values(), key=lambda problem: (not problem.is_missing, not problem.is_partial)))


def _problems_of(tool_answer: PartResult, *, has_remarks: bool) -> Iterator[WeekProblem]:
    if not tool_answer.result.success:
        yield WeekProblem(sentence=tool_answer.result.trouble, is_missing=True, is_partial=True)
        return
    data = tool_answer.result.data or {}
    yield from (WeekProblem(sentence=note, is_partial=True) for note in data.get("notes", ()))
    yield from (WeekProblem(sentence=remark) for remark in data.get("remarks", ()) if has_remarks)
    name, total = TOOLS[tool_answer.part][1], data.get("total", 0)
    if tool_answer.part in CUT_SENTENCES and total > (shown := len(result_list(tool_answer.result, name))):
        yield WeekProblem(sentence=gettext(CUT_SENTENCES[tool_answer.part], shown=shown, total=total))


def without_duplicates(events: Sequence[WeekEntry], due: Sequence[WeekEntry]) -> list[WeekEntry]:
    """The events but for those that stand in `due` as well. A feed may add the course: "Essay [ENGL 110]"."""
    return [
        event for event in events if event.kind is not EntryKind.DUE or not any(_is_same(event, work) for work in due)
    ]


def _is_same(week_entry: WeekEntry, work: WeekEntry) -> bool:
    is_then = (
        week_entry.start.date() == work.start.date() if week_entry.is_whole_day else week_entry.start == work.start
    )
    return is_then and f"{week_entry.title} ".casefold().startswith(f"{work.title} ".casefold())
