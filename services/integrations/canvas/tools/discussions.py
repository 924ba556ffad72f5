"""`canvas_list_discussions`: what the courses discuss, and what is unread."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field

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
    members,
    result,
)
from services.integrations.canvas.courses import Course
from services.integrations.canvas.discussions import Topic, read_topic
from services.integrations.canvas.payloads import parts, read_rows
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_MOST_SHOWN = 40


@tool(
    label=gettext_noop("Looking up discussions"),
    title=gettext_noop("Look up discussions"),
    summary=gettext_noop("See the discussions in your courses and what is unread"),
    told=Told.PRIVATE,
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=(
        Example(
            description="Are there new posts in the writing class?", arguments={"course": "writing", "only": "unread"}
        ),
    ),
)
def canvas_list_discussions(
    context: ToolExecutionContext,
    *,
    course: CourseWords = None,
    only: Annotated[
        Literal["all", "unread"], Field(description="unread: only topics that are new or have unread posts.")
    ] = "all",
) -> ToolResult:
    """List discussion topics of the student's Canvas courses: due date, number of posts, how many are unread.

    Use it for forums and discussion boards; to read one use canvas_get_discussion. Name the course when it is known:
    all courses take a request each.
    """
    client = canvas_of(context)
    courses = courses_of(client, course)

    def read(its_course: Course) -> tuple[list[Topic], str]:
        rows = client.discussions(its_course.id)
        people = members(its_course, parts([row.get("author") for row in rows]))
        return read_rows(
            rows,
            lambda row: read_topic(
                row, course=its_course.name, course_id=its_course.id, people=people, origin=client.origin
            ),
        )

    read_ones, gaps = client.each(courses, read)
    found = [topic for topics, _ in read_ones for topic in topics if only == "all" or topic.unread or topic.is_new]
    found.sort(key=lambda topic: topic.latest_at or datetime.min.replace(tzinfo=UTC), reverse=True)
    shown = found[:_MOST_SHOWN]
    about = f" in {courses[0].name}" if course else ""
    return result(
        context,
        f"{count(len(found), 'unread discussion' if only == 'unread' else 'discussion')}{about}",
        (topic.line(context.timezone) for topic in shown),
        remarks=[cut_note(len(shown), len(found))],
        notes=[*(note for _, note in read_ones), *gap_notes(gaps, gettext_noop("The discussions"))],
        data={"discussions": [topic.data() for topic in shown], "total": len(found)},
        sources=[Source(title=topic.title, url=topic.url) for topic in shown],
    )
