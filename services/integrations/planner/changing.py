"""Changing a task once over all tries of an approved operation, its card's rows, and its undo."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from services.errors import ChangedElsewhere
from services.i18n import gettext, gettext_noop
from services.integrations.kit.writes import is_card_stale
from services.integrations.planner.access import LABEL, board_of, state_in_words, tasks_of
from services.integrations.planner.board import Board
from services.integrations.planner.creating import titles
from services.integrations.planner.tasks import Change, Task, TaskStatus
from services.safety.text import one_line
from services.tools.base import PreviewRow, ToolExecutionContext, ToolResult

Changes = dict[str, Any]


def undo_change(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Give the task its former fields, unless it was changed since."""
    tasks = tasks_of(context)
    task = tasks.get(undo["task_id"])
    if task is None:
        raise ChangedElsewhere(LABEL, gettext("This task was deleted since."))
    if not tasks.restore(task.id, version=undo["version"], before=undo["before"]):
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays."))
    return ToolResult(output=gettext("“{title}” is as it was before.", title=one_line(task.title)))


def change(context: ToolExecutionContext, reference: str, changes: Callable[[Board, Task], Changes]) -> ToolResult:
    """Find the task, look at it as the card did, and change it, once over all tries of this operation."""
    tasks, board = tasks_of(context), board_of(context)
    earlier = tasks.changed_by(context.operation_id) if context.is_repeat and context.operation_id else None
    if earlier is not None:
        return _changed(context, earlier)
    task = board.find(reference, field="task")
    wanted = changes(board, task)
    if is_card_stale(context, rows_of(context, board, task, wanted)):
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays as it is."))
    change = tasks.change(task, context.operation_id, **wanted)
    if change is None:
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays as it is."))
    return _changed(context, change)


def _changed(context: ToolExecutionContext, change: Change) -> ToolResult:
    task, board = change.task, board_of(context)
    free = [one for one in board.waiting_for(task) if task.is_done and not board.is_held_up(one)]
    now_free = f"\nNow free: {titles(board, [one.id for one in free])}." if free else ""
    heading = gettext(
        "“{title}” is {state}, {due} ({label}).",
        title=one_line(task.title),
        state=one_line(state_in_words(task)),
        due=task.said_due(context.timezone),
        label=gettext(LABEL),
    )
    return ToolResult(
        output=f"{heading}\n(id: {task.id}){now_free}",
        data={**task.data(), "now_free": [one.id for one in free]},
        undo=change.undo,
    )


def rows_of(context: ToolExecutionContext, board: Board, task: Task, changes: Changes) -> tuple[PreviewRow, ...]:
    """The task, each field that changes, and what the student should know about others."""
    after = replace(task, **changes)
    zone = context.timezone
    was, will = (
        {
            gettext_noop("Title"): one.title,
            gettext_noop("State"): state_in_words(one),
            gettext_noop("Due"): one.due(zone).removeprefix("due "),
            gettext_noop("After"): titles(board, one.depends_on) or gettext("nothing"),
            gettext_noop("Notes"): one.notes,
        }
        for one in (task, after)
    )
    rows = [PreviewRow(label=label, value=will[label], before=was[label]) for label in was if was[label] != will[label]]
    others: dict[str, str] = {}
    if changes.get("status") in (TaskStatus.STARTED, TaskStatus.DONE):
        others[gettext_noop("Still waits for")] = titles(board, [one.id for one in board.first(task)])
    return (
        PreviewRow(label=gettext_noop("Task"), value=task.title),
        *rows,
        *(PreviewRow(label=label, value=value) for label, value in others.items() if value),
    )
