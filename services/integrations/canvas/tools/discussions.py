"""Tools that list discussions and read one."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import Field

from services.errors import PermissionMissing, ServiceUnavailable
from services.i18n import gettext_noop
from services.i18n.english import count, cut_note
from services.integrations.canvas.access import (
    CourseFilter,
    canvas_client,
    canvas_tool,
    course_members,
    find_courses,
    gap_notes,
    quoted_lines,
    tool_result,
)
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.discussions import DiscussionPost, DiscussionTopic, read_posts, read_topic
from services.integrations.canvas.payloads import Json, is_id, objects_of, read_rows, safe_line
from services.integrations.canvas.people import CLASSMATE, STUDENT
from services.integrations.kit.name_choices import NameChoice, none_fits, several_fit
from services.integrations.kit.name_matcher import best_matches, near_matches
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.result_contracts import DISCUSSIONS
from services.tools.tool import Example

_MOST_TOPICS = 40
_MOST_POSTS = 60
_POST_EXAMPLES = (
    Example(description="What did I write about HeLa?", arguments={"topic": "HeLa", "course": "bio", "posts": "mine"}),
)


@canvas_tool(
    label=gettext_noop("Looking up discussions"),
    title=gettext_noop("Look up discussions"),
    summary=gettext_noop("See the discussions in your courses and what is unread"),
    produces=(DISCUSSIONS,),
    usage_hint="Lists discussions of courses, and what is unread.",
    when=("the student asks what is being discussed or must be answered",),
    when_not=("the posts of one discussion are asked for",),
    examples=(
        Example(
            description="Are there new posts in the writing class?", arguments={"course": "writing", "only": "unread"}
        ),
    ),
)
def canvas_list_discussions(
    context: ToolExecutionContext,
    *,
    course: CourseFilter = None,
    only: Annotated[Literal["all", "unread"], Field(description="unread: only those with something unread.")] = "all",
) -> ToolResult:
    """List discussion topics of the student's Canvas courses: due date, number of posts, how many are unread.

    Name the course when it is known: all courses take a request each.
    """
    client = canvas_client(context)
    courses = find_courses(client, course)

    def read(its_course: Course) -> tuple[list[DiscussionTopic], str]:
        rows = client.discussions(its_course.id)
        people = course_members(its_course, objects_of([row.get("author") for row in rows]))
        return read_rows(rows, lambda row: read_topic(row, course=its_course, people=people, origin=client.origin))

    listed, gaps = client.read_each(courses, read)
    found = [topic for topics, _ in listed for topic in topics if only == "all" or topic.unread or topic.is_new]
    found.sort(key=lambda topic: topic.latest_at or datetime.min.replace(tzinfo=UTC), reverse=True)
    shown = found[:_MOST_TOPICS]
    about = f" in {courses[0].name}" if course else ""
    return tool_result(
        context,
        f"{count(len(found), 'unread discussion' if only == 'unread' else 'discussion')}{about}",
        (topic.line(context.timezone) for topic in shown),
        remarks=[cut_note(len(shown), len(found))],
        notes=[*(note for _, note in listed), *gap_notes(gaps, gettext_noop("The discussions"))],
        data={"discussions": [topic.data() for topic in shown], "total": len(found)},
        sources=[Source(title=topic.title, url=topic.url) for topic in shown],
    )


@canvas_tool(
    label=gettext_noop("Reading the discussion"),
    title=gettext_noop("Read a discussion"),
    summary=gettext_noop("Read a discussion: the question and what was posted"),
    usage_hint="Reads one discussion: its question and what was posted.",
    when=("the student asks what a discussion is about or what others wrote",),
    when_not=("it is not known yet which discussions there are",),
    examples=_POST_EXAMPLES,
)
def canvas_get_discussion(
    context: ToolExecutionContext,
    *,
    topic: Annotated[str, Field(min_length=1, max_length=200, description="Its id, or words of its title.")],
    course: CourseFilter = None,
    posts: Annotated[
        Literal["all", "mine", "unread"], Field(description="mine: only the student's own posts.")
    ] = "all",
) -> ToolResult:
    """Read one Canvas discussion: what it asks and the posts in it. Classmates are never named.

    For "what is the forum about", "did I post", "what did the professor answer".
    """
    client = canvas_client(context)
    row, its_course, missing = _find_topic(client, find_courses(client, course), topic)
    view, note = _posts_view(client, its_course, row)
    people = course_members(its_course, [*objects_of(view.get("participants")), *objects_of([row.get("author")])])
    discussion = read_topic(row, course=its_course, people=people, origin=client.origin)
    written = read_posts(view, people)
    asked = [post for post in written if posts == "all" or (post.by == STUDENT if posts == "mine" else post.is_unread)]
    shown = asked[-_MOST_POSTS:]
    opening = f"{'Asked' if discussion.by != CLASSMATE else 'Written'} by {discussion.by}:"
    question = [people.without_names(line) for line in quoted_lines(row.get("message"), opening, "There is no text.")]
    return tool_result(
        context,
        _discussion_headline(written),
        [discussion.line(context.timezone), *question, *(post.line(context.timezone) for post in shown)],
        remarks=[cut_note(len(shown), len(asked))],
        notes=[note, *missing],
        data={**discussion.data(), "written_by_you": sum(post.by == STUDENT for post in written), "shown": len(shown)},
        sources=[Source(title=discussion.title, url=discussion.url)],
    )


def _posts_view(client: CanvasClient, course: Course, row: Json) -> tuple[Json, str]:
    """Read the posts; none, with a note, where the student must write first or Canvas has not put them together yet."""
    if row.get("require_initial_post") and row.get("user_can_see_posts") is False:
        return {}, "Note: the others' posts open once the student has written one."
    try:
        return client.discussion_posts(course.id, int(row["id"])), ""
    except (PermissionMissing, ServiceUnavailable) as problem:
        return {}, f"Note: the posts are missing here. {problem}"


def _discussion_headline(written: Sequence[DiscussionPost]) -> str:
    mine, new = sum(post.by == STUDENT for post in written), sum(post.is_unread for post in written)
    facts = [
        count(len(written), "post"),
        f"{mine} of them the student's own" if mine else "none of them the student's own",
        f"{new} unread" if new else "",
    ]
    return f"The discussion, with {', '.join(fact for fact in facts if fact)}"


def _find_topic(client: CanvasClient, courses: Sequence[Course], wanted: str) -> tuple[Json, Course, Sequence[str]]:
    """Find the topic that is meant, with its course and notes; raises `BadArguments` with the choices."""

    def read(course: Course) -> list[tuple[Json, Course]]:
        return [(row, course) for row in client.discussions(course.id) if is_id(row.get("id"))]

    listed, gaps = client.read_each(courses, read)
    topics = [pair for pairs in listed for pair in pairs]
    by_id = [pair for pair in topics if str(pair[0]["id"]) == wanted.strip()]
    found = by_id or best_matches(topics, wanted, _names, place=lambda pair: (pair[1].name, pair[1].code))
    notes = gap_notes(gaps, gettext_noop("The discussions"))
    if len(found) == 1:
        return (*found[0], notes)
    if found:
        raise several_fit("topic", wanted, _choices(found))
    near = near_matches(topics, wanted, _names)
    raise none_fits("topic", wanted, _choices(topics), near=_choices(near), note=" ".join(notes))


def _choices(topics: Sequence[tuple[Json, Course]]) -> list[NameChoice]:
    return [NameChoice(name=_title(row, course), id=row["id"], place=course.name) for row, course in topics]


def _title(row: Json, course: Course) -> str:
    return course_members(course, objects_of([row.get("author")])).without_names(safe_line(row.get("title")))


def _names(topic: tuple[Json, Course]) -> tuple[str]:
    return (str(topic[0].get("title") or ""),)
