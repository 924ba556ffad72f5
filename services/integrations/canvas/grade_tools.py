"""The tool about grades: where the student stands in every course, or item by item in one."""

from collections.abc import Sequence

from services.integrations.canvas.access import CONTEXTS, ID, canvas_of, courses_of, heading, lines, readable
from services.integrations.canvas.assignment_tools import CourseWords
from services.integrations.canvas.assignments import Assignment, by_due_date, from_assignment
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.wording import count
from services.tools.base import Source, ToolExecutionContext, ToolResult
from services.tools.decorator import tool


@tool(label="Looking up grades", category="courses", contexts=CONTEXTS, integration=ID)
def canvas_get_grades(context: ToolExecutionContext, *, course: CourseWords = None) -> ToolResult:
    """Show the student's current grades in Canvas: the total of every course, or each graded item of one course.

    Scores are as Canvas counts them now, from what is graded so far. Only the student's own grades can be seen.
    """
    client = canvas_of(context)
    courses = courses_of(client, course)
    if course:
        return _of_one(context, client, courses[0])
    return ToolResult(
        output=lines(
            heading(f"Current grades in {count(len(courses), 'course')}", context), *map(_course_line, courses)
        ),
        data={"courses": [_course_data(course) for course in courses]},
        sources=_sources(courses),
    )


def _of_one(context: ToolExecutionContext, client: CanvasClient, course: Course) -> ToolResult:
    now = context.now()
    rows = client.assignments(course.id)
    found, note = readable(
        rows, lambda row: from_assignment(row, course="", origin=client.origin, now=now) if _is_graded(row) else None
    )
    found.sort(key=by_due_date)
    headline = f"{course.name}: {_standing(course)}, {count(len(found), 'graded item')}"
    return ToolResult(
        output=lines(heading(headline, context), *(one.line(context.timezone) for one in found), note),
        data={**_course_data(course), "graded": [_graded_data(one) for one in found]},
        sources=(*_sources([course]), *(Source(title=one.title, url=one.url) for one in found)),
    )


def _is_graded(row: dict[str, object]) -> bool:
    submission = row.get("submission")
    return isinstance(submission, dict) and (submission.get("score") is not None or bool(submission.get("excused")))


def _standing(course: Course) -> str:
    if course.hides_grades:
        return "the instructor hides the total"
    if course.score is None:
        return "nothing counts yet"
    return f"{course.score:g} %{f' ({course.grade})' if course.grade else ''} now"


def _course_line(course: Course) -> str:
    return f"- **{course.name}** — {_standing(course)} — [open]({course.url}/grades) (id: {course.id})"


def _course_data(course: Course) -> dict[str, object]:
    return {"id": course.id, "course": course.name, "score": course.score, "grade": course.grade, "url": course.url}


def _graded_data(one: Assignment) -> dict[str, object]:
    return {"id": one.id, "title": one.title, "status": one.status, "points": one.points, "url": one.url}


def _sources(courses: Sequence[Course]) -> tuple[Source, ...]:
    return tuple(Source(title=f"Grades in {course.name}", url=f"{course.url}/grades") for course in courses)
