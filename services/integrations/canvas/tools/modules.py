"""Tool that lists the modules of a course with their items and progress."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from services.i18n import gettext_noop
from services.i18n.english import count, cut_note, moment
from services.integrations.canvas.access import RequiredCourse, canvas_client, canvas_tool, require_course, tool_result
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.payloads import (
    Json,
    Row,
    canvas_link,
    id_of,
    integers_of,
    is_id,
    object_of,
    read_rows,
    read_time,
    safe_line,
)
from services.integrations.kit.name_choices import NameChoice, none_fits
from services.integrations.kit.name_matcher import best_matches
from services.llm.citations import Source
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Example

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
_WITH_TOOLS = ("Assignment", "Discussion")
_READ_AS_MATERIALS = "What these pages, files and links say is read by materials_search and materials_read."
_MOST_ITEMS = 120
_EXAMPLES = (
    Example(description="What is in unit 3 of bio?", arguments={"course": "bio", "module": "unit 3"}),
    Example(description="What is left to do in the modules of CS 101?", arguments={"course": "cs101", "only": "to_do"}),
)


@dataclass(frozen=True, kw_only=True)
class ModuleItem:
    """Item of a module. is_done: None where nothing is asked. content_id: what the tools for it take, "" where there is
    no such tool or the module does not tell, as of pages.
    """

    id: int
    content_id: int | str
    title: str
    kind: str
    url: str
    due_at: datetime | None
    asks: str
    is_done: bool | None

    def line(self, zone: ZoneInfo) -> str:
        """Format as a line of a tool's output."""
        state = "" if self.is_done is None else "done" if self.is_done else f"to do: {self.asks}"
        facts = [self.kind, f"due {moment(self.due_at, zone)}" if self.due_at else "", state]
        link = f" — [open]({self.url})" if self.url else ""
        id = f" (id: {self.content_id})" if self.content_id else ""
        return f"- **{self.title}** — {' — '.join(f for f in facts if f) or 'item'}{link}{id}"


@dataclass(frozen=True, kw_only=True)
class Module:
    """Module of a course. items: None when Canvas left them out, to be asked for."""

    id: int
    name: str
    state: str
    opens_at: datetime | None
    waits_for: tuple[int, ...]
    items: tuple[ModuleItem, ...] | None

    @property
    def progress(self) -> tuple[int, int]:
        """Number of required items that are done, and of all required items."""
        asking = [item.is_done for item in self.items or () if item.is_done is not None]
        return sum(asking), len(asking)


def read_module(row: Row, course_id: int, origin: str) -> Module:
    """Read a module: https://developerdocs.instructure.com/services/canvas/resources/modules"""
    items = row.get("items")
    return Module(
        id=id_of(row.get("id")),
        name=safe_line(row.get("name")) or "(no name)",
        state=_STATES.get(str(row.get("state")), ""),
        opens_at=read_time(row.get("unlock_at"))[0],
        waits_for=tuple(integers_of(row.get("prerequisite_module_ids"))),
        items=read_items(items, course_id, origin) if isinstance(items, list) else None,
    )


def read_items(rows: Sequence[Row], course_id: int, origin: str) -> tuple[ModuleItem, ...]:
    """Read the items of a module; those without an id, such as headings, are left out."""
    return tuple(_item(row, course_id, origin) for row in rows if is_id(object_of(row).get("id")))


def _content_id(row: Row, course_id: int) -> int | str:
    """Id for the tool that reads an item: of an assignment or a discussion in Canvas, or of a course material."""
    kind, content = row.get("type"), row.get("content_id")
    if kind == "ExternalUrl":
        return f"canvas-{course_id}.link-{id_of(row['id'])}"
    if not is_id(content):
        return ""
    if kind == "File":
        return f"canvas-{course_id}.file-{id_of(content)}"
    return id_of(content) if kind in _WITH_TOOLS else ""


def _item(row: Row, course_id: int, origin: str) -> ModuleItem:
    asked, details = object_of(row.get("completion_requirement")), object_of(row.get("content_details"))
    page = row.get("html_url")
    return ModuleItem(
        id=id_of(row["id"]),
        content_id=_content_id(row, course_id),
        title=safe_line(row.get("title")) or "(untitled)",
        kind=_KINDS.get(str(row.get("type")), safe_line(row.get("type"), 40)),
        url=canvas_link(page, origin) if page else "",
        due_at=read_time(details.get("due_at"))[0],
        asks=_ASKS.get(str(asked.get("type")), "finish it"),
        is_done=bool(asked.get("completed")) if asked else None,
    )


