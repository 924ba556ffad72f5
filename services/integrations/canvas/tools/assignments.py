"""Tool that lists assignments: due, missing, graded or waiting, of all courses or one."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import count, cut_note, moment
from services.integrations.canvas.access import CourseFilter, canvas_client, canvas_tool, find_courses, tool_result
from services.integrations.canvas.assignment_kinds import AssignmentKind
from services.integrations.canvas.assignment_queries import (
    AssignmentList,
    TaughtCourses,
    assignments_due_in,
    assignments_of_courses,
    graded_assignments,
    is_in_taught_window,
    overdue_assignments,
    taught_courses,
    to_grade_text,
)
from services.integrations.canvas.assignments import Assignment, by_due_date, by_grading
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.date_ranges import DateRange, WorkWindow, read_period
from services.integrations.canvas.payloads import safe_line
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.name_matcher import contains_words
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.result_contracts import ASSIGNMENTS
from services.tools.tool import Example

_BY_COURSE = (WorkWindow.UNSUBMITTED, WorkWindow.WAITING, WorkWindow.GRADED, WorkWindow.LATE, WorkWindow.ALL)
_LATEST_FIRST = (WorkWindow.PAST, WorkWindow.LATE)
_LONGEST_AGO = timedelta(days=400)
_STATE_OF: dict[WorkWindow, Callable[[Assignment], bool]] = {
    WorkWindow.UNSUBMITTED: lambda assignment: assignment.is_to_do,
    WorkWindow.WAITING: lambda assignment: assignment.is_waiting,
    WorkWindow.LATE: lambda assignment: assignment.is_late,
}
_EXAMPLES = (
    Example(
        description="What is due this week?", arguments={"window": "range", "start": "2026-11-23", "end": "2026-11-29"}
    ),
    Example(description="Which quizzes are coming up in bio?", arguments={"kind": "quiz", "course": "bio"}),
    Example(description="Find the assignment about mitosis", arguments={"window": "all", "search": "mitosis"}),
    Example(description="What got graded lately, and what did they say?", arguments={"window": "graded"}),
)


@canvas_tool(
    label=gettext_noop("Looking up assignments"),
    title=gettext_noop("Look up assignments"),
    summary=gettext_noop("See what is due, missing or handed in, and until when"),
    produces=(ASSIGNMENTS,),
    usage_hint="Lists what is due, missing or handed in, in a range of days.",
    when=("the student asks what is due, late or done", "an assignment must be found by its name"),
    when_not=("the instructions of one assignment are asked for", "the order of work is asked for"),
    examples=_EXAMPLES,
)
def canvas_list_assignments(
    context: ToolExecutionContext,
    *,
    window: Annotated[
        Literal["upcoming", "overdue", "unsubmitted", "waiting", "graded", "late", "past", "range", "all"],
        Field(
            description="upcoming: due from now until end (default two weeks, with kind or search four months). "
            "overdue: past due, not handed in. unsubmitted: all not handed in, without a due date "
            "too. waiting: handed in, no grade yet. graded: in the last 14 days or since start, with "
            "comments. late: handed in late. past: due in the last 30 days. range: due from start to "
            "end. all: for searching."
        ),
    ] = "upcoming",
    start: Annotated[date | None, Field(description="First day, for range.")] = None,
    end: Annotated[date | None, Field(description="Last day, included, for range.")] = None,
    course: CourseFilter = None,
    kind: Annotated[
        Literal["quiz", "exam", "discussion", "essay", "lab", "project", "homework", "peer_review"] | None,
        Field(description="essay: papers and drafts. homework: any other work to hand in."),
    ] = None,
    search: Annotated[
        str,
        Field(max_length=100, description="Words of the title or, with window all, the text."),
    ] = "",
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 25,
) -> ToolResult:
    """List the student's assignments, quizzes and graded discussions in Canvas, with due date, points and status.

    For anything due, missing or still to do, told by day; for "this week" window range with its days. In courses that
    they teach or assist in: what is due for the class, and how many submissions wait for a grade (window waiting: only
    those).
    """
    now, wanted = context.now(), WorkWindow(window)
    client, errors = canvas_client(context), ArgumentErrorCollector()
    period = errors.read(read_period, wanted, start, end, now=now, far=bool(kind or search))
    courses = errors.read(find_courses, client, course) or [] if course or wanted in _BY_COURSE else []
    errors.raise_found()
    teaching = taught_courses(client, courses)
    own = _own_work(client, teaching, wanted, period, courses, now, search)
    theirs = teaching.list_assignments(client, wanted, now, search if wanted is WorkWindow.ALL else "")
    found = AssignmentList(items=[*own.items, *theirs.items], notes=[*own.notes, *theirs.notes])
    fitting = [assignment for assignment in found.items if _fits(assignment, wanted, period, kind, search)]
    is_graded = wanted is WorkWindow.GRADED
    fitting.sort(key=by_grading if is_graded else by_due_date, reverse=is_graded or wanted in _LATEST_FIRST)
    shown = fitting[:limit]
    about = _about(kind, search) + (f" in {courses[0].name}" if course else "")
    return tool_result(
        context,
        _whole_headline(teaching, wanted, fitting, period, about),
        (assignment.line(context.timezone, *_graded(assignment, wanted, context.timezone)) for assignment in shown),
        remarks=[cut_note(len(shown), len(fitting)), teaching.remark()],
        notes=found.notes,
        data={"assignments": [assignment.data() for assignment in shown], "total": len(fitting)},
        sources=[Source(title=assignment.title, url=assignment.url) for assignment in shown],
    )


def _graded(assignment: Assignment, window: WorkWindow, zone: ZoneInfo) -> list[str]:
    at = assignment.graded_at if window is WorkWindow.GRADED else None
    return [f"graded on {moment(at, zone)}"] if at else []


def _own_work(
    client: CanvasClient,
    teaching: TaughtCourses,
    window: WorkWindow,
    period: DateRange | None,
    courses: Sequence[Course],
    now: datetime,
    search: str,
) -> AssignmentList:
    """List the user's own work; no request when they teach all the courses that are meant."""
    if not teaching.takes_others:
        return AssignmentList(items=[], notes=[])
    taken = [course for course in courses if not course.is_taught]
    found = _work_of_window(client, window, period, taken, now, search)
    own = [assignment for assignment in found.items if assignment.course_id not in teaching.ids]
    return AssignmentList(items=own, notes=found.notes)


