"""Tool that proposes a study plan: blocks of at most ninety minutes, before the due date, around the calendar."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from services.integrations.canvas.assignment_kinds import TIME_RULE, rough_hours
from services.integrations.canvas.assignment_queries import assignments_due_in
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.date_ranges import whole_days
from services.integrations.canvas.payloads import Json
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.result import FailureKind, Source, ToolResult
from services.tools.tool import Example

LONGEST_BLOCK = 90
_SHORTEST = 30
_MOST_A_DAY = 120
_NOON = time(12)
PLANNING_RULE = (
    "Planned by: the earliest due first and before its due date, at most 2 hours a day for one thing unless it is due "
    "that day, in sittings of at most 1½ hours; what is missing already comes last."
)
_BACK = timedelta(days=14)
_BEYOND = timedelta(days=4)
_FARTHEST = timedelta(days=366)
_SHORTEST_GAP = 30
_FREE_TIME = "calendar_find_free_time"
_NONE_THERE = (FailureKind.NOT_CONNECTED, FailureKind.NOT_ALLOWED)
_NO_CALENDAR = "No calendar was looked at, so these are amounts of time a day, not times of day."
_EXAMPLES = (Example(description="Plan my study week, two hours a day", arguments={"days": 7, "hours_per_day": 2}),)


@dataclass(kw_only=True)
class StudySlot:
    """Free time on a day; `start` is known where a calendar told it."""

    day: date
    minutes: int
    start: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class StudyBlock:
    """Minutes for one assignment on a day."""

    day: date
    minutes: int
    item: Assignment
    start: datetime | None = None


def spread_over_slots(
    items: Sequence[Assignment], slots: Sequence[StudySlot], zone: ZoneInfo
) -> tuple[list[StudyBlock], dict[int, int]]:
    """Schedule the assignments, earliest due first.

    Returns the blocks by day, and the minutes of each item (by its place in `items`) that found no room.
    """
    left = {place: item.minutes for place, item in enumerate(items)}
    order = sorted(left, key=lambda place: (items[place].is_missing, last_day(items[place], zone), items[place].title))
    sittings: list[StudyBlock] = []
    used: dict[tuple[int, date], int] = {}
    for slot in sorted(slots, key=lambda slot: (slot.day, slot.start is not None, slot.start)):
        room = StudySlot(day=slot.day, minutes=slot.minutes, start=slot.start)
        while place := _next_assignment(order, left, used, items, room, zone):
            index = place[0]
            minutes = min(LONGEST_BLOCK, left[index], room.minutes, place[1])
            _append_block(sittings, StudyBlock(day=room.day, minutes=minutes, item=items[index], start=room.start))
            left[index] -= minutes
            used[index, room.day] = used.get((index, room.day), 0) + minutes
            room.minutes -= minutes
            room.start = room.start + timedelta(minutes=minutes) if room.start else None
    return sittings, {place: minutes for place, minutes in left.items() if minutes}


def _next_assignment(
    order: Sequence[int],
    left: dict[int, int],
    used: dict[tuple[int, date], int],
    items: Sequence[Assignment],
    room: StudySlot,
    zone: ZoneInfo,
) -> tuple[int, int] | None:
    """Find the next assignment that fits into the slot, with the minutes it may still take that day."""
    for index in order:
        last = last_day(items[index], zone)
        allowed = left[index] if last <= room.day else _MOST_A_DAY - used.get((index, room.day), 0)
        fits = min(_SHORTEST, left[index]) <= room.minutes and allowed >= min(_SHORTEST, left[index])
        if left[index] and fits and (room.day <= last or items[index].is_missing):
            return index, allowed
    return None


def _append_block(sittings: list[StudyBlock], new: StudyBlock) -> None:
    """Append a block; without times of day, blocks of the same assignment and day are joined."""
    last = sittings[-1] if sittings else None
    if last and new.start is None and last.day == new.day and last.item is new.item:
        sittings[-1] = StudyBlock(day=new.day, minutes=last.minutes + new.minutes, item=new.item)
    else:
        sittings.append(new)


def last_day(item: Assignment, zone: ZoneInfo) -> date:
    """Last day to work on it: the day before when it is due before noon."""
    if item.due_at is None:
        return date.max
    due = item.due_at.astimezone(zone)
    return due.date() if due.timetz().replace(tzinfo=None) >= _NOON else due.date() - timedelta(days=1)


@planner_tool(
    label=gettext_noop("Planning the week"),
    title=gettext_noop("Plan the week"),
    summary=gettext_noop("Spread your open work over the coming days"),
    provenance=Provenance.PRIVATE,
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
    course: CourseFilter = None,
) -> ToolResult:
    """Propose a study plan for the coming days: which open Canvas work to do on which day, before it is due.

    With a connected calendar it uses only free time and gives times of day. It writes nothing.
    """
    now, client = context.now(), canvas_client(context)
    first = start or now.date()
    if first < now.date():
        raise BadArguments(gettext("The plan cannot begin in the past."), field="start")
    if first - now.date() > _FARTHEST:
        raise BadArguments(gettext("The plan cannot begin more than a year from now."), field="start")
    last = first + timedelta(days=days - 1)
    courses = find_courses(client, course) if course else []
    period = whole_days(now.date() - _BACK, last + _BEYOND, context.timezone)
    found = assignments_due_in(client, period, courses, now, lambda: find_courses(client, None))
    items = [item for item in found.items if item.needs_work(now)]
    slots, remark, partial = _slots(context, first, last, hours_per_day, day_start, day_end)
    sittings, unplaced = spread_over_slots(items, slots, context.timezone)
    late = {place for place in unplaced if last_day(items[place], context.timezone) > last}
    short = [(items[place], minutes) for place, minutes in unplaced.items() if place not in late]
    return tool_result(
        context,
        _headline(sittings, items, first, last),
        [*_lines(sittings, context), *_left_over(short), PLANNING_RULE, TIME_RULE],
        notes=[*found.notes, partial],
        remarks=[remark, "This is a proposal; nothing was written to a calendar."],
        data={
            "sittings": [_data(sitting) for sitting in sittings],
            "left_over": [{"id": item.id, "title": item.title, "minutes": minutes} for item, minutes in short],
        },
        sources=[Source(title=item.title, url=item.url) for item in items],
    )


def _slots(
    context: ToolExecutionContext, first: date, last: date, hours_per_day: float, day_start: str, day_end: str
) -> tuple[list[StudySlot], str, str]:
    """Compute each day's free time, from the calendar where there is one; a remark, and a note when that failed."""
    wanted = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    minutes = round(hours_per_day * 60)
    whole = [StudySlot(day=on, minutes=minutes) for on in wanted]
    try:
        free = context.call(
            _FREE_TIME,
            start=first.isoformat(),
            end=last.isoformat(),
            minutes=_SHORTEST_GAP,
            day_start=day_start,
            day_end=day_end,
            buffer_minutes=10,
        )
    except ToolUnavailable:
        return whole, _NO_CALENDAR, ""
    if not free.success:
        told = f"Note: the calendar could not be read. {free.error or ''}".strip()
        return whole, _NO_CALENDAR, "" if free.error_kind in _NONE_THERE else told
    gaps = [(_time(gap["start"]), _time(gap["end"])) for gap in (free.data or {}).get("free", ())]
    return _slots_from_gaps(gaps, minutes, context), "Only time that is free in the calendar is used.", ""


