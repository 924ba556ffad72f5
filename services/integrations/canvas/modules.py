"""`Module` and what is in it: the path that an instructor laid through a course."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.i18n.english import moment
from services.integrations.canvas.payloads import Row, flat, id_of, is_id, link, numbers, part, read_time

_KINDS = {
    "File": "file",
    "Page": "page",
    "Discussion": "discussion",
    "Assignment": "assignment",
    "Quiz": "quiz",
    "SubHeader": "",
    "ExternalUrl": "link",
    "ExternalTool": "external tool",
}
_ASKS = {
    "must_view": "view it",
    "must_submit": "hand it in",
    "must_contribute": "contribute",
    "min_score": "reach the score",
    "must_mark_done": "mark it as done",
}
_STATES = {"locked": "locked", "unlocked": "open", "started": "begun", "completed": "completed"}


@dataclass(frozen=True, kw_only=True)
class ModuleItem:
    """is_done: None where nothing is asked."""

    id: int
    title: str
    kind: str
    url: str
    due_at: datetime | None
    asks: str
    is_done: bool | None

    def line(self, zone: ZoneInfo) -> str:
        """One line of a tool's output."""
        state = "" if self.is_done is None else "done" if self.is_done else f"to do: {self.asks}"
        facts = [self.kind, f"due {moment(self.due_at, zone)}" if self.due_at else "", state]
        return (
            f"- **{self.title}** — {' — '.join(f for f in facts if f) or 'item'} — [open]({self.url}) (id: {self.id})"
        )


@dataclass(frozen=True, kw_only=True)
class Module:
    """items: None when Canvas left them out, to be asked for."""

    id: int
    name: str
    state: str
    opens_at: datetime | None
    waits_for: tuple[int, ...]
    items: tuple[ModuleItem, ...] | None

    @property
    def progress(self) -> tuple[int, int]:
        """How many of the items that ask something are done, and how many do."""
        asking = [item.is_done for item in self.items or () if item.is_done is not None]
        return sum(asking), len(asking)


def read_module(row: Row, origin: str, course_url: str) -> Module:
    """From https://developerdocs.instructure.com/services/canvas/resources/modules"""
    items = row.get("items")
    return Module(
        id=id_of(row.get("id")),
        name=flat(row.get("name")) or "(no name)",
        state=_STATES.get(str(row.get("state")), ""),
        opens_at=read_time(row.get("unlock_at"))[0],
        waits_for=tuple(numbers(row.get("prerequisite_module_ids"))),
        items=read_items(items, origin, course_url) if isinstance(items, list) else None,
    )


def read_items(rows: Sequence[Row], origin: str, course_url: str) -> tuple[ModuleItem, ...]:
    """The items of a module; one without a title and a number is left out, as headings without either are."""
    return tuple(_item(row, origin, course_url) for row in rows if is_id(part(row).get("id")))


def _item(row: Row, origin: str, course_url: str) -> ModuleItem:
    asked, details = part(row.get("completion_requirement")), part(row.get("content_details"))
    page = row.get("html_url")
    return ModuleItem(
        id=id_of(row["id"]),
        title=flat(row.get("title")) or "(untitled)",
        kind=_KINDS.get(str(row.get("type")), flat(row.get("type"), 40)),
        url=link(page, origin) if page else f"{course_url}/modules",
        due_at=read_time(details.get("due_at"))[0],
        asks=_ASKS.get(str(asked.get("type")), "finish it"),
        is_done=bool(asked.get("completed")) if asked else None,
    )
