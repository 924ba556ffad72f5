"""`Entry`: one thing of the Canvas planner that is not necessarily to be handed in: notes, events, pages, news."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.assignments import from_planner
from services.integrations.canvas.payloads import Row, flat, id_of, link, part, read_time

_NAMES = {
    "planner_note": "own note",
    "calendar_event": "course event",
    "announcement": "announcement",
    "wiki_page": "page to read",
    "discussion_topic": "discussion",
    "sub_assignment": "checkpoint",
}
_TO_DO = ("planner_note", "wiki_page", "discussion_topic", "sub_assignment")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """is_to_do: it asks something of the student and is not done. at: when it is due or happens."""

    id: int
    title: str
    kind: str
    course: str
    at: datetime | None
    points: float | None
    status: str
    url: str
    is_to_do: bool
    is_missing: bool = False

    def line(self, zone: ZoneInfo) -> str:
        """One line of a tool's output."""
        when = moment(self.at, zone) if self.at else "no date"
        points = f"{self.points:g} points" if self.points is not None else ""
        facts = [self.kind, self.course, when, points, self.status]
        return f"- **{self.title}** — {' — '.join(fact for fact in facts if fact)} — [open]({self.url}) (id: {self.id})"

    def data(self) -> dict[str, Any]:
        """The same as plain JSON."""
        at = self.at.astimezone(UTC).isoformat() if self.at else None
        facts = {"id": self.id, "title": self.title, "kind": self.kind, "course": self.course, "at": at}
        return {**facts, "status": self.status, "to_do": self.is_to_do, "url": self.url}


def read_entry(row: Row, *, origin: str, now: datetime) -> Entry:
    """From https://developerdocs.instructure.com/services/canvas/resources/planner"""
    kind, thing = str(row.get("plannable_type") or ""), part(row.get("plannable"))
    override = part(row.get("planner_override"))
    is_ticked = bool(override.get("marked_complete"))
    if work := from_planner(row, origin=origin, now=now):
        return Entry(
            id=work.id,
            title=work.title,
            kind=work.kind.label or "assignment",
            course=work.course,
            at=work.due_at,
            points=work.points,
            status="ticked off" if is_ticked and work.is_to_do else work.status,
            url=work.url,
            is_to_do=work.needs_work(now) and not is_ticked,
            is_missing=work.is_missing,
        )
    place = flat(thing.get("location_name"), 80)
    return Entry(
        id=id_of(row.get("plannable_id")),
        title=flat(thing.get("title")) or "(untitled)",
        kind=_NAMES.get(kind, flat(kind.replace("_", " "), 40)),
        course=flat(row.get("context_name")),
        at=read_time(row.get("plannable_date"))[0],
        points=None,
        status="ticked off" if is_ticked else f"at {place}" if place else "",
        url=link(row.get("html_url") or "/calendar", origin),
        is_to_do=kind in _TO_DO and not is_ticked,
    )
