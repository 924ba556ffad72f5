"""Task edit: the tool that changes title, due date, notes or prerequisites; and how any change of a task is made,
shown on a card and undone.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, time
from typing import Annotated, Any

from pydantic import Field

from services.errors import BadArguments, ChangedElsewhere, HomeroomError
from services.i18n import gettext, gettext_noop
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
from services.integrations.planner.tasks import Task, TaskChange, Tasks, TaskStatus
from services.integrations.planner.tools.task_creation import (
    DueDate,
    DueTime,
    dependency_ids,
    due_moment,
    mark_due,
    pin_dependencies,
    require_future,
    task_titles,
)
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import PreviewRow, ToolResult
from services.tools.tool import Effect, Example

TaskFields = dict[str, Any]


def undo_change(context: ToolExecutionContext, undo: Mapping[str, Any]) -> ToolResult:
    """Restore the task's former fields, unless it was changed since."""
    tasks = tasks_of(context)
    task = tasks.get(undo["task_id"])
    if task is None:
        raise ChangedElsewhere(LABEL, gettext("This task was deleted since."))
    if not tasks.restore(task.id, context.operation_id, version=undo["version"], before=undo["before"]):
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays."))
    return ToolResult(output=gettext("“{title}” is as it was before.", title=one_line(task.title)))


def preview_edit(context: ToolExecutionContext, arguments: Mapping[str, Any]) -> tuple[PreviewRow, ...]:
    """Card rows: each field that would change, before and after."""
    given = planner_edit_task.validate(arguments)
    graph, errors = task_graph_of(context), ArgumentErrorCollector()
    task = errors.read(find_task, context, graph, given.pop("task"))
    changes = errors.read(_edited_fields, context, graph, task, must_be_ahead=True, **given)
    errors.raise_found()
    assert task
    assert changes
    return change_rows(context, graph, task, changes)


@tool(
    label=gettext_noop("Changing a task"),
    title=gettext_noop("Change a task in your planner"),
    summary=gettext_noop("Change a task's title, due date, notes or what comes before it"),
    category=CATEGORY,
    contexts=CONTEXTS,
    effect=Effect.WRITE,
    preview=preview_edit,
    undo=undo_change,
    usage_hint="Changes a task's title, due date, notes or what comes before it.",
    when=("the student corrects or moves a task",),
    when_not=("only its state changes",),
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
    no_due_date: Annotated[bool, Field(description="Takes the due date away.")] = False,
    notes: Annotated[str | None, Field(max_length=2000, description="New notes instead of the old.")] = None,
    depends_on: Annotated[
        list[str] | None,
        Field(
            max_length=20,
            description="All tasks that must be done before it, by ids or words of titles; [] for none.",
        ),
    ] = None,
) -> ToolResult:
    """Change title, due date, notes or dependencies of a task in the student's planner. Give only what changes."""
    fields: dict[str, Any] = {
        "title": title,
        "due_date": due_date,
        "due_time": due_time,
        "no_due_date": no_due_date,
        "notes": notes,
        "depends_on": depends_on,
    }
    return change_task(context, task, lambda graph, found: _edited_fields(context, graph, found, **fields))


def _edited_fields(
    context: ToolExecutionContext,
    graph: TaskGraph,
    task: Task | None,
    *,
    title: str | None,
    due_date: date | None,
    due_time: time | None,
    no_due_date: bool,
    notes: str | None,
    depends_on: list[str] | None,
    must_be_ahead: bool = False,
) -> TaskFields:
    """Fields that change; raises `BadArguments` with all that is wrong. task: None when none fits the words for it.

    must_be_ahead: whether another due date may not be over.
    """
    errors = ArgumentErrorCollector()
    changes: TaskFields = {name: value for name, value in (("title", title), ("notes", notes)) if value is not None}
    if no_due_date and (due_date or due_time):
        sentence, said = "Give due_date and due_time, or no_due_date; not both.", gettext("Either a due date or none.")
        errors.add(BadArguments(sentence, field="no_due_date", said=said))
    elif no_due_date:
        changes |= {"due_at": None, "has_time": False}
    elif due_date or (due_time and task):
        own = task.due_at.astimezone(context.timezone).date() if task and task.due_at else None
        due_at = errors.read(due_moment, due_date or own, due_time, context.timezone)
        if must_be_ahead and due_at != (task and task.due_at):
            errors.read(require_future, due_at, context)
        changes |= {"due_at": due_at, "has_time": due_time is not None}
    if depends_on is not None:
        changes["depends_on"] = first = errors.read(dependency_ids, context, graph, depends_on)
        if task and first and graph.find_cycle(task.id, first):
            problem = gettext("These tasks would wait for each other in a circle.")
            errors.add(BadArguments(problem, field="depends_on"))
    errors.raise_found()
    changes = {name: value for name, value in changes.items() if value != getattr(task, name, None)}
    if task and not changes:
        raise BadArguments(gettext("Nothing would change."), next_step=gettext("Say what should be different."))
    return changes


