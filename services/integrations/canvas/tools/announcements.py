"""Tool that lists announcements of instructors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import PermissionMissing
from services.i18n import gettext_noop
from services.i18n.english import count, cut_note, moment
from services.integrations.canvas.access import (
    CourseFilter,
    canvas_client,
    canvas_tool,
    find_courses,
    gap_notes,
    tool_result,
)
from services.integrations.canvas.client import CanvasClient, MissingPart
from services.integrations.canvas.courses import Course
from services.integrations.canvas.payloads import Json, canvas_link, read_rows, read_time, safe_line
from services.llm.citations import Source
from services.safety.html import html_to_text
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.result_contracts import ANNOUNCEMENTS
from services.tools.tool import Example

_LONGEST_TEXT = 1500
_MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class CanvasAnnouncement:
    """Announcement of an instructor; `text` is plain, on one line."""

    id: int
    course: str
    title: str
    author: str
    text: str
    url: str
    posted_at: datetime | None

    def line(self, zone: ZoneInfo) -> str:
        """Format as a line of a tool's output."""
        posted = f"posted {moment(self.posted_at, zone)}" if self.posted_at else "no date"
        by = f"{posted} by {self.author}" if self.author else posted
        parts = [f"**{self.title}**", self.course, by, f"“{self.text}”" if self.text else ""]
        return f"- {' — '.join(part for part in parts if part)} — [open]({self.url}) (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """Convert to JSON."""
        posted_at = self.posted_at.isoformat() if self.posted_at else None
        return {
            "id": self.id,
            "course": self.course,
            "title": self.title,
            "author": self.author,
            "text": self.text,
            "posted_at": posted_at,
            "url": self.url,
        }


def read_announcement(row: Mapping[str, Any], *, names: Mapping[str, str], origin: str) -> CanvasAnnouncement:
    """Read an announcement; `names` by context code.

    https://developerdocs.instructure.com/services/canvas/resources/announcements
    """
    posted_at, _ = read_time(row.get("posted_at") or row.get("delayed_post_at"))
    author = (row.get("author") or {}).get("display_name") or row.get("user_name") or ""
    return CanvasAnnouncement(
        id=row["id"],
        course=names.get(row.get("context_code", ""), ""),
        title=safe_line(row.get("title")) or "(untitled)",
        author=safe_line(author, 80),
        text=safe_line(html_to_text(row.get("message"), limit=_LONGEST_TEXT), _LONGEST_TEXT),
        url=canvas_link(row.get("html_url") or row.get("url"), origin),
        posted_at=posted_at,
    )


@canvas_tool(
    label=gettext_noop("Reading announcements"),
    title=gettext_noop("Read announcements"),
    summary=gettext_noop("Read what your instructors announced lately"),
    produces=(ANNOUNCEMENTS,),
    usage_hint="Reads what instructors announced lately.",
    when=("the student asks for news of their courses", "a change of date or room is suspected"),
    when_not=("news of the whole campus is asked for",),
    examples=(Example(description="Any news from calculus this week?", arguments={"course": "calc", "days": 7}),),
)
def canvas_list_announcements(
    context: ToolExecutionContext,
    *,
    days: Annotated[int, Field(ge=1, le=120, description="How many days back.")] = 14,
    course: CourseFilter = None,
) -> ToolResult:
    """List what instructors announced in the student's Canvas courses lately, newest first, with the text.

    For news from courses: cancelled classes, changed rooms or deadlines, messages of a professor.
    """
    now, client = context.now(), canvas_client(context)
    courses = find_courses(client, course)
    rows, gaps = _announced(client, courses, now - timedelta(days=days), now)
    names = {f"course_{c.id}": c.name for c in courses}
    found, note = read_rows(rows, lambda row: read_announcement(row, names=names, origin=client.origin))
    found.sort(key=lambda announcement: announcement.posted_at or datetime.min.replace(tzinfo=UTC), reverse=True)
    shown = found[:_MOST_SHOWN]
    about = f" in {courses[0].name}" if course else ""
    return tool_result(
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
) -> tuple[list[Json], list[MissingPart]]:
    """Read all courses in one request; when Canvas refuses because one of them is closed, each by itself."""
    if not courses:
        return [], []
    try:
        return client.announcements([course.id for course in courses], start, end), []
    except PermissionMissing:
        read, gaps = client.read_each(courses, lambda course: client.announcements([course.id], start, end))
        return [row for rows in read for row in rows], gaps
