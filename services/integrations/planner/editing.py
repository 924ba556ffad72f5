"""The tool that changes what a task says: title, due date, notes and what comes before it."""

from collections.abc import Mapping
from datetime import date, time
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.integrations.planner.access import CATEGORY, CONTEXTS, TaskReference, board_of
from services.integrations.planner.board import Board
from services.integrations.planner.changing import Changes, change, rows_of, undo_change
from services.integrations.planner.creating import DueDate, DueTime, due_at, ids, refuse_the_past
from services.integrations.planner.tasks import Task
from services.tools.base import Effect, Example, PreviewRow, Told, ToolExecutionContext, ToolResult
from services.tools.decorator import tool


def preview_edit(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Each field that would change, as it is and as it would be."""
    given = planner_edit_task.validate(arguments)
    board = board_of(context)
    task = board.find(given.pop("task"), field="task")
    changes = _edited(context, board, task, **given)
    if changes.get("due_at") != task.due_at:
        refuse_the_past(changes.get("due_at"), context)
    return rows_of(context, board, task, changes)


@tool(
    label=gettext_noop("Changing a task"),
    title=gettext_noop("Change a task in your planner"),
    summary=gettext_noop("Change a task's title, due date, notes or what comes before it"),
    told=Told.PRIVATE,
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_edit,
    undo=undo_change,
    examples=(
        Example(
            description="The draft needs the outline and the sources first",
            arguments={"task": "Draft", "depends_on": ["Outline", "Sources"]},
        ),
        Example(
            description="Chapter 7 can wait until Sunday",
            arguments={"task": "Read chapter 7", "due_date": "2026-11-29"},
        ),
    ),
)
def planner_edit_task(
    context: ToolExecutionContext,
    *,
    task: TaskReference,
    title: Annotated[str | None, Field(min_length=1, max_length=200, description="A new title.")] = None,
    due_date: DueDate = None,
    due_time: DueTime = None,
    no_due_date: Annotated[bool, Field(description="True to take the due date away.")] = False,
    notes: Annotated[str | None, Field(max_length=2000, description="New notes, instead of the ones there.")] = None,
    depends_on: Annotated[
        list[str] | None,
        Field(
            max_length=20,
            description="All tasks that must be done before it, by ids or words of titles; an empty list for none.",
        ),
    ] = None,
) -> ToolResult:
    """Change title, due date, notes or dependencies of a task in the student's planner. The student approves it first.

    Give only what changes. Tasks that would wait for each other in a circle are refused. To start, block, complete or
    reopen a task use the tool of that name.
    """
    fields: dict[str, Any] = {
        "title": title,
        "due_date": due_date,
        "due_time": due_time,
        "no_due_date": no_due_date,
        "notes": notes,
        "depends_on": depends_on,
    }
    return change(context, task, lambda board, found: _edited(context, board, found, **fields))


def _edited(
    context: ToolExecutionContext,
    board: Board,
    task: Task,
    *,
    title: str | None,
    due_date: date | None,
    due_time: time | None,
    no_due_date: bool,
    notes: str | None,
    depends_on: list[str] | None,
) -> Changes:
    changes: Changes = {}
    if no_due_date and (due_date or due_time):
        raise BadArguments(gettext("Either a due date or none."), field="no_due_date")
    if no_due_date:
        changes |= {"due_at": None, "has_time": False}
    elif due_date or due_time:
        own = task.due_at.astimezone(context.timezone).date() if task.due_at else None
        changes |= {"due_at": due_at(due_date or own, due_time, context.timezone), "has_time": due_time is not None}
    changes |= {name: value for name, value in (("title", title), ("notes", notes)) if value is not None}
    if depends_on is not None:
        changes["depends_on"] = ids(board, depends_on)
        if board.cycle(task.id, changes["depends_on"]):
            raise BadArguments(gettext("These tasks would wait for each other in a circle."), field="depends_on")
    changes = {name: value for name, value in changes.items() if value != getattr(task, name)}
    if not changes:
        raise BadArguments(gettext("Nothing would change."), next_step=gettext("Say what should be different."))
    return changes
