"""Task status: the tools that start, block, complete and reopen a task, each with a card and an undo."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from services.errors import RequestRefused
from services.i18n import gettext, gettext_noop
from services.integrations.planner.access import CATEGORY, CONTEXTS, LABEL, TaskReference, find_task, task_graph_of
from services.integrations.planner.tasks import Task, TaskStatus
from services.integrations.planner.tools.task_edit import TaskFields, change_rows, change_task, undo_change
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

Reason = Annotated[str, Field(min_length=1, max_length=500, description="Like “the library is closed”.")]


@dataclass(frozen=True, kw_only=True)
class StatusTransition:
    """Change of status. to: the new one. refused: the old ones that do not allow it, with sentence and next step."""

    to: TaskStatus
    refused: Mapping[TaskStatus, tuple[str, str]]

    def changes(self, task: Task, now: datetime, reason: str = "") -> TaskFields:
        """Fields that change; raises `RequestRefused` for a status that does not allow it."""
        if task.status in self.refused:
            sentence, next_step = self.refused[task.status]
            raise RequestRefused(LABEL, gettext(sentence), next_step=next_step)
        return {"status": self.to, "reason": reason.strip(), "done_at": now if self.to is TaskStatus.DONE else None}

    def preview(self, context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
        """Card rows: the task, its status before and after, and open prerequisites."""
        graph = task_graph_of(context)
        task = find_task(context, graph, arguments["task"])
        changes = self.changes(task, context.container.clock(), str(arguments.get("reason", "")))
        return change_rows(context, graph, task, changes)

    def apply(self, context: ToolExecutionContext, task: str, reason: str = "") -> ToolResult:
        """Change the task, once over all tries of the operation."""
        now = context.container.clock()
        return change_task(context, task, lambda _, found: self.changes(found, now, reason))


_DONE = gettext_noop("This task is done already.")
_REOPEN = "Reopen it first, with planner_reopen_task."
_OPEN = (gettext_noop("This task is neither done nor blocked."), "")
START = StatusTransition(
    to=TaskStatus.STARTED,
    refused={
        TaskStatus.DONE: (_DONE, _REOPEN),
        TaskStatus.STARTED: (gettext_noop("This task is started already."), ""),
    },
)
BLOCK = StatusTransition(to=TaskStatus.BLOCKED, refused={TaskStatus.DONE: (_DONE, _REOPEN)})
COMPLETE = StatusTransition(to=TaskStatus.DONE, refused={TaskStatus.DONE: (_DONE, "")})
REOPEN = StatusTransition(to=TaskStatus.OPEN, refused={TaskStatus.OPEN: _OPEN, TaskStatus.STARTED: _OPEN})


@tool(
    label=gettext_noop("Starting a task"),
    title=gettext_noop("Start a task in your planner"),
    summary=gettext_noop("Mark a task as started"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=START.preview,
    undo=undo_change,
    usage_hint="Marks a task as started.",
    when=("the student begins with a task",),
    when_not=("it is finished already",),
    examples=(Example(description="I'm on the outline now", arguments={"task": "Outline"}),),
)
def planner_start_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Mark a task of the student's planner as started. A blocked one is not blocked any more then."""
    return START.apply(context, task)


@tool(
    label=gettext_noop("Blocking a task"),
    title=gettext_noop("Mark a task as blocked in your planner"),
    summary=gettext_noop("Mark a task as blocked, with what is in the way"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=BLOCK.preview,
    undo=undo_change,
    usage_hint="Marks a task as blocked, with what is in the way.",
    when=("the student cannot go on with a task",),
    when_not=("another task must come first: name it when the task is edited",),
    examples=(
        Example(
            description="I can't go on with the report, the lab is closed until Monday",
            arguments={"task": "Lab report 6", "reason": "the lab is closed until Monday"},
        ),
    ),
)
def planner_block_task(context: ToolExecutionContext, *, task: TaskReference, reason: Reason) -> ToolResult:
    """Mark a task of the student's planner as blocked, with what is in the way.

    For something outside. A task that waits for another task gets depends_on with planner_edit_task instead.
    """
    return BLOCK.apply(context, task, reason)


@tool(
    label=gettext_noop("Completing a task"),
    title=gettext_noop("Complete a task in your planner"),
    summary=gettext_noop("Mark a task as done"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=COMPLETE.preview,
    undo=undo_change,
    usage_hint="Marks a task as done.",
    when=("the student says that they have finished a task",),
    when_not=("an assignment is to be handed in: that is done in Canvas",),
    examples=(Example(description="Chapter 7 is done", arguments={"task": "Read chapter 7"}),),
)
def planner_complete_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Mark a task of the student's planner as done. Nothing is handed in by it."""
    return COMPLETE.apply(context, task)


@tool(
    label=gettext_noop("Reopening a task"),
    title=gettext_noop("Reopen a task in your planner"),
    summary=gettext_noop("Open a task again that was done or blocked"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=REOPEN.preview,
    undo=undo_change,
    usage_hint="Opens a task again that was done or blocked.",
    when=("the student is not done after all", "what was in the way is gone"),
    when_not=("a new task is wanted",),
    examples=(Example(description="I was wrong, chapter 7 isn't done", arguments={"task": "Read chapter 7"}),),
)
def planner_reopen_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Open a task of the student's planner again that was done or blocked."""
    return REOPEN.apply(context, task)