@canvas_tool(
    label=gettext_noop("Looking into the modules"),
    title=gettext_noop("Look into the modules"),
    summary=gettext_noop("See a course's materials unit by unit, and what you have done"),
    usage_hint="Shows a course's materials unit by unit, and what is done.",
    when=("the student asks for slides, readings or what comes next in a course",),
    when_not=("due dates are asked for",),
    examples=_EXAMPLES,
)
def canvas_list_modules(
    context: ToolExecutionContext,
    *,
    course: RequiredCourse,
    module: Annotated[
        str | None, Field(max_length=200, description='Its id, or words of its name, like "unit 3".')
    ] = None,
    only: Annotated[
        Literal["all", "to_do"], Field(description="to_do: only what the course asks for and is not done.")
    ] = "all",
) -> ToolResult:
    """List the modules of a Canvas course with their pages, files, links and work, and what is completed or locked.

    For a course's materials, its units or weeks, and how far the student is.
    """
    client = canvas_client(context)
    its_course = require_course(client, course)
    rows = client.modules(its_course.id)
    modules, note = read_rows(rows, lambda row: read_module(row, its_course.id, client.origin))
    names = {unit.id: unit.name for unit in modules}
    wanted, gaps = _with_items(client, its_course, _modules_named(modules, module))
    shown: list[tuple[Module, Sequence[ModuleItem]]] = []
    left = _MOST_ITEMS
    for unit in wanted:
        items = [item for item in unit.items or () if only == "all" or item.is_done is False]
        if items or only == "all":
            shown.append((unit, items[:left]))
        left -= len(items[:left])
    total = sum(len(unit.items or ()) for unit in wanted)
    told = sum(len(items) for _, items in shown)
    has_pages = any(item.kind in ("page", "file", "link", "external tool") for _, items in shown for item in items)
    return tool_result(
        context,
        _headline(wanted, its_course, told, only),
        [line for unit, items in shown for line in _lines(unit, items, its_course, names, context)],
        remarks=[cut_note(told, total) if only == "all" else "", _READ_AS_MATERIALS if has_pages else ""],
        notes=[note, *gaps],
        data={"course_id": its_course.id, "modules": [_data(unit, items) for unit, items in shown]},
        sources=[Source(title=f"Modules of {its_course.name}", url=f"{its_course.url}/modules"), *_sources(shown)],
    )


def _modules_named(modules: Sequence[Module], words: str | None) -> list[Module]:
    if not words:
        return list(modules)
    by_id = [candidate for candidate in modules if str(candidate.id) == words.strip()]
    found = by_id or best_matches(modules, words, lambda candidate: (candidate.name,))
    if not found:
        choices = [NameChoice(name=candidate.name, id=candidate.id) for candidate in modules]
        raise none_fits("module", words, choices)
    return found


def _with_items(client: CanvasClient, course: Course, modules: Sequence[Module]) -> tuple[list[Module], list[str]]:
    """Load the items that Canvas left out of the list because they are many."""
    empty = [module for module in modules if module.items is None]
    read, gaps = client.read_each(empty, lambda module: (module.id, client.module_items(course.id, module.id)))
    items = {id: read_items(rows, course.id, client.origin) for id, rows in read}
    filled = [replace(module, items=items[module.id]) if module.id in items else module for module in modules]
    return filled, [f"Note: what is in the module {gap.of.name} is missing here. {gap.reason}" for gap in gaps]


def _headline(modules: Sequence[Module], course: Course, told: int, only: str) -> str:
    done, asked = (sum(module.progress[place] for module in modules) for place in (0, 1))
    progress = f", {done} of {asked} required items done" if asked else ""
    left = count(told, "open item" if only == "to_do" else "item")
    return f"{count(len(modules), 'module')} in {course.name} with {left}{progress}"


def _lines(
    module: Module, items: Sequence[ModuleItem], course: Course, names: dict[int, str], context: ToolExecutionContext
) -> list[str]:
    done, asked = module.progress
    before = [names[id] for id in module.waits_for if id in names]
    facts = [
        module.state,
        f"opens {moment(module.opens_at, context.timezone)}" if module.opens_at and module.state == "locked" else "",
        f"after {', '.join(before)}" if before and module.state == "locked" else "",
        f"{done} of {asked} done" if asked else "",
    ]
    about = " — ".join(fact for fact in facts if fact) or count(len(module.items or ()), "item")
    head = f"- **Module: {module.name}** — {about} — [open]({course.url}/modules/{module.id}) (id: {module.id})"
    return [head, *(item.line(context.timezone) for item in items)]


def _data(module: Module, items: Sequence[ModuleItem]) -> Json:
    def listed(item: ModuleItem) -> Json:
        return {"id": item.id, "title": item.title, "kind": item.kind, "done": item.is_done, "url": item.url}

    return {"id": module.id, "name": module.name, "state": module.state, "items": [listed(item) for item in items]}


def _sources(shown: Sequence[tuple[Module, Sequence[ModuleItem]]]) -> list[Source]:
    return [Source(title=item.title, url=item.url) for _, items in shown for item in items if item.url]
