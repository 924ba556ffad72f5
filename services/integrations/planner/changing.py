"""The tools that change a task: start, block, complete, reopen and edit, each with a card and an undo."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, time
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, RequestRefused
from services.integrations.card import is_unlike_the_card
from services.integrations.planner.access import (
    CATEGORY,
    CONTEXTS,
    LABEL,
    TaskReference,
    board_of,
    state_in_words,
    tasks_of,
)
from services.integrations.planner.board import Board
from services.integrations.planner.creating import DueDate, DueTime, due_at, ids, refuse_the_past, titles
from services.integrations.planner.tasks import Change, Task, TaskStatus
from services.integrations.wording import one_line
from services.tools.base import Effect, Example, Preview, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

Changes = dict[str, Any]
Reason = Annotated[
    str, Field(min_length=1, max_length=500, description="What is in the way, like “the library is closed”.")
]


def undo_change(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Give the task its former fields, unless it was changed since."""
    tasks = tasks_of(context)
    task = tasks.get(undo["task_id"])
    if task is None:
        raise ChangedElsewhere(LABEL, "This task was deleted since.")
    if not tasks.restore(task.id, version=undo["version"], before=undo["before"]):
        raise ChangedElsewhere(LABEL, "This task was changed since, so it stays.")
    return ToolResult(output=f"“{one_line(task.title)}” is as it was before.")