def _slots_from_gaps(
    gaps: Sequence[tuple[datetime, datetime]], minutes: int, context: ToolExecutionContext
) -> list[StudySlot]:
    """Cut each day's gaps, earliest first, to the hours that the student wants to study."""
    slots: list[StudySlot] = []
    left: dict[date, int] = {}
    for start, end in sorted(gaps):
        local = start.astimezone(context.timezone)
        room = min(int((end - start).total_seconds() // 60), left.get(local.date(), minutes))
        if room >= _SHORTEST_GAP:
            slots.append(StudySlot(day=local.date(), minutes=room, start=start))
            left[local.date()] = left.get(local.date(), minutes) - room
    return slots


def _headline(sittings: Sequence[StudyBlock], items: Sequence[Assignment], first: date, last: date) -> str:
    if not items:
        return f"Nothing is open in Canvas for {dates(first, last)}"
    planned, wanted = sum(sitting.minutes for sitting in sittings), sum(item.minutes for item in items)
    all_of_it = f"{rough_hours(wanted)} that {count(len(items), 'open item')} may take"
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
    start = sitting.start.astimezone(context.timezone)
    end = (sitting.start + timedelta(minutes=sitting.minutes)).astimezone(context.timezone)
    return f"work {clock(start)} – {clock(end)}"


def _left_over(short: Sequence[tuple[Assignment, int]]) -> list[str]:
    """List what does not fit and cannot wait until after these days."""
    lines = [f"- **{item.title}** — {duration(minutes)} — {item.status}" for item, minutes in short]
    return ["No room in these days:", *lines] if lines else []


def _data(sitting: StudyBlock) -> Json:
    start = sitting.start.isoformat() if sitting.start else None
    facts = {"id": sitting.item.id, "title": sitting.item.title, "course": sitting.item.course, "url": sitting.item.url}
    return {"day": sitting.day.isoformat(), "start": start, "minutes": sitting.minutes, **facts}


def _time(written: str) -> datetime:
    return datetime.fromisoformat(written)
