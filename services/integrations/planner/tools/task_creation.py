"""Task creation and deletion: the two tools, their cards and their undos."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, NameUnknown
from services.i18n import english, gettext, gettext_noop
from services.integrations.kit.argument_errors import ArgumentErrorCollector
from services.integrations.kit.writes import is_card_stale
from services.integrations.planner.access import (
    CATEGORY,
    CONTEXTS,
    LABEL,
    TaskReference,
    find_task,
    status_text,
    task_graph_of,
    tasks_of,
)
from services.integrations.planner.task_graph import TaskGraph
from services.integrations.planner.tasks import END_OF_DAY, Task
from services.runtime.clock import stamp
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

AFTER = gettext_noop("After")
Title = Annotated[str, Field(min_length=1, max_length=200, description='Like "Read chapter 7".')]
DueDate = Annotated[date | None, Field(description="The day it is due.")]
DueTime = Annotated[time | None, Field(description="The time of that day.")]
Notes = Annotated[str, Field(max_length=2000, description="Anything else, as plain text.")]
After = Annotated[
    list[str],
    Field(max_length=20, description="Tasks that must be done before it, by ids or words of titles."),
]


def preview_task(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: every field; raises `BadArguments` for a day that is over."""
    graph = task_graph_of(context)
    task = _task(context, graph, **planner_create_task.validate(arguments), is_new=True)
    rows = {
        gettext_noop("Title"): task.title,
        gettext_noop("Due"): task.localized_due(context.timezone),
        AFTER: task_titles(graph, task.depends_on),
        gettext_noop("Notes"): task.notes,
    }
    shown = (PreviewRow(label=label, value=value) for label, value in rows.items() if value)
    return tuple(mark_due(pin_dependencies(row, task.depends_on), task.due_at) for row in shown)


