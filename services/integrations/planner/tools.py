"""The planner's tools: adding a task after the student's approval, and listing what is open."""

import secrets
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere
from services.integrations.planner.tasks import Task, Tasks
from services.integrations.wording import clock, count, one_line, sentence
from services.tools.base import Effect, Example, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

LABEL = "Homeroom planner"
_MOST_SHOWN = 100
_END_OF_DAY = time(23, 59, 59)


def preview_task(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Every field that would be written; raises `BadArguments` for a day that is over."""
    task = _task(context, **planner_create_task.validate(arguments))
    if task.due_at and task.due_at < context.now():
        raise BadArguments("That due date is over. Give one that is still to come.", field="due_date")
    rows = {"Title": task.title, "Due": task.due(context.timezone).removeprefix("due "), "Notes": task.notes}
    return tuple(PreviewRow(label=label, value=value) for label, value in rows.items() if value)


def undo_task(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete the task, unless it was changed since."""
    tasks = Tasks(context.container.store, context.student.id)
    if not tasks.remove(undo["task_id"], version=undo["version"]) and tasks.get(undo["task_id"]):
        raise ChangedElsewhere(LABEL, "This task was changed since, so it stays.")
    return ToolResult(output="The task is off your list again.")


@tool(
    label="Adding a task",
    title="Add a task to your planner",
    category="planner",
    contexts=("planner", "study"),
    effect=Effect.WRITE,
    preview=preview_task,
    undo=undo_task,
    examples=(
        Example(
            description="Remind me to read chapter 7 by Friday.",
            arguments={"title": "Read chapter 7", "due_date": "2026-11-27"},
        ),
    ),
)
def planner_create_task(
    context: ToolExecutionContext,
    *,
    title: Annotated[
        str, Field(min_length=1, max_length=200, description='What is to be done, like "Read chapter 7".')
    ],
    due_date: Annotated[date | None, Field(description="The day it is due, like 2026-11-27.")] = None,
    due_time: Annotated[
        time | None, Field(description="The time of that day, in the student's own time zone, like 17:00.")
    ] = None,
    notes: Annotated[str, Field(max_length=2000, description="Anything else, as plain text.")] = "",
) -> ToolResult:
    """Add a task to the student's own planner in Homeroom. The student sees it and approves it first.

    Use it when the student wants to remember or plan something to do. It works without any connected account. It is
    not a calendar event: use calendar_create_event for something that takes place at a time.
    """
    task = Tasks(context.container.store, context.student.id).add(
        _task(context, title=title, due_date=due_date, due_time=due_time, notes=notes)
    )
    return ToolResult(
        output=f"Added the task “{one_line(task.title)}”, {task.due(context.timezone)} ({LABEL}, id: {task.id}).",
        data=task.data(),
        undo={"task_id": task.id, "version": task.version},
    )


@tool(label="Looking at your tasks", category="planner", contexts=("planner", "study"))
def planner_list_tasks(context: ToolExecutionContext) -> ToolResult:
    """List the open tasks in the student's own planner in Homeroom, the earliest due first.

    These are only what was added here. What courses ask for is in Canvas, and plans are in the calendar.
    """
    now, found = context.now(), Tasks(context.container.store, context.student.id).open()
    shown = found[:_MOST_SHOWN]
    heading = sentence(f"{count(len(found), 'open task')} ({LABEL}, as of {clock(now)}).")
    cut = [f"Note: only the first {len(shown)} are shown."] if len(found) > len(shown) else []
    return ToolResult(
        output="\n".join([heading, *(task.line(now, context.timezone) for task in shown), *cut]),
        data={"tasks": [task.data() for task in shown], "total": len(found)},
    )


def _task(
    context: ToolExecutionContext, *, title: str, due_date: date | None, due_time: time | None, notes: str
) -> Task:
    if due_time and not due_date:
        raise BadArguments("A time needs a due_date too.", field="due_date")
    due_at = datetime.combine(due_date, due_time or _END_OF_DAY, context.timezone) if due_date else None
    return Task(
        id=context.operation_id or secrets.token_hex(12),
        title=title,
        due_at=due_at,
        has_time=due_time is not None,
        notes=notes,
        created_at=context.container.clock(),
    )
