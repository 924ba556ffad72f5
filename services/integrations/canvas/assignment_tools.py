"""The tools about assignments: lists of them, and one in detail."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from services.errors import BadArguments, ItemNotFound
from services.integrations.canvas.access import (
    CONTEXTS,
    ID,
    canvas_of,
    courses_of,
    cut_note,
    gap_notes,
    heading,
    lines,
    readable,
)
from services.integrations.canvas.assignments import Assignment, by_due_date, flat, from_assignment, from_planner
from services.integrations.canvas.client import CanvasClient, Json
from services.integrations.canvas.courses import Course
from services.integrations.canvas.details import details
from services.integrations.canvas.matching import best
from services.integrations.canvas.periods import Period, Window, read_period
from services.integrations.canvas.problems import LABEL
from services.integrations.wording import count
from services.tools.base import Example, Source, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

CourseWords = Annotated[
    str | None,
    Field(
        max_length=200, description='Only this course: its name, code, id or the student\'s words for it, like "bio".'
    ),
]


@tool(label="Looking up assignments", category="courses", contexts=CONTEXTS, integration=ID)
def canvas_list_assignments(
    context: ToolExecutionContext,
    *,
    window: Annotated[
        Literal["upcoming", "overdue", "unsubmitted", "past", "range"],
        Field(
            description="upcoming: due from now on, two weeks unless end says otherwise. overdue: past due and not "
            "handed in. unsubmitted: everything not handed in yet, also without a due date. past: was due in the last "
            "30 days. range: due from start to end."
        ),
    ] = "upcoming",
    start: Annotated[date | None, Field(description="First day, like 2026-11-23. Needed for range.")] = None,
    end: Annotated[date | None, Field(description="Last day, included, like 2026-11-29. Needed for range.")] = None,
    course: CourseWords = None,
    limit: Annotated[int, Field(ge=1, le=100, description="How many to show at most.")] = 25,
) -> ToolResult:
    """List the student's assignments, quizzes and graded discussions in Canvas, with due date, points and status.

    Use it for anything about what is due, missing or still to do. For "this week" use window range with the days of
    that week. Do not use it for the instructions of one assignment (canvas_get_assignment) or for plans and meetings,
    which are in the calendar.
    """
    now, wanted = context.now(), Window(window)
    period = read_period(wanted, start, end, now=now)
    client = canvas_of(context)
    courses = courses_of(client, course) if course or wanted is Window.UNSUBMITTED else []
    found, notes = _found(client, wanted, period, courses, now)
    if period:
        found = [one for one in found if one.due_at is None or period.contains(one.due_at)]
    found.sort(key=by_due_date, reverse=wanted is Window.PAST)
    shown = found[:limit]
    about = f" in {courses[0].name}" if course else ""
    return ToolResult(
        output=lines(
            heading(_headline(wanted, found, period, about), context),
            *(one.line(context.timezone) for one in shown),
            cut_note(len(shown), len(found)),
            *notes,
        ),
        data={"assignments": [one.data() for one in shown], "total": len(found), "notes": [n for n in notes if n]},
        sources=tuple(Source(title=one.title, url=one.url) for one in shown),
    )


@tool(
    label="Reading the assignment",
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    examples=(
        Example(
            description="What does lab report 6 in biology ask for?",
            arguments={"assignment": "lab report 6", "course": "biology"},
        ),
    ),
)
def canvas_get_assignment(
    context: ToolExecutionContext,
    *,
    assignment: Annotated[
        str, Field(min_length=1, max_length=200, description='Its id, or words of its title, like "lab report 6".')
    ],
    course: CourseWords = None,
) -> ToolResult:
    """Read one Canvas assignment in full: instructions, due date, points, how to hand it in, and how it stands.

    Use it when the student asks what an assignment wants, or before helping with it. Name the course too when it is
    known: that is faster and clearer.
    """
    now, client = context.now(), canvas_of(context)
    courses = courses_of(client, course)
    row, its_course, notes = _the_one(client, courses, assignment)
    one = from_assignment(row, course=its_course.name, origin=client.origin, now=now)
    return ToolResult(
        output=lines(
            heading(f"“{one.title}” in {one.course}: {one.due(context.timezone)}, {one.status}", context),
            one.line(context.timezone),
            *notes,
            details(row, context.timezone),
        ),
        data=one.data(),
        sources=(Source(title=one.title, url=one.url),),
    )


def _found(
    client: CanvasClient, window: Window, period: Period | None, courses: Sequence[Course], now: datetime
) -> tuple[list[Assignment], list[str]]:
    """The assignments of a window and notes about what is missing. Canvas lists all but `unsubmitted` in one go."""
    origin = client.origin
    if window is Window.UNSUBMITTED:
        read, gaps = client.each(courses, lambda course: _of_course(client, course, now))
        found = [one for ones, _ in read for one in ones if one.is_to_do]
        return found, [*(note for _, note in read), *gap_notes(gaps, "The assignments")]
    ids = {course.id for course in courses}
    if window is Window.OVERDUE:
        rows = [
            {**row, "submission": {"missing": True}}
            for row in client.missing_submissions()
            if not ids or row.get("course_id") in ids
        ]
        found, note = readable(rows, lambda row: from_assignment(row, course=_course_name(row), origin=origin, now=now))
        return found, [note]
    assert period is not None
    rows = client.planner_items(period.start, period.end, ids)
    found, note = readable(rows, lambda row: from_planner(row, origin=origin, now=now))
    return found, [note]


def _of_course(client: CanvasClient, course: Course, now: datetime) -> tuple[list[Assignment], str]:
    rows = client.assignments(course.id)
    return readable(rows, lambda row: from_assignment(row, course=course.name, origin=client.origin, now=now))


def _course_name(row: Json) -> str:
    return flat((row.get("course") or {}).get("name"))


def _headline(window: Window, found: Sequence[Assignment], period: Period | None, about: str) -> str:
    number, ready = len(found), sum(one.is_handed_in for one in found)
    when = f", due {period}" if period else ""
    match window:
        case Window.UPCOMING | Window.RANGE:
            done = f", {ready} of them handed in already" if ready else ""
            return f"{count(number, 'assignment')}{about} due {period}{done}"
        case Window.PAST:
            return f"{count(number, 'assignment')}{about} that {'was' if number == 1 else 'were'} due {period}"
        case Window.OVERDUE:
            return f"{count(number, 'assignment')}{about} past due and not handed in{when}"
        case Window.UNSUBMITTED:
            return f"{count(number, 'assignment')}{about} not handed in{when}"


def _the_one(client: CanvasClient, courses: Sequence[Course], wanted: str) -> tuple[Json, Course, list[str]]:
    """The assignment that is meant, its course, notes; raises `ItemNotFound`, or `BadArguments` with the choices."""
    wanted = wanted.strip()
    found: list[tuple[Json, Course]] = []
    gaps: Sequence[Any] = ()
    if wanted.isdecimal():
        found, _ = client.each(courses, lambda course: (client.assignment(course.id, int(wanted)), course))
    if not found:
        read, gaps = client.each(courses, lambda course: [(row, course) for row in client.assignments(course.id)])
        rows = [pair for pairs in read for pair in pairs]
        found = best(rows, wanted, lambda pair: (str(pair[0].get("name") or ""),))
    if len(found) > 1:
        raise BadArguments(f"More than one assignment fits: {_choices(found)}. Give the id.", field="assignment")
    notes = gap_notes(gaps, "The assignments")
    if not found:
        raise ItemNotFound(LABEL, lines("No assignment is called that.", *notes), next_step="List them first.")
    return (*found[0], notes)


def _choices(found: Sequence[tuple[Json, Course]]) -> str:
    shown = [f"{flat(row.get('name'))} ({course.name}, id {row.get('id')})" for row, course in found[:8]]
    return "; ".join([*shown, "…"] if len(found) > len(shown) else shown)
