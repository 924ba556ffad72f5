"""Tools that list courses and read a syllabus."""

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import count, day
from services.integrations.canvas.access import (
    RequiredCourse,
    canvas_client,
    canvas_tool,
    quoted_lines,
    require_course,
    tool_result,
)
from services.integrations.canvas.courses import Course, read_courses
from services.integrations.canvas.payloads import Json
from services.llm.citations import Source
from services.safety.field_log import looked_through
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

_LONGEST = 16_000
_NOTHING = "Canvas has no syllabus text for this course. It may be a file: look at its page or its modules."


@canvas_tool(
    label=gettext_noop("Looking up your courses"),
    title=gettext_noop("Look up your courses"),
    summary=gettext_noop("See your active courses and who teaches them"),
    usage_hint="Lists active courses and who teaches them.",
    when=("the student asks for their courses or an instructor", "a course must be named exactly"),
    when_not=("the question is about one known course",),
    examples=(
        Example(description="Which courses do I have?", arguments={}),
        Example(description="Which courses did I take before?", arguments={"past": True}),
    ),
)
def canvas_list_courses(
    context: ToolExecutionContext,
    *,
    past: Annotated[bool, Field(description="Courses of earlier terms instead.")] = False,
) -> ToolResult:
    """List the student's active courses in Canvas with code, teachers and the end of term.

    The other Canvas tools find a course by the student's own words: no need to call this first.
    """
    client = canvas_client(context)
    courses, closed = read_courses(client.courses("completed" if past else "active"), client.origin)
    note = f"Note: Canvas keeps {count(closed, 'more course')} closed until its dates and does not name it."
    return tool_result(
        context,
        count(len(courses), "past course" if past else "active course"),
        (_line(course, context) for course in courses),
        remarks=[note if closed else ""],
        data={"courses": [_data(course, context) for course in courses], "closed": closed},
        sources=[Source(title=course.name, url=course.url) for course in courses],
    )


def _line(course: Course, context: ToolExecutionContext) -> str:
    teachers = f"with {', '.join(course.teachers)}" if course.teachers else ""
    last = _last_day(course, context)
    until = f"{course.term} until {day(last)}".strip() if last else course.term
    role = (
        "taught by the student" if "teacher" in course.roles else "the student assists (TA)" if course.is_taught else ""
    )
    code = "" if course.code in course.name else course.code
    about = " — ".join(text for text in (code, until, role or teachers) if text)
    return f"- **{course.name}** — {about} — [open]({course.url}) (id: {course.id})"


def _last_day(course: Course, context: ToolExecutionContext) -> date | None:
    """Last day of the term in the student's zone; a term often ends with the midnight after it."""
    if course.ends_at is None:
        return None
    return (course.ends_at - timedelta(seconds=1)).astimezone(context.timezone).date()


def _data(course: Course, context: ToolExecutionContext) -> Json:
    last = _last_day(course, context)
    facts: Json = {"id": course.id, "name": course.name, "code": course.code, "term": course.term, "url": course.url}
    facts |= {"roles": list(course.roles)} if course.is_taught else {}
    return {**facts, "ends_on": last.isoformat() if last else None}


@canvas_tool(
    label=gettext_noop("Reading the syllabus"),
    title=gettext_noop("Read a syllabus"),
    summary=gettext_noop("Read a course's rules, grading policy and office hours"),
    usage_hint="Reads a course's rules, grading policy and office hours.",
    when=("the student asks about late work, weights, attendance or office hours",),
    when_not=("a due date is asked for: assignments are more exact",),
    examples=(Example(description="What does biology say about late work?", arguments={"course": "biology"}),),
)
def canvas_get_syllabus(context: ToolExecutionContext, *, course: RequiredCourse) -> ToolResult:
    """Read a course's syllabus in Canvas: rules for late work, grading policy,
    office hours, what the course is about.
    """
    client = canvas_client(context)
    with looked_through():
        its_course = require_course(client, course)
    body = client.course(its_course.id).get("syllabus_body")
    url = f"{its_course.url}/assignments/syllabus"
    text = quoted_lines(body, "As the instructor wrote it:", _NOTHING, limit=_LONGEST)
    return tool_result(
        context,
        f"The syllabus of {its_course.name}" if text != [_NOTHING] else f"No syllabus text in {its_course.name}",
        [f"- **Syllabus of {its_course.name}** — [open]({url}) (id: {its_course.id})", *text],
        data={"course": its_course.name, "course_id": its_course.id, "syllabus": "\n".join(text), "url": url},
        sources=[Source(title=f"Syllabus of {its_course.name}", url=url)],
    )
