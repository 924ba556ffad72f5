"""Tools of the sample course: assignments, grades, announcements and the syllabus. All of them only read."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, days, moment, sentence
from services.integrations.sample_course.course import (
    ID,
    LABEL,
    SampleAssignment,
    SampleCourse,
    find_assignment,
    group_scores,
    overall_percent,
)
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.result_contracts import ANNOUNCEMENTS, ASSIGNMENTS
from services.tools.tool import Example

AHEAD = timedelta(days=14)
sample_tool = partial(tool, category="courses", contexts=("courses",), integration=ID)
_IN_WINDOW: dict[str, Callable[[SampleAssignment], bool]] = {
    "upcoming": lambda assignment: not assignment.is_late,
    "range": lambda _: True,
    "all": lambda _: True,
    "overdue": lambda assignment: assignment.is_open and assignment.is_late,
    "unsubmitted": lambda assignment: assignment.is_open,
    "graded": lambda assignment: assignment.score is not None,
}
_HEADLINES = {
    "overdue": "past due and not handed in",
    "unsubmitted": "not handed in",
    "graded": "graded",
    "all": "in all",
}


@sample_tool(
    label=gettext_noop("Looking into the sample course"),
    title=gettext_noop("Look up the sample course's assignments"),
    summary=gettext_noop("See what is due in the sample course"),
    produces=(ASSIGNMENTS,),
    usage_hint="Lists what is due in the sample course.",
    when=("the student tries Homeroom with the sample course",),
    when_not=("their own courses are connected",),
    examples=(
        Example(
            description="What is due this week?",
            arguments={"window": "range", "start": "2026-11-23", "end": "2026-11-29"},
        ),
        Example(description="What am I missing?", arguments={"window": "overdue"}),
    ),
)
def sample_list_assignments(
    context: ToolExecutionContext,
    *,
    window: Annotated[
        Literal["upcoming", "overdue", "unsubmitted", "graded", "range", "all"],
        Field(
            description="upcoming: due from now until end (default two weeks). overdue: past due, not handed in. "
            "unsubmitted: all not handed in. graded: what has a grade. range: due from start to end. "
            "all: for searching."
        ),
    ] = "upcoming",
    start: Annotated[date | None, Field(description="First day, for range.")] = None,
    end: Annotated[date | None, Field(description="Last day, included, for range.")] = None,
    search: Annotated[str, Field(max_length=100, description="Words of the title.")] = "",
) -> ToolResult:
    """List the assignments, quizzes and exams of the sample course, with due date, points and status.

    For anything due, missing or still to do there; for "this week" use window range with that week's days. The
    course is made up: always say that it is the sample course.
    """
    today = context.now().date()
    if window == "range" and (start is None or end is None or end < start):
        raise BadArguments(gettext("A range needs a start and an end that is not before it."), field="start")
    first, last = (start, end) if window == "range" else (None, None)
    if window == "upcoming":
        first, last = today, max(end or today + AHEAD, today)
    shown = [
        assignment
        for assignment in assignments_of(context)
        if _IN_WINDOW[window](assignment)
        and (first is None or last is None or first <= assignment.due_at.date() <= last)
        and search.casefold() in assignment.title.casefold()
    ]
    when = f"due {days(first, last)}" if first and last else _HEADLINES[window]
    return sample_result(
        context,
        f"{count(len(shown), 'assignment')} {when}",
        (assignment_line(assignment, context) for assignment in shown),
        data={"assignments": [assignment.data() for assignment in shown], "total": len(shown)},
    )


@sample_tool(
    label=gettext_noop("Reading an assignment of the sample course"),
    title=gettext_noop("Read an assignment of the sample course"),
    summary=gettext_noop("Read one assignment of the sample course"),
    usage_hint="Reads one assignment of the sample course.",
    when=("the student tries Homeroom with the sample course",),
    when_not=("their own courses are connected",),
    examples=(Example(description="What do I have to do for Lab 3?", arguments={"assignment": "Lab 3"}),),
)
def sample_get_assignment(
    context: ToolExecutionContext,
    *,
    assignment: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="Its id from sample_list_assignments, or words of its title.",
        ),
    ],
) -> ToolResult:
    """Read the instructions, due date, points and status of one assignment of the sample course, which is made up."""
    found = find_assignment(assignments_of(context), assignment)
    weight = course_of(context).weights[found.group]
    body = [
        assignment_line(found, context),
        "",
        f"Counts in {found.group}, which makes {weight}% of the grade.",
        *([f"Usually takes about {found.minutes} minutes."] if found.minutes and found.is_open else []),
        *([f"Instructions: {found.text}"] if found.text else []),
        *([f"Comment: {found.comment}"] if found.comment else []),
    ]
    data = {**found.data(), "instructions": found.text, "comment": found.comment, "group": found.group}
    return sample_result(context, "The assignment in full", body, data={"assignment": data})


@sample_tool(
    label=gettext_noop("Looking at the sample course's grades"),
    title=gettext_noop("Look at the sample course's grades"),
    summary=gettext_noop("See the grades in the sample course"),
    usage_hint="Shows the grades of the sample course.",
    when=("the student tries Homeroom with the sample course",),
    when_not=("their own courses are connected",),
    examples=(Example(description="How am I doing?", arguments={}),),
)
def sample_get_grades(context: ToolExecutionContext) -> ToolResult:
    """Tell the grades in the sample course: the score so far by weighted group,
    and each graded piece with its comment.

    The course is made up, and so are its grades.
    """
    course, work = course_of(context), assignments_of(context)
    groups, total = group_scores(work, course.weights), overall_percent(work, course.weights)
    body = [
        f"- **{group.name}** — {group.percent:.1f}% so far — counts {group.weight}% of the grade" for group in groups
    ]
    body += [
        assignment_line(assignment, context) + (f" — “{assignment.comment}”" if assignment.comment else "")
        for assignment in _graded(work)
    ]
    return sample_result(
        context,
        f"{course.name}: {total:.1f}% so far, over what is graded",
        body,
        data={
            "course": course.name,
            "percent": round(total, 1),
            "groups": [
                {"name": group.name, "percent": round(group.percent, 1), "weight": group.weight} for group in groups
            ],
            "graded": [
                {**assignment.data(), "score": assignment.score, "comment": assignment.comment}
                for assignment in _graded(work)
            ],
        },
    )


@sample_tool(
    label=gettext_noop("Reading the sample course's announcements"),
    title=gettext_noop("Read the sample course's announcements"),
    summary=gettext_noop("Read the announcements of the sample course"),
    produces=(ANNOUNCEMENTS,),
    usage_hint="Reads the announcements of the sample course.",
    when=("the student tries Homeroom with the sample course",),
    when_not=("their own courses are connected",),
    examples=(Example(description="Is there any news?", arguments={}),),
)
def sample_list_announcements(context: ToolExecutionContext) -> ToolResult:
    """Read the announcements of the sample course, the newest first. The course is made up."""
    course = course_of(context)
    found = course.announcements(context.connections[ID].connected_at, context.now())
    body = [
        f"- **{news.title}** — {course.name} — {moment(news.posted_at, context.timezone)} — {news.text} (id: {news.id})"
        for news in found
    ]
    data = [
        {
            "id": news.id,
            "course": course.name,
            "title": news.title,
            "text": news.text,
            "posted_at": news.posted_at.isoformat(),
            "is_sample": True,
        }
        for news in found
    ]
    return sample_result(context, count(len(found), "announcement"), body, data={"announcements": data})


@sample_tool(
    label=gettext_noop("Reading the sample course's syllabus"),
    title=gettext_noop("Read the sample course's syllabus"),
    summary=gettext_noop("Read what the sample course is about and how it is graded"),
    usage_hint="Reads what the sample course is about.",
    when=("the student tries Homeroom with the sample course",),
    when_not=("their own courses are connected",),
    examples=(Example(description="What about late work?", arguments={}),),
)
def sample_get_syllabus(context: ToolExecutionContext) -> ToolResult:
    """Read the syllabus of the sample course: what it is about, how it is graded, its rules and its readings.

    For late work, weights, office hours and what to read. The course is made up.
    """
    course = course_of(context)
    written, readings = course.written, list(course.readings())
    body = [
        f"{written['about']} Taught by {written['teacher']}.",
        *(f"- **{group}** — {weight}% of the grade" for group, weight in course.weights.items()),
        *(f"- {rule}" for rule in written["policies"]),
        *(f"- **{title}** — read it for {purpose}" for title, purpose in readings),
    ]
    data = {
        "course": course.name,
        "teacher": written["teacher"],
        "weights": course.weights,
        "policies": list(written["policies"]),
        "readings": [{"title": title, "for": purpose} for title, purpose in readings],
    }
    return sample_result(context, f"The syllabus of {course.name}", body, data=data)


def _graded(work: list[SampleAssignment]) -> list[SampleAssignment]:
    return [assignment for assignment in work if assignment.score is not None]


def course_of(context: ToolExecutionContext) -> SampleCourse:
    course: SampleCourse = context.client(ID)
    return course


def assignments_of(context: ToolExecutionContext) -> list[SampleAssignment]:
    """Assignments of the course, with the dates that they have for this student."""
    return course_of(context).assignments(context.connections[ID].connected_at, context.now())


def assignment_line(assignment: SampleAssignment, context: ToolExecutionContext) -> str:
    """List line of an assignment."""
    due = f"due {moment(assignment.due_at, context.timezone)}"
    facts = (assignment.kind, assignment.course, due, f"{assignment.points:g} points", assignment.status)
    return f"- **{assignment.title}** — {' — '.join(facts)} (id: {assignment.id})"


def sample_result(
    context: ToolExecutionContext,
    headline: str,
    body: Iterable[str],
    *,
    data: dict[str, Any],
) -> ToolResult:
    """Result of a tool; its first line names the sample course and the time, as every service's does.

    It has no sources, because no page of the course can be opened.
    """
    first = sentence(f"{headline} ({LABEL}, as of {clock(context.now())}).")
    return ToolResult(output="\n".join([first, *body]), data={**data, "is_sample": True})


SAMPLE_TOOLS = (
    sample_list_assignments,
    sample_get_assignment,
    sample_get_grades,
    sample_list_announcements,
    sample_get_syllabus,
)
