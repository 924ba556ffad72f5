"""Access to a student's tasks for the tools, and how a task is named, listed and described."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from services.errors import ChangedElsewhere, NameUnknown
from services.i18n import gettext, gettext_noop
from services.i18n.english import moment
from services.integrations.kit.writes import is_resolved
from services.integrations.planner.task_graph import TaskGraph
from services.integrations.planner.tasks import LABEL as LABEL
from services.integrations.planner.tasks import Task, Tasks, TaskStatus
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext

CATEGORY = "planner"
CONTEXTS = ("planner",)

STATUS_LABELS = {
    TaskStatus.OPEN: gettext_noop("open"),
    TaskStatus.STARTED: gettext_noop("started"),
    TaskStatus.BLOCKED: gettext_noop("blocked"),
    TaskStatus.DONE: gettext_noop("done"),
}

TaskReference = Annotated[
    str,
    Field(min_length=1, max_length=200, description="Its id from planner_list_tasks, or words of its title."),
]


def tasks_of(context: ToolExecutionContext) -> Tasks:
    return Tasks(context.container.store, context.student.id, context.timezone)


def task_graph_of(context: ToolExecutionContext) -> TaskGraph:
    return TaskGraph(tasks_of(context).all())


def find_task(
    context: ToolExecutionContext,
    graph: TaskGraph,
    reference: str,
    *,
    field: str = "task",
    among: Sequence[Task] | None = None,
) -> Task:
    """As `TaskGraph.find_task`; raises `ChangedElsewhere` for a task of an approved card that is gone since."""
    try:
        return graph.find_task(reference, context.timezone, field=field, among=among)
    except NameUnknown:
        if context.is_repeat or not is_resolved(context, field):
            raise
        raise ChangedElsewhere(
            LABEL, gettext("A task of this card is not in the planner any more, so nothing was changed.")
        ) from None


def task_line(graph: TaskGraph, task: Task, context: ToolExecutionContext) -> str:
    """List line of a task."""
    parts = [f"**{one_line(task.title)}**", *task_facts(graph, task, context), one_line(task.notes)]
    return f"- {' — '.join(part for part in parts if part)} (id: {task.id})"


def task_facts(graph: TaskGraph, task: Task, context: ToolExecutionContext) -> list[str]:
    """Due date and state of a task, and what holds it up."""
    now, zone = context.now(), context.timezone
    if task.is_done:
        return [f"done {moment(task.done_at, zone)}" if task.done_at else "done"]
    overdue = ["overdue"] if task.due_at and task.due_at < now else []
    started = ["started"] if task.status is TaskStatus.STARTED else []
    return [task.due_text(zone), *overdue, *started, *graph.blocking_reasons(task, zone)]


def status_text(task: Task) -> str:
    """State of a task for a card, in the student's language."""
    is_blocked = task.status is TaskStatus.BLOCKED
    return gettext("blocked: {reason}", reason=task.reason) if is_blocked else gettext(STATUS_LABELS[task.status])
