"""`canvas_list_modules`: what a course holds week by week, and how far the student is with it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import count, cut_note, moment
from services.integrations.canvas.access import CONTEXTS, FRESH_S, ID, OneCourse, canvas_of, result, the_course
from services.integrations.canvas.client import CanvasClient
from services.integrations.canvas.courses import Course
from services.integrations.canvas.modules import Module, ModuleItem, read_items, read_module
from services.integrations.canvas.name_matching import best
from services.integrations.canvas.payloads import Json, read_rows
from services.tools.base import Example, Source, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

_MOST_ITEMS = 120
_EXAMPLES = (
    Example(description="What is in unit 3 of bio?", arguments={"course": "bio", "module": "unit 3"}),
    Example(description="What is left to do in the modules of CS 101?", arguments={"course": "cs101", "only": "to_do"}),
)


@tool(
    label=gettext_noop("Looking into the modules"),
    title=gettext_noop("Look into the modules"),
    summary=gettext_noop("See a course's materials unit by unit, and what you have done"),
    told=Told.PRIVATE,
    category="courses",
    contexts=CONTEXTS,
    integration=ID,
    fresh_for_s=FRESH_S,
    examples=_EXAMPLES,
)
def canvas_list_modules(
    context: ToolExecutionContext,
    *,
    course: OneCourse,
    module: Annotated[
        str | None, Field(max_length=200, description='Only this module: words of its name, like "unit 3", or its id.')
    ] = None,
    only: Annotated[
        Literal["all", "to_do"], Field(description="to_do: only items that the course asks for and are not done.")
    ] = "all",
) -> ToolResult:
    """List the modules of a Canvas course with their pages, files, links and work, and what is completed or locked.

    Use it for the materials of a course, its units or weeks, and how far the student is. Not for due dates over several
    courses (canvas_list_assignments).
    """
    client = canvas_of(context)
    its_course = the_course(client, course)
    rows = client.modules(its_course.id)
    modules, note = read_rows(rows, lambda row: read_module(row, client.origin, its_course.url))
    names = {unit.id: unit.name for unit in modules}
    wanted, gaps = _filled(client, its_course, _wanted(modules, module))
    shown: list[tuple[Module, Sequence[ModuleItem]]] = []
    left = _MOST_ITEMS
    for unit in wanted:
        items = [item for item in unit.items or () if only == "all" or item.is_done is False]
        if items or only == "all":
            shown.append((unit, items[:left]))
        left -= len(items[:left])
    total = sum(len(unit.items or ()) for unit in wanted)
    told = sum(len(items) for _, items in shown)
    return result(
        context,
        _headline(wanted, its_course, told, only),
        [line for unit, items in shown for line in _lines(unit, items, its_course, names, context)],
        remarks=[cut_note(told, total) if only == "all" else ""],
        notes=[note, *gaps],
        data={"course_id": its_course.id, "modules": [_data(unit, items) for unit, items in shown]},
        sources=[Source(title=f"Modules of {its_course.name}", url=f"{its_course.url}/modules"), *_sources(shown)],
    )


def _wanted(modules: Sequence[Module], words: str | None) -> list[Module]:
    if not words:
        return list(modules)
    by_id = [candidate for candidate in modules if str(candidate.id) == words.strip()]
    found = by_id or best(modules, words, lambda candidate: (candidate.name,))
    if not found:
        names = "; ".join(candidate.name for candidate in modules) or "none"
        sentence = gettext("No module is called that. The modules: {names}.", names=names)
        raise BadArguments(sentence, field="module")
    return found


def _filled(client: CanvasClient, course: Course, modules: Sequence[Module]) -> tuple[list[Module], list[str]]:
    """The modules with the items that Canvas left out of the list because they are many."""
    empty = [module for module in modules if module.items is None]
    read, gaps = client.each(empty, lambda module: (module.id, client.module_items(course.id, module.id)))
    items = {id: read_items(rows, client.origin, course.url) for id, rows in read}
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
    head = f"- **Module: {module.name}** — {about} — [open]({course.url}/modules) (id: {module.id})"
    return [head, *(item.line(context.timezone) for item in items)]


def _data(module: Module, items: Sequence[ModuleItem]) -> Json:
    listed = [
        {"id": item.id, "title": item.title, "kind": item.kind, "done": item.is_done, "url": item.url} for item in items
    ]
    return {"id": module.id, "name": module.name, "state": module.state, "items": listed}


def _sources(shown: Sequence[tuple[Module, Sequence[ModuleItem]]]) -> list[Source]:
    return [Source(title=item.title, url=item.url) for _, items in shown for item in items]