def change_task(
    context: ToolExecutionContext, reference: str, changes: Callable[[TaskGraph, Task], TaskFields]
) -> ToolResult:
    """Change a task, once over all tries of the operation; raises `ChangedElsewhere` when the card is stale."""
    tasks = tasks_of(context)
    if context.is_repeat and (earlier := _earlier_change(context)) is not None:
        return _change_result(context, earlier)
    try:
        return _change_result(context, _change(context, tasks, reference, changes))
    except HomeroomError:
        # Another try of this operation may have been faster just now.
        if (earlier := _earlier_change(context)) is None:
            raise
        return _change_result(context, earlier)


def _earlier_change(context: ToolExecutionContext) -> TaskChange | None:
    return tasks_of(context).changed_by(context.operation_id) if context.operation_id else None


def _change(
    context: ToolExecutionContext, tasks: Tasks, reference: str, changes: Callable[[TaskGraph, Task], TaskFields]
) -> TaskChange:
    graph = task_graph_of(context)
    task = find_task(context, graph, reference)
    wanted = changes(graph, task)
    if is_card_stale(context, change_rows(context, graph, task, wanted)):
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays as it is."))
    change = tasks.change(task, context.operation_id, **wanted)
    if change is None:
        raise ChangedElsewhere(LABEL, gettext("This task was changed since, so it stays as it is."))
    return change


def _change_result(context: ToolExecutionContext, change: TaskChange) -> ToolResult:
    task, graph = change.task, task_graph_of(context)
    dependents = graph.dependents(task) if task.is_done else ()
    free = [dependent.id for dependent in dependents if not graph.is_held_up(dependent)]
    now_free = f"\nNow free: {task_titles(graph, free)}." if free else ""
    heading = gettext(
        "“{title}” is {state}, {due} ({label}).",
        title=one_line(task.title),
        state=one_line(status_text(task)),
        due=task.due_phrase(context.timezone),
        label=gettext(LABEL),
    )
    return ToolResult(
        output=f"{heading}\n(id: {task.id}){now_free}",
        data={**task.data(), "now_free": free},
        undo=change.undo,
    )


def change_rows(
    context: ToolExecutionContext, graph: TaskGraph, task: Task, changes: TaskFields
) -> tuple[PreviewRow, ...]:
    """Card rows: the task, each field that changes, and the open prerequisites of what is started or done."""
    after = replace(task, **changes)
    zone = context.timezone
    was, will = (
        {
            gettext_noop("Title"): version.title,
            gettext_noop("State"): status_text(version),
            gettext_noop("Due"): version.due_text(zone).removeprefix("due "),
            gettext_noop("After"): task_titles(graph, version.depends_on) or gettext("nothing"),
            gettext_noop("Notes"): version.notes,
        }
        for version in (task, after)
    )
    rows = [PreviewRow(label=label, value=will[label], before=was[label]) for label in was if was[label] != will[label]]
    others: dict[str, str] = {}
    if changes.get("status") in (TaskStatus.STARTED, TaskStatus.DONE):
        others[gettext_noop("Still waits for")] = task_titles(
            graph, [first.id for first in graph.open_prerequisites(task)]
        )
    if "depends_on" in changes:
        rows = [pin_dependencies(row, after.depends_on) for row in rows]
    if "due_at" in changes:
        rows = [mark_due(row, after.due_at) for row in rows]
    return (
        PreviewRow(label=gettext_noop("Task"), value=task.title, resolved={"task": task.id}),
        *rows,
        *(PreviewRow(label=label, value=value) for label, value in others.items() if value),
    )
