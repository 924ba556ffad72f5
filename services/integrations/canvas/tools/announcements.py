"""`canvas_list_announcements`: what instructors told their courses."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import Field

from services.errors import PermissionMissing
from services.i18n import gettext_noop
from services.i18n.english import count, cut_note
from services.integrations.canvas.access import (
    CONTEXTS,
    FRESH_S,
    ID,
    CourseWords,
    canvas_of,
    courses_of,
    gap_notes,
    result,
)
from services.integrations.canvas.announcements import read_announcement
from services.integrations.canvas.client import CanvasClient, Gap
from services.integrations.canvas.courses import Course
from services.integrations.canvas.payloads import Json, read_rows
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_MOST_SHOWN = 20


@tool(
    label=gettext_noop("Reading announcements"),
    title=gettext_noop("Read announcements"),
    summary=gettext_noop("Read what your instructors announced lately"),
    told=Told.SHARED,
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=(Example(description="Any news from calculus this week?", arguments={"course": "calc", "days": 7}),),
)
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
    found, note = read_rows(rows, lambda row: read_announcement(row, names=names, origin=client.origin))
    found.sort(key=lambda announcement: announcement.posted_at or datetime.min.replace(tzinfo=UTC), reverse=True)
    shown = found[:_MOST_SHOWN]
    about = f" in {courses[0].name}" if course else ""
    return result(
        context,
        f"{count(len(found), 'announcement')} in the last {count(days, 'day')}{about}",
        (announcement.line(context.timezone) for announcement in shown),
        remarks=[cut_note(len(shown), len(found))],
        notes=[note, *gap_notes(gaps, gettext_noop("The announcements"))],
        data={"announcements": [announcement.data() for announcement in shown], "total": len(found)},
        sources=[Source(title=announcement.title, url=announcement.url) for announcement in shown],
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
