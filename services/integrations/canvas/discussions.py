"""Discussion topics and posts, with classmates' names removed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import count, moment
from services.integrations.canvas.courses import Course
from services.integrations.canvas.payloads import (
    Row,
    canvas_link,
    id_of,
    integers_of,
    is_id,
    number_of,
    object_of,
    objects_of,
    read_time,
    safe_line,
)
from services.integrations.canvas.people import CourseMembers
from services.safety.html import html_to_text

_LONGEST_POST = 1500


@dataclass(frozen=True, kw_only=True)
class DiscussionTopic:
    """Discussion topic. unread: posts not read yet. is_new: the topic itself has not been opened.

    due_at: None without a date. must_post_first: the others' posts are closed until the student wrote one.
    """

    id: int
    course_id: int
    course: str
    title: str
    by: str
    url: str
    posts: int
    unread: int
    is_new: bool
    due_at: datetime | None
    latest_at: datetime | None
    points: float | None
    must_post_first: bool
    is_closed: bool

    def line(self, zone: ZoneInfo) -> str:
        """Format as a line of a tool's output."""
        facts = [
            self.course,
            f"started by {self.by}",
            f"due {moment(self.due_at, zone)}" if self.due_at else "",
            f"{self.points:g} points" if self.points is not None else "",
            count(self.posts, "post"),
            f"{self.unread} unread" if self.unread else "not opened yet" if self.is_new else "",
            "post first to see the others" if self.must_post_first else "",
            "closed" if self.is_closed else "",
        ]
        return f"- **{self.title}** — {' — '.join(fact for fact in facts if fact)} — [open]({self.url}) (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """Convert to JSON."""
        due_at, latest_at = (at.astimezone(UTC).isoformat() if at else None for at in (self.due_at, self.latest_at))
        facts = {"id": self.id, "course": self.course, "title": self.title, "started_by": self.by, "url": self.url}
        return {
            **facts,
            "posts": self.posts,
            "unread": self.unread,
            "is_new": self.is_new,
            "due_at": due_at,
            "latest_at": latest_at,
        }


@dataclass(frozen=True, kw_only=True)
class DiscussionPost:
    """Post. by: "the student", a teacher's name or "a classmate". depth: its level in the tree of replies."""

    id: int
    by: str
    text: str
    at: datetime | None
    depth: int
    is_unread: bool

    def line(self, zone: ZoneInfo) -> str:
        when = f", {moment(self.at, zone)}" if self.at else ""
        new = " (unread)" if self.is_unread else ""
        return f"{'  ' * min(self.depth, 4)}- {self.by}{when}{new}: “{self.text}”"


def read_topic(row: Row, *, course: Course, people: CourseMembers, origin: str) -> DiscussionTopic:
    """Read a topic: https://developerdocs.instructure.com/services/canvas/resources/discussion_topics"""
    assignment, author = object_of(row.get("assignment")), object_of(row.get("author"))
    return DiscussionTopic(
        id=id_of(row.get("id")),
        course_id=course.id,
        course=course.name,
        title=people.without_names(safe_line(row.get("title")) or "(untitled)"),
        by=people.author_name(author.get("id")),
        url=canvas_link(row.get("html_url"), origin),
        posts=int(number_of(row.get("discussion_subentry_count")) or 0),
        unread=int(number_of(row.get("unread_count")) or 0),
        is_new=row.get("read_state") == "unread",
        due_at=read_time(assignment.get("due_at") or row.get("todo_date"))[0],
        latest_at=read_time(row.get("last_reply_at") or row.get("posted_at"))[0],
        points=number_of(assignment.get("points_possible")),
        must_post_first=bool(row.get("require_initial_post")) and row.get("user_can_see_posts") is False,
        is_closed=bool(row.get("locked") or row.get("locked_for_user")),
    )


def read_posts(view: Row, people: CourseMembers) -> list[DiscussionPost]:
    """List every readable post, replies after what they reply to; deleted ones are left out."""
    unread = set(integers_of(view.get("unread_entries")))
    tree = [*objects_of(view.get("view")), *objects_of(view.get("new_entries"))]
    return list(_posts_in(tree, people, unread, 0))


def _posts_in(rows: Sequence[Row], people: CourseMembers, unread: set[int], depth: int) -> Iterator[DiscussionPost]:
    for row in rows:
        if not is_id(row.get("id")):
            continue
        message = row.get("message")
        text = safe_line(html_to_text(message if isinstance(message, str) else "", limit=_LONGEST_POST), _LONGEST_POST)
        if text and not row.get("deleted"):
            yield DiscussionPost(
                id=int(row["id"]),
                by=people.author_name(row.get("user_id")),
                text=people.without_names(text),
                at=read_time(row.get("created_at"))[0],
                depth=depth,
                is_unread=int(row["id"]) in unread,
            )
        yield from _posts_in(objects_of(row.get("replies")), people, unread, depth + 1)
