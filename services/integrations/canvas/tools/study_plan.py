"""Tool that proposes a study plan: blocks of at most ninety minutes, before the due date, around the calendar."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import BadArguments, ToolUnavailable
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, day, duration
from services.i18n.english import days as dates
from services.integrations.canvas.access import CourseFilter, canvas_client, find_courses, planner_tool, tool_result
from services.integrations.canvas.assignment_kinds import TIME_RULE, AssignmentKind, rough_hours
from services.integrations.canvas.assignment_queries import assignments_due_in, with_time_limits
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.date_ranges import whole_days
from services.integrations.canvas.payloads import Json
from services.integrations.canvas.study_blocks import (
    BREAK,
    SHORTEST_BLOCK,
    FreeSlot,
    StudyBlock,
    last_day,
    spread_over_slots,
)
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import FailureKind, ToolResult
from services.tools.tool import Example

PLANNING_RULE = (
    "Planned by: the earliest due first and before its due date, spread over the days, at most 2 hours a day for one "
    "thing unless it is due that day, in sittings of half an hour to 1½ hours; what is missing already comes last."
)
_BACK = timedelta(days=14)
_BEYOND = timedelta(days=4)
_NAMED_BEYOND = timedelta(days=28)
_FARTHEST = timedelta(days=366)
_FREE_TIME = "calendar_find_free_time"
_NONE_THERE = (FailureKind.NOT_CONNECTED, FailureKind.NOT_ALLOWED)
_NO_CALENDAR = "No calendar was looked at, so these are amounts of time a day, not times of day."
_EXAMPLES = (Example(description="Plan my study week, two hours a day", arguments={"days": 7, "hours_per_day": 2}),)


@planner_tool(
    label=gettext_noop("Planning the week"),
    title=gettext_noop("Plan the week"),
    summary=gettext_noop("Spread your open work over the coming days"),
    usage_hint="Spreads open work over the coming days, by effort and due date.",
    when=("the student wants a plan for their work",),
    when_not=("only an order is wanted", "the plan is to be written down: that is a note or a calendar entry"),
    examples=_EXAMPLES,
    timeout_s=40.0,
)
def canvas_propose_study_plan(
    context: ToolExecutionContext,
    *,
    start: Annotated[date | None, Field(description="First day; default today.")] = None,
    days: Annotated[int, Field(ge=1, le=14, description="How many days to plan.")] = 7,
    hours_per_day: Annotated[float, Field(ge=0.5, le=12, description="How much to study a day.")] = 3,
    day_start: Annotated[str, Field(pattern=r"^\d\d:\d\d$", description="Not before this time, like 09:00.")] = "09:00",
    day_end: Annotated[str, Field(pattern=r"^\d\d:\d\d$", description="Not after this time, like 21:00.")] = "21:00",
    break_minutes: Annotated[int, Field(ge=0, le=60, description="Between two sittings; 0 for none.")] = BREAK,
    course: CourseFilter = None,
) -> ToolResult:
    """Propose a study plan for the coming days: which open Canvas work to do on which day, before it is due.

    With a connected calendar it uses only free time and gives times of day. It writes nothing.
    """
    now, client = context.now(), canvas_client(context)
    errors = ArgumentErrorCollector()
    first = errors.read(_first_day, start, now.date()) or now.date()
    hours = errors.read(parse_hours, day_start, day_end)
    courses = errors.read(find_courses, client, course) or [] if course else []
    errors.raise_found()
    assert hours
    last = first + timedelta(days=days - 1)
    period = whole_days(now.date() - _BACK, last + _NAMED_BEYOND, context.timezone)
    found = assignments_due_in(client, period, courses, now, lambda: find_courses(client, None))
    horizon = whole_days(first, last + _BEYOND, context.timezone).end
    needed = [item for item in found.items if item.needs_work(now)]
    items = with_time_limits(client, [item for item in needed if item.due_at and item.due_at < horizon])
    exams = [item for item in needed if item.kind is AssignmentKind.EXAM and item.due_at and item.due_at >= horizon]
    slots, remarks, partial = _slots(context, first, last, hours_per_day, hours)
    sittings, unplaced = spread_over_slots(
        items, slots, context.timezone, a_day=round(hours_per_day * 60), pause=break_minutes
    )
    late = [place for place in unplaced if last_day(items[place], context.timezone) > last]
    short = [(items[place], minutes) for place, minutes in unplaced.items() if place not in late]
    after = [*(items[place] for place in late), *exams]
    return tool_result(
        context,
        _headline(sittings, items, first, last),
        [*_lines(sittings, context), *_left_over(short, after, context), PLANNING_RULE, TIME_RULE],
        notes=[*found.notes, partial],
        remarks=[*remarks, "This is a proposal; nothing was written to a calendar."],
        data={
            "sittings": [_data(sitting) for sitting in sittings],
            "left_over": [{"id": item.id, "title": item.title, "minutes": minutes} for item, minutes in short],
        },
        sources=[Source(title=item.title, url=item.url) for item in items],
    )


def _first_day(start: date | None, today: date) -> date:
    first = start or today
    if first < today:
        raise BadArguments(gettext("The plan cannot begin in the past."), field="start")
    if first - today > _FARTHEST:
        raise BadArguments(gettext("The plan cannot begin more than a year from now."), field="start")
    return first


def parse_hours(day_start: str, day_end: str) -> tuple[time, time]:
    """Parse the hours of a day in which to study; raises `BadArguments`."""
    try:
        opens, closes = time.fromisoformat(day_start), time.fromisoformat(day_end)
    except ValueError:
        raise BadArguments(gettext("day_start and day_end are times of day, like 09:00 and 21:00.")) from None
    if closes <= opens:
        raise BadArguments(gettext("day_end must be later than day_start."), field="day_end")
    return opens, closes


def _slots(
    context: ToolExecutionContext, first: date, last: date, hours_per_day: float, hours: tuple[time, time]
) -> tuple[list[FreeSlot], list[str], str]:
    """Compute each day's free time, from the calendar where there is one; remarks, and a note when that failed."""
    try:
        free = context.call(
            _FREE_TIME,
            start=first.isoformat(),
            end=last.isoformat(),
            minutes=SHORTEST_BLOCK,
            day_start=f"{hours[0]:%H:%M}",
            day_end=f"{hours[1]:%H:%M}",
            buffer_minutes=10,
        )
    except ToolUnavailable:
        free = ToolResult(success=False, error_kind=FailureKind.NOT_CONNECTED)
    if not free.success:
        told = f"Note: the calendar could not be read. {free.error or ''}".strip()
        slots, remarks = _whole_days(first, last, round(hours_per_day * 60), hours[1], context.now())
        return slots, [_NO_CALENDAR, *remarks], "" if free.error_kind in _NONE_THERE else told
    data = free.data or {}
    slots = [
        _slot(datetime.fromisoformat(gap["start"]), datetime.fromisoformat(gap["end"]), context.timezone)
        for gap in data.get("free", ())
    ]
    used = "Only time that is free in the calendar is used"
    if optional := data.get("optional_calendars"):
        names = ", ".join(f"“{name}”" for name in optional)
        used += f"; what is in {names} does not count, as the student may attend it or not"
    return slots, [f"{used}.", data.get("over", "")], ""


