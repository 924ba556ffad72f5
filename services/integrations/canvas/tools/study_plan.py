"""Tool that proposes a study plan: blocks of at most ninety minutes, before the due date, around the calendar."""

from collections import Counter
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
from services.integrations.canvas.assignment_kinds import TIME_RULE, AssignmentKind, rough_hours
from services.integrations.canvas.assignment_queries import assignments_due_in, with_time_limits
from services.integrations.canvas.assignments import Assignment
from services.integrations.canvas.date_ranges import whole_days
from services.integrations.canvas.payloads import Json
from services.safety.provenance import Provenance
from services.tools.context import ToolExecutionContext
from services.tools.result import FailureKind, Source, ToolResult
from services.tools.tool import Example

LONGEST_BLOCK = 90
SHORTEST_BLOCK = 30
_BREAK = 15
_MOST_A_DAY = 120
_NOON = time(12)
PLANNING_RULE = (
    "Planned by: the earliest due first and before its due date, at most 2 hours a day for one thing unless it is due "
    "that day, in sittings of half an hour to 1½ hours with a break between them; what is missing already comes last."
)
_BACK = timedelta(days=14)
_BEYOND = timedelta(days=4)
_NAMED_BEYOND = timedelta(days=28)
_FARTHEST = timedelta(days=366)
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


class _Spread:
    """Schedule in the making. left: minutes of each item, by its place in `items`, that have no room yet."""

    def __init__(self, items: Sequence[Assignment], zone: ZoneInfo, a_day: int | None) -> None:
        self.items, self.sittings = items, list[StudyBlock]()
        self.left = {place: item.minutes for place, item in enumerate(items)}
        self._last_days = [last_day(item, zone) for item in items]
        self._order = sorted(self.left, key=lambda at: (items[at].is_missing, self._last_days[at], items[at].title))
        self._a_day = a_day
        self._used: Counter[tuple[int, date]] = Counter()
        self._studied: Counter[date] = Counter()

    def fill(self, room: StudySlot, *, may_leave_rest: bool) -> None:
        """Put sittings into a slot, which shrinks; may_leave_rest: what is too short for a sitting may be left over."""
        while best := self._next(room, may_leave_rest):
            index, minutes = best
            _append_block(
                self.sittings, StudyBlock(day=room.day, minutes=minutes, item=self.items[index], start=room.start)
            )
            self.left[index] -= minutes
            self._used[index, room.day] += minutes
            self._studied[room.day] += minutes
            room.minutes -= minutes + (_BREAK if room.start else 0)
            room.start = room.start + timedelta(minutes=minutes + _BREAK) if room.start else None

    def _next(self, room: StudySlot, may_leave_rest: bool) -> tuple[int, int] | None:
        """Find the next assignment that fits into the slot, and the minutes of its sitting."""
        free = room.minutes if self._a_day is None else min(room.minutes, self._a_day - self._studied[room.day])
        for index in self._order:
            item, last = self.items[index], self._last_days[index]
            if not item.is_missing and room.day > last:
                continue
            most = free if last <= room.day else min(free, _MOST_A_DAY - self._used[index, room.day])
            if room.start and item.due_at and not item.is_missing:
                most = min(most, int((item.due_at - room.start).total_seconds() // 60))
            minutes = _sitting(self.left[index], most, may_leave_rest)
            if minutes and minutes >= min(SHORTEST_BLOCK, item.minutes):
                return index, minutes
        return None


def spread_over_slots(
    items: Sequence[Assignment], slots: Sequence[StudySlot], zone: ZoneInfo, *, a_day: int | None = None
) -> tuple[list[StudyBlock], dict[int, int]]:
    """Schedule the assignments, earliest due first, in sittings of a sensible length, with breaks between them.

    a_day: minutes of study on a day in all; None for as long as the slots are. Returns the blocks by day, and the
    minutes of each item (by its place in `items`) that found no room.
    """
    spread = _Spread(items, zone, a_day)
    ordered = sorted(slots, key=lambda slot: (slot.day, slot.start is not None, slot.start))
    rooms = [StudySlot(day=slot.day, minutes=slot.minutes, start=slot.start) for slot in ordered]
    for may_leave_rest in (False, True):
        for room in rooms:
            spread.fill(room, may_leave_rest=may_leave_rest)
    sittings = sorted(spread.sittings, key=lambda block: (block.day, block.start is not None, block.start))
    return sittings, {place: minutes for place, minutes in spread.left.items() if minutes}


def _sitting(left: int, most: int, may_leave_rest: bool) -> int:
    """Minutes of the next sitting, so that what is left afterwards is nothing or enough for another one."""
    minutes = max(0, min(LONGEST_BLOCK, left, most))
    is_scrap = 0 < left - minutes < SHORTEST_BLOCK
    return max(0, left - SHORTEST_BLOCK) if is_scrap and not may_leave_rest else minutes


def _append_block(sittings: list[StudyBlock], new: StudyBlock) -> None:
    """Append a block; without times of day, blocks of the same assignment and day are joined."""
    for at, block in enumerate(sittings):
        if new.start is None and block.start is None and block.day == new.day and block.item is new.item:
            sittings[at] = StudyBlock(day=new.day, minutes=block.minutes + new.minutes, item=new.item)
            return
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
    period = whole_days(now.date() - _BACK, last + _NAMED_BEYOND, context.timezone)
    found = assignments_due_in(client, period, courses, now, lambda: find_courses(client, None))
    horizon = whole_days(first, last + _BEYOND, context.timezone).end
    needed = [item for item in found.items if item.needs_work(now)]
    items = with_time_limits(client, [item for item in needed if item.due_at and item.due_at < horizon])
    exams = [item for item in needed if item.kind is AssignmentKind.EXAM and item.due_at and item.due_at >= horizon]
    hours = parse_hours(day_start, day_end)
    slots, remarks, partial = _slots(context, first, last, hours_per_day, hours)
    sittings, unplaced = spread_over_slots(items, slots, context.timezone, a_day=round(hours_per_day * 60))
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
) -> tuple[list[StudySlot], list[str], str]:
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
    return slots, ["Only time that is free in the calendar is used.", data.get("over", "")], ""


def _whole_days(
    first: date, last: date, minutes: int, closes: time, now: datetime
) -> tuple[list[StudySlot], list[str]]:
    """Give each day the hours that the student wants to study, today only those that are left of it; and a remark."""
    wanted = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    left = int((datetime.combine(now.date(), closes, now.tzinfo) - now).total_seconds() // 60)
    slots = [StudySlot(day=on, minutes=min(minutes, max(0, left)) if on == now.date() else minutes) for on in wanted]
    is_short = first == now.date() and left < minutes
    return slots, [f"Of today only {duration(max(0, left))} are left until {clock(closes)}."] if is_short else []


def _slot(start: datetime, end: datetime, zone: ZoneInfo) -> StudySlot:
    return StudySlot(day=start.astimezone(zone).date(), minutes=int((end - start).total_seconds() // 60), start=start)


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
