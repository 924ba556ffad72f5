"""The tools that change how a task stands: start, block, complete and reopen, each with a card and an undo."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field

from services.errors import RequestRefused
from services.integrations.planner.access import CATEGORY, CONTEXTS, LABEL, TaskReference, board_of
from services.integrations.planner.board import Board
from services.integrations.planner.changing import Changes, change, rows_of, undo_change
from services.integrations.planner.tasks import Task, TaskStatus
from services.tools.base import Effect, Example, Preview, PreviewRow, ToolExecutionContext, ToolResult
from services.tools.decorator import tool

Reason = Annotated[
    str, Field(min_length=1, max_length=500, description="What is in the way, like “the library is closed”.")
]


def preview_of(changes: Callable[[Board, Task], Changes]) -> Preview:
    """A card for a change of state: the task, how it stands, and what that means for others."""

    def preview(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
        board = board_of(context)
        task = board.find(arguments["task"], field="task")
        return rows_of(context, board, task, changes(board, task) | _reason(arguments))

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
    return change(context, task, starting)


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
    return change(context, task, lambda board, found: {**blocking(board, found), "reason": reason})


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
    return change(context, task, lambda board, found: {**completing(board, found), "done_at": now})


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
    return change(context, task, reopening)


def _reason(arguments: Mapping[str, Any]) -> Changes:
    return {"reason": str(arguments["reason"]).strip()} if "reason" in arguments else {}


def _refuse_when(is_so: bool, sentence: str, next_step: str = "") -> None:
    if is_so:
        raise RequestRefused(LABEL, sentence, next_step=next_step)