def _whole_days(first: date, last: date, minutes: int, closes: time, now: datetime) -> tuple[list[FreeSlot], list[str]]:
    """Give each day the hours that the student wants to study, today only those that are left of it; and a remark."""
    wanted = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    left = int((datetime.combine(now.date(), closes, now.tzinfo) - now).total_seconds() // 60)
    slots = [FreeSlot(day=on, minutes=min(minutes, max(0, left)) if on == now.date() else minutes) for on in wanted]
    is_short = first == now.date() and left < minutes
    return slots, [f"Of today only {duration(max(0, left))} are left until {clock(closes)}."] if is_short else []


def _slot(start: datetime, end: datetime, zone: ZoneInfo) -> FreeSlot:
    return FreeSlot(day=start.astimezone(zone).date(), minutes=int((end - start).total_seconds() // 60), start=start)


def _headline(sittings: Sequence[StudyBlock], items: Sequence[Assignment], first: date, last: date) -> str:
    if not items:
        return f"Nothing is open in Canvas for {dates(first, last)}"
    planned = sum(sitting.minutes for sitting in sittings)
    all_of_it = f"{rough_hours(sum(item.minutes for item in items))} that {count(len(items), 'open item')} may take"
    return f"A plan for {dates(first, last)}: {duration(planned)} of {all_of_it}"


def _lines(sittings: Sequence[StudyBlock], context: ToolExecutionContext) -> list[str]:
    told: list[str] = []
    for on, grouped in groupby(sittings, key=lambda sitting: sitting.day):
        of_day = list(grouped)
        told.append(f"{day(on)}, {duration(sum(sitting.minutes for sitting in of_day))}:")
        told += [sitting.item.line(context.timezone, _when(sitting, context)) for sitting in of_day]
    return told


def _when(sitting: StudyBlock, context: ToolExecutionContext) -> str:
    if sitting.start is None:
        return f"work {duration(sitting.minutes)}"
    end = sitting.start + timedelta(minutes=sitting.minutes)
    start, end = (moment.astimezone(context.timezone) for moment in (sitting.start, end))
    return f"work {clock(start)} – {clock(end)}"


def _left_over(
    short: Sequence[tuple[Assignment, int]], after: Sequence[Assignment], context: ToolExecutionContext
) -> list[str]:
    """List what does not fit, and what is due after these days: unfinished, or an exam of the next weeks."""
    lines = [f"- **{item.title}** — {duration(minutes)} — {item.status}" for item, minutes in short]
    later = [f"- **{item.title}** — {item.due(context.timezone)}" for item in after]
    heads = ("No room in these days:", lines), ("After these days, and not or not wholly planned here:", later)
    return [line for head, listed in heads if listed for line in (head, *listed)]


def _data(sitting: StudyBlock) -> Json:
    start = sitting.start.isoformat() if sitting.start else None
    facts = {"id": sitting.item.id, "title": sitting.item.title, "course": sitting.item.course, "url": sitting.item.url}
    return {"day": sitting.day.isoformat(), "start": start, "minutes": sitting.minutes, **facts}
