"""Shared parts of the Canvas tools: access to the student's client, course arguments, results and notes."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from services.i18n import gettext
from services.i18n.english import clock, sentence
from services.integrations.canvas.client import CanvasClient, MissingPart
from services.integrations.canvas.courses import Course, find_course, read_courses
from services.integrations.canvas.payloads import Json
from services.integrations.canvas.people import CourseMembers, members_of
from services.llm.citations import Source
from services.safety.html import html_to_text
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult

ID = "canvas"
FRESH_S = 60.0
"""Cache lifetime of an answer: a student who looks twice in a minute asks Canvas once."""
canvas_tool = partial(tool, category="courses", contexts=("courses",), integration=ID, fresh_for_s=FRESH_S)
planner_tool = partial(canvas_tool, contexts=("courses", "planner"))
"""Decorators of the Canvas tools: for questions about courses, and also for planning."""

CourseFilter = Annotated[
    str | None,
    Field(max_length=200, description='In the student\'s words, like "bio", or its name, code or id.'),
]
RequiredCourse = Annotated[
    str,
    Field(
        min_length=1,
        max_length=200,
        description='In the student\'s words, like "bio", or its name, code or id.',
    ),
]
_LONGEST_QUOTE = 8000


def canvas_client(context: ToolExecutionContext) -> CanvasClient:
    """Canvas client of the student, with a fresh deadline for this call."""
    client: CanvasClient = context.client(ID)
    return client


def find_courses(client: CanvasClient, wanted: str | None) -> list[Course]:
    """Find the named course, past courses included, or all active ones; raises `BadArguments` with the choices."""
    courses, _ = read_courses(client.courses(), client.origin)
    if not wanted:
        return courses
    return [find_course(courses, wanted, lambda: read_courses(client.courses("completed"), client.origin)[0])]


def require_course(client: CanvasClient, wanted: str) -> Course:
    """Find the course that was named; raises `BadArguments` with the choices."""
    return find_courses(client, wanted)[0]


def course_members(course: Course, writers: Iterable[Json] = ()) -> CourseMembers:
    """Members of a course; `writers` are people seen there, each with `id` and `display_name`."""
    teachers = zip(course.teacher_ids, course.teachers, strict=False)
    return members_of(teachers, writers, course.own_id)


def heading(text: str, context: ToolExecutionContext) -> str:
    """Format the first line of an output: what it is, from where and as of when."""
    return sentence(f"{text} (Canvas, as of {clock(context.now())}).")


def tool_result(
    context: ToolExecutionContext,
    headline: str,
    body: Iterable[str],
    *,
    data: Json,
    sources: Iterable[Source],
    notes: Iterable[str] = (),
    remarks: Iterable[str] = (),
) -> ToolResult:
    """Build a tool's result: the headline with its time, the lines, remarks, and notes on what is missing.

    notes make it partial, remarks do not. Each page is a source once.
    """
    missing, said = [note for note in notes if note], [remark for remark in remarks if remark]
    return ToolResult(
        output=join_lines(heading(headline, context), *body, *said, *missing),
        data={**data, "notes": [note.removeprefix("Note: ") for note in missing]},
        sources=tuple({source.url: source for source in sources}.values()),
        is_partial=bool(missing),
    )


def gap_notes(gaps: Sequence[MissingPart], what: str) -> list[str]:
    """Format a note for each course that is missing from a partial result."""
    return [f"Note: {_gap(gap, what)}" for gap in gaps]


def _gap(gap: MissingPart, what: str) -> str:
    return gettext(
        "{what} of {course} are missing here. {reason}", what=gettext(what), course=gap.of.name, reason=gap.reason
    )


def join_lines(*parts: Any) -> str:
    """Join the lines of an output; empty lines are left out."""
    return "\n".join(str(part) for part in parts if part)


def quoted_lines(html: Any, opening: str, nothing: str, limit: int = _LONGEST_QUOTE) -> list[str]:
    """Convert rich text (HTML) to plain quoted lines under a line that names its author."""
    text = html_to_text(html if isinstance(html, str) else "", limit=limit).replace("](", "] (")
    return [opening, *(f"> {line}".rstrip() for line in text.split("\n"))] if text else [nothing]
