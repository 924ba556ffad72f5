"""The tools about courses as a whole: which there are, and what was announced in them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import Field

from services.errors import PermissionMissing
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
from services.integrations.canvas.announcements import read_announcement
from services.integrations.canvas.assignment_tools import CourseWords
from services.integrations.canvas.client import CanvasClient, Gap, Json
from services.integrations.canvas.courses import Course, read_courses
from services.integrations.wording import count
from services.tools.base import Source, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_MOST_SHOWN = 20


@tool(label="Looking up your courses", category="courses", contexts=CONTEXTS, integration=ID)
def canvas_list_courses(context: ToolExecutionContext) -> ToolResult:
    """List the student's active courses in Canvas with code, term and teachers.

    Use it when the student asks about their courses as such. The other Canvas tools find a course by the student's own
    words, so there is no need to call this first. For grades use canvas_get_grades.
    """
    client = canvas_of(context)
    courses, closed = read_courses(client.courses(), client.origin)
    note = f"Note: Canvas keeps {count(closed, 'more course')} closed until its dates and does not name it."
    return ToolResult(
        output=lines(
            heading(count(len(courses), "active course"), context),
            *map(_course_line, courses),
            note if closed else "",
        ),
        data={"courses": [_course_data(course) for course in courses], "closed": closed},
        sources=tuple(Source(title=course.name, url=course.url) for course in courses),
    )


@tool(label="Reading announcements", category="courses", contexts=CONTEXTS, integration=ID)
def canvas_list_announcements(
    context: ToolExecutionContext,
    *,
    days: Annotated[int, Field(ge=1, le=120, description="How many days to look back.")] = 14,
    course: CourseWords = None,
) -> ToolResult:
    """List what instructors announced in the student's Canvas courses lately, newest first, with the text.

    Use it for news from courses: cancelled classes, changed rooms or deadlines, messages of a professor.
    """
    now, client = context.now(), canvas_of(context)
    courses = courses_of(client, course)
    rows, gaps = _announced(client, courses, now - timedelta(days=days), now)
    names = {f"course_{c.id}": c.name for c in courses}
    found, note = readable(rows, lambda row: read_announcement(row, names=names, origin=client.origin))
    found.sort(key=lambda one: one.posted_at or datetime.min.replace(tzinfo=UTC), reverse=True)
    shown = found[:_MOST_SHOWN]
    about = f" in {courses[0].name}" if course else ""
    headline = f"{count(len(found), 'announcement')} in the last {count(days, 'day')}{about}"
    return ToolResult(
        output=lines(
            heading(headline, context),
            *(one.line(context.timezone) for one in shown),
            cut_note(len(shown), len(found)),
            note,
            *gap_notes(gaps, "The announcements"),
        ),
        data={"announcements": [one.data() for one in shown], "total": len(found)},
        sources=tuple(Source(title=one.title, url=one.url) for one in shown),
    )


def _announced(
    client: CanvasClient, courses: Sequence[Course], start: datetime, end: datetime
) -> tuple[list[Json], list[Gap]]:
    """Of all courses in one go; when one of them is closed to the student Canvas refuses all, so then one by one."""
    if not courses:
        return [], []
    try:
        return client.announcements([course.id for course in courses], start, end), []
    except PermissionMissing:
        read, gaps = client.each(courses, lambda course: client.announcements([course.id], start, end))
        return [row for rows in read for row in rows], gaps


def _course_line(course: Course) -> str:
    teachers = f"with {', '.join(course.teachers)}" if course.teachers else ""
    about = " — ".join(text for text in (course.code, course.term, teachers) if text)
    return f"- **{course.name}** — {about} — [open]({course.url}) (id: {course.id})"


def _course_data(course: Course) -> Json:
    return {"id": course.id, "name": course.name, "code": course.code, "term": course.term, "url": course.url}