def undo_task(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Delete the task, unless it was changed since."""
    tasks = tasks_of(context)
    if not tasks.remove(undo["task_id"], version=undo["version"]) and tasks.get(undo["task_id"]):
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays."))
    return ToolResult(output=gettext("The task is off the list again."))


@tool(
    label=gettext_noop("Adding a task"),
    title=gettext_noop("Add a task to your planner"),
    summary=gettext_noop("Add a task with its due date and what must come first"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_task,
    undo=undo_task,
    usage_hint="Adds a task with its due date and what must come first.",
    when=("the student wants to remember to do something",),
    when_not=("it happens at a fixed time: that is an event", "the task exists"),
    examples=(
        Example(
            description="Remind me to read chapter 7 by Friday.",
            arguments={"title": "Read chapter 7", "due_date": "2026-11-27"},
        ),
        Example(
            description="After that I must write the summary.",
            arguments={"title": "Write the summary", "depends_on": ["Read chapter 7"]},
        ),
    ),
)
def planner_create_task(
    context: ToolExecutionContext,
    *,
    title: Title,
    due_date: DueDate = None,
    due_time: DueTime = None,
    notes: Notes = "",
    depends_on: After = [],  # noqa: B006 - never changed
) -> ToolResult:
    """Add a task to the student's own planner in Homeroom.

    For something to remember or to do. What takes place at a time is a calendar event instead.
    """
    task = _task(
        context,
        task_graph_of(context),
        title=title,
        due_date=due_date,
        due_time=due_time,
        notes=notes,
        depends_on=depends_on,
    )
    task = tasks_of(context).add(task)
    return ToolResult(
        output=gettext(
            "Added the task “{title}”, {due} ({label}).",
            title=one_line(task.title),
            due=task.due_phrase(context.timezone),
            label=gettext(LABEL),
        )
        + f"\n(id: {task.id})",
        data=task.data(),
        undo={"task_id": task.id, "version": task.version},
    )


def preview_deletion(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: the task, and what waits for it."""
    graph = task_graph_of(context)
    return _deletion_rows(context, graph, find_task(context, graph, planner_delete_task.validate(arguments)["task"]))


def undo_deletion(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Insert the task again; what waited for it waits for it again."""
    tasks_of(context).put_back(dict(undo["task"]))
    return ToolResult(output=gettext("The task is on the list again."))


@tool(
    label=gettext_noop("Deleting a task"),
    title=gettext_noop("Delete a task from your planner"),
    summary=gettext_noop("Delete a task"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_deletion,
    undo=undo_deletion,
    usage_hint="Deletes a task.",
    when=("the student does not want a task any more",),
    when_not=("it is done: complete it",),
    examples=(Example(description="Forget about chapter 7", arguments={"task": "Read chapter 7"}),),
)
def planner_delete_task(context: ToolExecutionContext, *, task: TaskReference) -> ToolResult:
    """Delete a task from the student's own planner. Tasks that waited for it do not wait any more.

    For a mistake, or what does not matter any more; one that was done is completed instead.
    """
    graph = task_graph_of(context)
    try:
        found = find_task(context, graph, task)
    except NameUnknown:
        if not context.is_repeat:
            raise
        return ToolResult(output=gettext("The task is off the list ({label}).", label=gettext(LABEL)))
    if is_card_stale(context, _deletion_rows(context, graph, found)):
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays."))
    document = tasks_of(context).remove(found.id, version=found.version)
    if document is None:
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays."))
    return ToolResult(
        output=gettext("Deleted the task “{title}” ({label}).", title=one_line(found.title), label=gettext(LABEL)),
        data=found.data(),
        undo={"task": dict(document)},
    )


def due_moment(due_date: date | None, due_time: time | None, zone: ZoneInfo) -> datetime | None:
    """Time when a task is due; raises `BadArguments` for a time without a day."""
    if due_time and not due_date:
        raise BadArguments(gettext("A time needs a due_date too."), field="due_date")
    return datetime.combine(due_date, due_time or END_OF_DAY, zone) if due_date else None


def require_future(due: datetime | None, context: ToolExecutionContext) -> None:
    """Raise `BadArguments` for a due date that is over."""
    if due and due < context.now():
        raise BadArguments(
            f"due_date: {english.moment(due, context.timezone)} is over; today is {english.day(context.now().date())}.",
            field="due_date",
            next_step="Ask the student which day they mean.",
            said=gettext("That due date is over. Give one that is still to come."),
        )


def dependency_ids(context: ToolExecutionContext, graph: TaskGraph, references: Sequence[str]) -> tuple[str, ...]:
    """Ids of the prerequisites, which are open tasks; raises `BadArguments`, `ChangedElsewhere`."""
    open_tasks = [task for task in graph.tasks if not task.is_done]
    errors = ArgumentErrorCollector()
    found = [errors.read(_prerequisite, context, graph, reference, open_tasks) for reference in references]
    errors.raise_found()
    return tuple(dict.fromkeys(task.id for task in found if task))


def _prerequisite(context: ToolExecutionContext, graph: TaskGraph, reference: str, open_tasks: Sequence[Task]) -> Task:
    try:
        return find_task(context, graph, reference, field="depends_on", among=open_tasks)
    except NameUnknown as unknown:
        # A model likes to add a task and one that waits for it in the same step.
        raise NameUnknown(
            f"depends_on: there is no open task “{one_line(reference)}”.",
            choices=unknown.choices,
            field="depends_on",
            next_step=f"If you are just adding it, call again after its approval. {unknown.next_step}".strip(),
            said=unknown.said,
        ) from None


def pin_dependencies(row: PreviewRow, ids: Sequence[str]) -> PreviewRow:
    """Row that names the prerequisites, with the ids that it stands for; any other as it is."""
    return replace(row, resolved={"depends_on": list(ids)}) if row.label == AFTER else row


def task_titles(graph: TaskGraph, ids: Sequence[str]) -> str:
    """Titles of tasks, for a card."""
    return ", ".join(f"“{graph.by_id[id].title}”" for id in ids if id in graph.by_id)


def mark_due(row: PreviewRow, due_at: datetime | None) -> PreviewRow:
    """Row that speaks of the past once that due date is over."""
    return replace(row, past_at=stamp(due_at)) if due_at and row.label == "Due" else row


def _task(
    context: ToolExecutionContext,
    graph: TaskGraph,
    *,
    title: str,
    due_date: date | None,
    due_time: time | None,
    notes: str,
    depends_on: Sequence[str],
    is_new: bool = False,
) -> Task:
    """Build a task; raises `BadArguments` with all that is wrong. is_new: whether its due date must be ahead."""
    # A repeat finds its own task among the others, and it is given back as it is.
    id = context.operation_id or secrets.token_hex(12)
    before = TaskGraph([task for task in graph.tasks if task.id != id])
    errors = ArgumentErrorCollector()
    due_at = errors.read(due_moment, due_date, due_time, context.timezone)
    if is_new:
        errors.read(require_future, due_at, context)
    prerequisites = errors.read(dependency_ids, context, before, depends_on)
    errors.raise_found()
    return Task(
        id=id,
        title=title,
        due_at=due_at,
        has_time=due_time is not None,
        notes=notes,
        depends_on=prerequisites or (),
        created_at=context.container.clock(),
    )


def _deletion_rows(context: ToolExecutionContext, graph: TaskGraph, task: Task) -> tuple[PreviewRow, ...]:
    rows = {
        gettext_noop("Due"): task.localized_due(context.timezone),
        gettext_noop("State"): status_text(task),
        gettext_noop("Waiting for it"): task_titles(graph, [dependent.id for dependent in graph.dependents(task)]),
        gettext_noop("Notes"): task.notes,
    }
    named = PreviewRow(label=gettext_noop("Task"), value=task.title, resolved={"task": task.id})
    return (named, *(PreviewRow(label=label, value=value) for label, value in rows.items() if value))
