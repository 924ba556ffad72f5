"""`Announcement`: what an instructor told a course."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.payloads import flat, link, read_time
from services.safety.html import to_text

_LONGEST_TEXT = 1500


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """`text` is plain, on one line."""

    id: int
    course: str
    title: str
    author: str
    text: str
    url: str
    posted_at: datetime | None

    def line(self, zone: ZoneInfo) -> str:
        """One line of a tool's output."""
        posted = f"posted {moment(self.posted_at, zone)}" if self.posted_at else "no date"
        by = f"{posted} by {self.author}" if self.author else posted
        parts = [f"**{self.title}**", self.course, by, f"“{self.text}”" if self.text else ""]
        return f"- {' — '.join(part for part in parts if part)} — [open]({self.url}) (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """The same as plain JSON."""
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


def read_announcement(row: Mapping[str, Any], *, names: Mapping[str, str], origin: str) -> Announcement:
    """From https://developerdocs.instructure.com/services/canvas/resources/announcements; `names` by context code."""
    posted_at, _ = read_time(row.get("posted_at") or row.get("delayed_post_at"))
    author = (row.get("author") or {}).get("display_name") or row.get("user_name") or ""
    return Announcement(
        id=row["id"],
        course=names.get(row.get("context_code", ""), ""),
        title=flat(row.get("title")) or "(untitled)",
        author=flat(author, 80),
        text=flat(to_text(row.get("message"), limit=_LONGEST_TEXT), _LONGEST_TEXT),
        url=link(row.get("html_url") or row.get("url"), origin),
        posted_at=posted_at,
    )
