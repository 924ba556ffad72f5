"""`canvas_get_discussion`: one discussion with its posts, the student's own and the others'."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from services.errors import BadArguments, ItemNotFound, PermissionMissing, ServiceUnavailable
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, cut_note
from services.integrations.canvas.access import (
    CONTEXTS,
    FRESH_S,
    ID,
    OneCourse,
    canvas_of,
    members,
    quoted,
    result,
    the_course,
)
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.discussions import Post, Topic, read_posts, read_topic
from services.integrations.canvas.errors import LABEL
from services.integrations.canvas.name_matching import best
from services.integrations.canvas.payloads import Json, flat, is_id, parts
from services.integrations.canvas.people import CLASSMATE
from services.integrations.kit import localized
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_MOST_SHOWN = 60
_EXAMPLES = (
    Example(description="What did I write about HeLa?", arguments={"topic": "HeLa", "course": "bio", "posts": "mine"}),
)


@tool(
    label=gettext_noop("Reading the discussion"),
    title=gettext_noop("Read a discussion"),
    summary=gettext_noop("Read a discussion: the question and what was posted"),
    told=Told.MIXED,
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=_EXAMPLES,
)
def canvas_get_discussion(
    context: ToolExecutionContext,
    *,
    topic: Annotated[str, Field(min_length=1, max_length=200, description="Words of its title, or its id.")],
    course: OneCourse,
    posts: Annotated[
        Literal["all", "mine", "unread"], Field(description="Which posts: all, only the student's own, or only unread.")
    ] = "all",
) -> ToolResult:
    """Read one Canvas discussion: what it asks and the posts in it. Classmates are never named.

    Use it for "what is the forum about", "did I post", "what did the professor answer". It cannot post anything.
    """
    client = canvas_of(context)
    its_course = the_course(client, course)
    row = _the_one(client.discussions(its_course.id), topic)
    view, note = _view(client, its_course, row)
    people = members(its_course, [*parts(view.get("participants")), *parts([row.get("author")])])
    discussion = read_topic(row, course=its_course.name, course_id=its_course.id, people=people, origin=client.origin)
    written = read_posts(view, people)
    asked = [post for post in written if posts == "all" or (post.by == "you" if posts == "mine" else post.is_unread)]
    shown = asked[-_MOST_SHOWN:]
    opening = f"{'Asked' if discussion.by != CLASSMATE else 'Written'} by {discussion.by}:"
    question = [people.without_names(line) for line in quoted(row.get("message"), opening, "There is no text.")]
    return result(
        context,
        _headline(discussion, written),
        [discussion.line(context.timezone), *question, *(post.line(context.timezone) for post in shown)],
        remarks=[cut_note(len(shown), len(asked))],
        notes=[note],
        data={**discussion.data(), "written_by_you": sum(post.by == "you" for post in written), "shown": len(shown)},
        sources=[Source(title=discussion.title, url=discussion.url)],
    )


def _view(client: CanvasClient, course: Course, row: Json) -> tuple[Json, str]:
    """The posts; none, and a note, where the student must write first, or Canvas has not put them together yet."""
    if row.get("require_initial_post") and row.get("user_can_see_posts") is False:
        return {}, "Note: the others' posts open once the student has written one."
    try:
        return client.posts(course.id, int(row["id"])), ""
    except (PermissionMissing, ServiceUnavailable) as problem:
        return {}, f"Note: the posts are missing here. {problem}"


def _headline(discussion: Topic, written: Sequence[Post]) -> str:
    mine, new = sum(post.by == "you" for post in written), sum(post.is_unread for post in written)
    facts = [count(len(written), "post"), f"{mine} by you", f"{new} unread" if new else ""]
    return f"“{discussion.title}” in {discussion.course}: {', '.join(fact for fact in facts if fact)}"


def _the_one(rows: Sequence[Json], wanted: str) -> Json:
    rows = [row for row in rows if is_id(row.get("id"))]
    by_id = [row for row in rows if str(row["id"]) == wanted.strip()]
    found = by_id or best(rows, wanted, lambda row: (str(row.get("title") or ""),))
    if len(found) == 1:
        return found[0]
    if found:
        choices = "; ".join(f"{flat(row.get('title'))} (id {row.get('id')})" for row in found[:8])
        raise BadArguments(
            f"More than one discussion fits: {choices}. Give the id.",
            field="topic",
            said=gettext(
                "More than one discussion fits: {choices}.",
                choices=localized.list_choices([(flat(row.get("title")), row.get("id")) for row in found]),
            ),
        )
    raise ItemNotFound(
        LABEL, gettext("No discussion of this course is called that."), next_step=gettext("List the discussions first.")
    )