def _work_of_window(
    client: CanvasClient,
    window: WorkWindow,
    period: DateRange | None,
    courses: Sequence[Course],
    now: datetime,
    search: str,
) -> AssignmentList:
    """Query what may belong to a window: upcoming, past or overdue work of all courses is one request."""

    def active_courses() -> Sequence[Course]:
        return find_courses(client, None)

    if window is WorkWindow.OVERDUE:
        return overdue_assignments(client, courses, now, active_courses)
    if window is WorkWindow.GRADED:
        return graded_assignments(client, courses, period.start if period else now - _LONGEST_AGO, now)
    if window in _BY_COURSE:
        return assignments_of_courses(client, courses, now, search if window is WorkWindow.ALL else "")
    assert period is not None
    return assignments_due_in(client, period, courses, now, active_courses)


def _fits(assignment: Assignment, window: WorkWindow, period: DateRange | None, kind: str | None, search: str) -> bool:
    due_at, has_state = assignment.due_at, _STATE_OF.get(window)
    is_inside = period is None or window is WorkWindow.GRADED or due_at is None or period.contains(due_at)
    is_found = not search or window is WorkWindow.ALL or contains_words(assignment.title, search)
    is_own = has_state is None or has_state(assignment)
    is_so = is_in_taught_window(assignment, window, period) if assignment.is_taught else is_own
    return is_so and is_inside and is_found and (kind is None or assignment.kind is AssignmentKind(kind))


def _about(kind: str | None, search: str) -> str:
    of_kind = f" of the kind “{kind.replace('_', ' ')}”" if kind else ""
    return of_kind + (f" with “{safe_line(search, 60)}”" if search else "")


def _whole_headline(
    teaching: TaughtCourses, window: WorkWindow, found: Sequence[Assignment], period: DateRange | None, about: str
) -> str:
    """Compose the headline for the user's own work, for what they teach, or for both."""
    own = [assignment for assignment in found if not assignment.is_taught]
    taught = [assignment for assignment in found if assignment.is_taught]
    told = _headline(window, own, period, about)
    if not teaching.courses or (teaching.takes_others and not taught):
        return told
    if teaching.takes_others:
        return f"{told}, and {len(taught)} in courses that the student teaches, {to_grade_text(taught)}"
    if window in (WorkWindow.OVERDUE, WorkWindow.UNSUBMITTED, WorkWindow.LATE, WorkWindow.GRADED):
        return "Nothing of the student's own to hand in"
    when = f" due {period}" if period else ""
    return (
        f"{count(len(taught), 'assignment')}{about}{when} in courses that the student teaches, {to_grade_text(taught)}"
    )


def _headline(window: WorkWindow, found: Sequence[Assignment], period: DateRange | None, about: str) -> str:
    number, ready = len(found), sum(assignment.is_handed_in for assignment in found)
    when = f", due {period}" if period else ""
    many = f"{count(number, 'assignment')}{about}"
    match window:
        case WorkWindow.UPCOMING | WorkWindow.RANGE:
            done = f", {ready} of them handed in already" if ready else ""
            return f"{many} due {period}{done}"
        case WorkWindow.PAST:
            return f"{many} that {'was' if number == 1 else 'were'} due {period}"
        case WorkWindow.OVERDUE:
            return f"{many} past due and not handed in{when}"
        case WorkWindow.UNSUBMITTED:
            return f"{many} not handed in{when}"
        case WorkWindow.WAITING:
            return f"{many} handed in and waiting for a grade{when}"
        case WorkWindow.GRADED:
            return f"{many} graded since {period.first:%a} {period.first.day} {period.first:%b %Y}" if period else many
        case WorkWindow.LATE:
            return f"{many} handed in late{when}"
        case WorkWindow.ALL:
            return f"{many} found{when}"