def preview_of(changes: Callable[[Board, Task], Changes]) -> Preview:
    """A card for a change of state: the task, how it stands, and what that means for others."""

    def preview(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
        board = board_of(context)
        task = board.find(arguments["task"], field="task")
        return _rows(context, board, task, changes(board, task) | _reason(arguments))

    return preview


def starting(board: Board, task: Task) -> Changes:
    _refuse_when(task.is_done, "This task is done already.", "Reopen it first, with planner_reopen_task.")
    _refuse_when(task.status is TaskStatus.STARTED, "This task is started already.")
    return {"status": TaskStatus.STARTED, "reason": ""}


def blocking(board: Board, task: Task) -> Changes:
    _refuse_when(task.is_done, "This task is done already.", "Reopen it first, with planner_reopen_task.")
    return {"status": TaskStatus.BLOCKED}


def completing(board: Board, task: Task) -> Changes:
    _refuse_when(task.is_done, "This task is done already.")
    return {"status": TaskStatus.DONE, "reason": ""}


def reopening(board: Board, task: Task) -> Changes:
    is_open = task.status in (TaskStatus.OPEN, TaskStatus.STARTED)
    _refuse_when(is_open, "This task is neither done nor blocked.")
    return {"status": TaskStatus.OPEN, "reason": "", "done_at": None}


@tool(
    label="Starting a task",
    title="Start a task in your planner",
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_of(starting),
    undo=undo_change,
    examples=(Example(description="I'm on the outline now", arguments={"task": "Outline"}),),
)
def planner_start_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Mark a task of the student's planner as started. The student approves it first.

    A task that was blocked is not blocked any more. When it waits for other tasks, the card says so.
    """
    return _change(context, task, starting)


@tool(
    label="Blocking a task",
    title="Mark a task as blocked in your planner",
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_of(blocking),
    undo=undo_change,
    examples=(
        Example(
            description="I can't go on with the report, the lab is closed until Monday",
            arguments={"task": "Lab report 6", "reason": "the lab is closed until Monday"},
        ),
    ),
)
def planner_block_task(context: ToolExecutionContext, *, task: TaskReference, reason: Reason) -> ToolResult:
    """Mark a task of the student's planner as blocked, with what is in the way. The student approves it first.

    Use it for something outside. When a task only waits for another task of the planner, use planner_edit_task with
    depends_on instead.
    """
    return _change(context, task, lambda board, found: {**blocking(board, found), "reason": reason})


@tool(
    label="Completing a task",
    title="Complete a task in your planner",
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_of(completing),
    undo=undo_change,
    examples=(Example(description="Chapter 7 is done", arguments={"task": "Read chapter 7"}),),
)
def planner_complete_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Mark a task of the student's planner as done. The student approves it first.

    It is the student's own planner only: nothing is handed in, in Canvas or elsewhere.
    """
    now = context.container.clock()
    return _change(context, task, lambda board, found: {**completing(board, found), "done_at": now})


@tool(
    label="Reopening a task",
    title="Reopen a task in your planner",
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_of(reopening),
    undo=undo_change,
    examples=(Example(description="I was wrong, chapter 7 isn't done", arguments={"task": "Read chapter 7"}),),
)
def planner_reopen_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Open a task of the student's planner again that was done or blocked. The student approves it first."""
    return _change(context, task, reopening)


def preview_edit(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Each field that would change, as it is and as it would be."""
    given = planner_edit_task.validate(arguments)
    board = board_of(context)
    task = board.find(given.pop("task"), field="task")
    changes = _edited(context, board, task, **given)
    if changes.get("due_at") != task.due_at:
        refuse_the_past(changes.get("due_at"), context)
    return _rows(context, board, task, changes)


@tool(
    label="Changing a task",
    title="Change a task in your planner",
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
    return _change(context, task, lambda board, found: _edited(context, board, found, **fields))


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
        raise BadArguments("Either a due date or none.", field="no_due_date")
    if no_due_date:
        changes |= {"due_at": None, "has_time": False}
    elif due_date or due_time:
        own = task.due_at.astimezone(context.timezone).date() if task.due_at else None
        changes |= {"due_at": due_at(due_date or own, due_time, context.timezone), "has_time": due_time is not None}
    changes |= {name: value for name, value in (("title", title), ("notes", notes)) if value is not None}
    if depends_on is not None:
        changes["depends_on"] = ids(board, depends_on)
        if board.cycle(task.id, changes["depends_on"]):
            raise BadArguments("These tasks would wait for each other in a circle.", field="depends_on")
    changes = {name: value for name, value in changes.items() if value != getattr(task, name)}
    if not changes:
        raise BadArguments("Nothing would change.", next_step="Say what should be different.")
    return changes


def _change(context: ToolExecutionContext, reference: str, changes: Callable[[Board, Task], Changes]) -> ToolResult:
    """Find the task, look at it as the card did, and change it, once over all tries of this operation."""
    tasks, board = tasks_of(context), board_of(context)
    earlier = tasks.changed_by(context.operation_id) if context.is_repeat and context.operation_id else None
    if earlier is not None:
        return _changed(context, earlier)
    task = board.find(reference, field="task")
    wanted = changes(board, task)
    if is_unlike_the_card(context, _rows(context, board, task, wanted)):
        raise ChangedElsewhere(LABEL, "This task was changed since, so it stays as it is.")
    change = tasks.change(task, context.operation_id, **wanted)
    if change is None:
        raise ChangedElsewhere(LABEL, "This task was changed since, so it stays as it is.")
    return _changed(context, change)


def _changed(context: ToolExecutionContext, change: Change) -> ToolResult:
    task, board = change.task, board_of(context)
    free = [one for one in board.waiting_for(task) if task.is_done and not board.is_held_up(one)]
    now_free = f"\nNow free: {titles(board, [one.id for one in free])}." if free else ""
    state = state_in_words(task)
    return ToolResult(
        output=f"“{one_line(task.title)}” is {one_line(state)}, {task.due(context.timezone)} "
        f"({LABEL}, id: {task.id}).{now_free}",
        data={**task.data(), "now_free": [one.id for one in free]},
        undo=change.undo,
    )


def _rows(context: ToolExecutionContext, board: Board, task: Task, changes: Changes) -> tuple[PreviewRow, ...]:
    """The task, each field that changes, and what the student should know about others."""
    after = replace(task, **changes)
    zone = context.timezone
    was, will = (
        {
            "Title": one.title,
            "State": state_in_words(one),
            "Due": one.due(zone).removeprefix("due "),
            "After": titles(board, one.depends_on) or "nothing",
            "Notes": one.notes,
        }
        for one in (task, after)
    )
    rows = [PreviewRow(label=label, value=will[label], before=was[label]) for label in was if was[label] != will[label]]
    others: dict[str, str] = {}
    if changes.get("status") in (TaskStatus.STARTED, TaskStatus.DONE):
        others["Still waits for"] = titles(board, [one.id for one in board.first(task)])
    return (
        PreviewRow(label="Task", value=task.title),
        *rows,
        *(PreviewRow(label=label, value=value) for label, value in others.items() if value),
    )


def _reason(arguments: Mapping[str, Any]) -> Changes:
    return {"reason": str(arguments["reason"]).strip()} if "reason" in arguments else {}


def _refuse_when(is_so: bool, sentence: str, next_step: str = "") -> None:
    if is_so:
        raise RequestRefused(LABEL, sentence, next_step=next_step)
