"""Tool that reads one assignment in full, with the student's submission and the teacher's comments."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field

from services.i18n import gettext_noop
from services.integrations.canvas.access import (
    CourseFilter,
    canvas_client,
    canvas_tool,
    course_members,
    find_courses,
    gap_notes,
    tool_result,
)
from services.integrations.canvas.assignment_details import (
    comments_of,
    fact_lines,
    group_text,
    instruction_lines,
    late_line,
    rubric_lines,
    share_line,
    statistics_of,
)
from services.integrations.canvas.assignment_queries import with_time_limits
from services.integrations.canvas.assignments import Assignment, from_assignment, from_taught_assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.payloads import Json, is_id, read_time, safe_line
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches, near_matches
from services.integrations.kit.payloads import payload_guard as answer_read
from services.llm.citations import Source
from services.safety.field_log import looked_through
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

_EXAMPLES = (
    Example(description="Did I hand in the lab report?", arguments={"assignment": "lab report", "course": "bio"}),
    Example(description="What is the rubric for essay 3?", arguments={"assignment": "essay 3", "course": "writing"}),
)
_CAN_WAIT = "The comments and the rubric"


@canvas_tool(
    label=gettext_noop("Reading the assignment"),
    title=gettext_noop("Read an assignment"),
    summary=gettext_noop("Read one assignment in full, with its rubric and how yours stands"),
    usage_hint="Reads one assignment in full: instructions, rubric, comments, how it was handed in.",
    when=("details of one assignment are asked for",),
    when_not=("a list of what is due is enough",),
    examples=_EXAMPLES,
)
def canvas_get_assignment(
    context: ToolExecutionContext,
    *,
    assignment: Annotated[
        str, Field(min_length=1, max_length=200, description='Its id, or words of its title, like "lab report 6".')
    ],
    course: CourseFilter = None,
) -> ToolResult:
    """Read one Canvas assignment in full: instructions, due date, points, rubric, how to hand it in, how it stands.

    Also attempts, the teacher's comments, a time estimate, and the class's mean, lowest and highest score where
    shown. Name the course too when it is known.
    """
    now, client = context.now(), canvas_client(context)
    with looked_through():
        courses = find_courses(client, course)
        row, its_course, notes = _the_one(client, courses, assignment, context.timezone)
    told = from_taught_assignment if its_course.is_taught else from_assignment
    with answer_read(LABEL):
        wanted = told({**row, "course_id": its_course.id}, course=its_course.name, origin=client.origin, now=now)
    (wanted,) = with_time_limits(client, [wanted])
    submission, groups, gaps = _more(client, its_course, wanted.id)
    comments = comments_of(submission, course_members(its_course))
    statistics = statistics_of(row)
    return tool_result(
        context,
        "The assignment in full",
        [
            wanted.line(context.timezone),
            *fact_lines(row, submission, group_text(row, groups), context.timezone),
            *filter(None, [_share(groups, its_course, wanted, now), late_line(row, wanted, now, context.timezone)]),
            *([_effort_line(wanted)] if wanted.needs_work(now) else []),
            *([statistics.line()] if statistics else []),
            *(comment.line(context.timezone) for comment in comments),
            *rubric_lines(row.get("rubric"), submission.get("rubric_assessment")),
            *instruction_lines(row),
        ],
        notes=[*notes, *gaps],
        data={
            **wanted.data(),
            "minutes": wanted.minutes,
            "submitted_at": submission.get("submitted_at"),
            "attempt": submission.get("attempt"),
            "attempts_allowed": row.get("allowed_attempts"),
            "comments": [{"by": comment.by, "text": comment.text} for comment in comments],
            "class": statistics.data() if statistics else None,
        },
        sources=[Source(title=wanted.title, url=wanted.url)],
    )


def _effort_line(wanted: Assignment) -> str:
    based_on = "" if wanted.time_limit else ", by Homeroom's rule of thumb"
    return f"- Likely to take {wanted.effort}{based_on}"


def _share(groups: Sequence[Json], course: Course, wanted: Assignment, now: datetime) -> str:
    return "" if course.is_taught else share_line(groups, wanted.id, is_weighted=course.is_weighted, now=now)


def _more(client: CanvasClient, course: Course, assignment_id: int) -> tuple[Json, list[Json], list[str]]:
    """Read the student's submission and the course's groups in parallel; the result can do without either."""
    parts: dict[str, Any] = {"submission": {}, "groups": []}
    readers: dict[str, Callable[[], Any]] = {
        "submission": lambda: client.submission(course.id, assignment_id),
        "groups": lambda: client.groups(course.id) if course.is_taught else client.assignment_groups(course.id),
    }
    if course.is_taught:
        del readers["submission"]
    read, gaps = client.try_each(list(readers), lambda name: (name, readers[name]()))
    parts.update(read)
    notes = [f"Note: {_CAN_WAIT} could not be read. {gap.reason}" for gap in gaps if gap.of == "submission"]
    return parts["submission"], parts["groups"], notes


def _the_one(
    client: CanvasClient, courses: Sequence[Course], wanted: str, zone: ZoneInfo
) -> tuple[Json, Course, list[str]]:
    """Find the assignment that is meant, with its course and notes; raises `BadArguments` with the choices."""
    wanted = wanted.strip()
    found: list[tuple[Json, Course]] = []
    if wanted.isdecimal():
        found, _ = client.read_each(courses, lambda course: (client.assignment(course.id, int(wanted)), course))
    if len(found) == 1:
        return (*found[0], [])
    read, gaps = client.read_each(courses, lambda course: [(row, course) for row in _rows(client, course)])
    rows = [pair for pairs in read for pair in pairs]
    found = best_matches(rows, wanted, _names, place=lambda pair: (pair[1].name, pair[1].code))
    notes = gap_notes(gaps, gettext_noop("The assignments"))
    if len(found) == 1:
        return (*found[0], notes)
    if found:
        raise several_fit("assignment", wanted, _choices(found, zone))
    near = near_matches(rows, wanted, _names)
    raise none_fits("assignment", wanted, _choices(rows, zone), near=_choices(near, zone), note=" ".join(notes))


def _rows(client: CanvasClient, course: Course) -> list[Json]:
    return [row for row in client.assignments(course.id, statistics=True) if is_id(row.get("id"))]


def _names(pair: tuple[Json, Course]) -> tuple[str]:
    return (str(pair[0].get("name") or ""),)


def _choices(found: Sequence[tuple[Json, Course]], zone: ZoneInfo) -> list[NameChoice]:
    due = [read_time(row.get("due_at"))[0] for row, _ in found]
    return [
        NameChoice(
            name=safe_line(row.get("name")), id=row.get("id"), place=course.name, at=at.astimezone(zone) if at else None
        )
        for (row, course), at in zip(found, due, strict=True)
    ]
