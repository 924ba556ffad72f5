"""Task lists: the tools that list tasks, what is held up and why, and the order to work in."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from services.errors import BadArguments
from services.i18n import gettext, gettext_noop
from services.i18n.english import clock, count, cut_note, days, moment, sentence
from services.integrations.planner.access import CATEGORY, CONTEXTS, LABEL, task_facts, task_graph_of, task_line
from services.integrations.planner.task_graph import TaskGraph
from services.integrations.planner.tasks import Task, TaskStatus
from services.safety.text import one_line
from services.tools.context import ToolExecutionContext
from services.tools.decorator import tool
from services.tools.result import ToolResult
from services.tools.result_contracts import TASKS
from services.tools.tool import Example

_MOST_SHOWN = 100

State = Literal["open", "ready", "started", "blocked", "done", "all"]
WORDS: dict[State, str] = {
    "open": "open task",
    "ready": "task that can be done now",
    "started": "started task",
    "blocked": "blocked or waiting task",
    "done": "done task",
    "all": "task",
}


@tool(
    label=gettext_noop("Looking at your tasks"),
    title=gettext_noop("Look at your tasks"),
    summary=gettext_noop("See the tasks in your planner, the earliest due first"),
    category=CATEGORY,
    contexts=CONTEXTS,
    produces=(TASKS,),
    usage_hint="Shows the student's own tasks, the earliest due first.",
    when=("the student asks for their tasks", "a task must be found before it is changed"),
    when_not=("assignments of courses are asked for",),
    examples=(
        Example(
            description="Which tasks are due this week?",
            arguments={"due_from": "2026-11-23", "due_until": "2026-11-29"},
        ),
    ),
)
def planner_list_tasks(
    context: ToolExecutionContext,
    *,
    state: Annotated[
        State,
        Field(
            description="open: all that is not done. ready: can be done now. blocked: blocked, or waiting for "
            "another task."
        ),
    ] = "open",
    due_from: Annotated[date | None, Field(description="Due on this day or later.")] = None,
    due_until: Annotated[date | None, Field(description="Due on this day or earlier.")] = None,
) -> ToolResult:
    """List the tasks in the student's own planner in Homeroom, the earliest due first.

    Only what was added here: coursework and plans are elsewhere. For an order to work in use planner_plan; for what
    holds things up planner_list_blocked.
    """
    if due_from and due_until and due_until < due_from:
        raise BadArguments(gettext("The end is before the start."), field="due_until")
    graph = task_graph_of(context)
    found = [
        task for task in graph.tasks if _has_state(graph, task, state) and _is_due(task, due_from, due_until, context)
    ]
    shown = found[:_MOST_SHOWN]
    span = f" due {days(due_from, due_until)}" if due_from and due_until else ""
    plural = "tasks that can be done now" if state == "ready" else ""
    words = count(len(found), WORDS[state], plural)
    heading = sentence(f"{words}{span} ({LABEL}, as of {clock(context.now())}).")
    return ToolResult(
        output=_joined(heading, *(task_line(graph, task, context) for task in shown), cut_note(len(shown), len(found))),
        data={"tasks": [task.data() for task in shown], "total": len(found)},
    )


@tool(
    label=gettext_noop("Looking at what is blocked"),
    title=gettext_noop("Look at what is blocked"),
    summary=gettext_noop("See which tasks are held up, and what would free them"),
    category=CATEGORY,
    contexts=CONTEXTS,
    usage_hint="Shows which tasks are held up, and what would free them.",
    when=("the student asks why they cannot go on",),
    when_not=("all tasks are asked for",),
    examples=(Example(description="What am I waiting for?", arguments={}),),
)
def planner_list_blocked(context: ToolExecutionContext) -> ToolResult:
    """List the tasks of the student's planner that are held up, and why: blocked themselves, or waiting for others.

    Each reason goes down to what could be done about it.
    """
    graph, zone = task_graph_of(context), context.timezone
    held_up = [task for task in graph.tasks if not task.is_done and graph.is_held_up(task)]
    heading = sentence(f"{count(len(held_up), 'task')} held up ({LABEL}, as of {clock(context.now())}).")
    reasons = {task.id: graph.blocking_reasons(task, zone) for task in held_up}
    lines = [
        f"- **{one_line(task.title)}** — {task.due_text(zone)} — {'; '.join(reasons[task.id])} (id: {task.id})"
        for task in held_up[:_MOST_SHOWN]
    ]
    return ToolResult(
        output=_joined(heading, *lines, cut_note(len(lines), len(held_up))),
        data={"tasks": [{**task.data(), "why": reasons[task.id]} for task in held_up[:_MOST_SHOWN]]},
    )


@tool(
    label=gettext_noop("Planning your tasks"),
    title=gettext_noop("Plan your tasks"),
    summary=gettext_noop("Put your open tasks in an order that works"),
    category=CATEGORY,
    contexts=CONTEXTS,
    usage_hint="Puts open tasks in an order that works.",
    when=("tasks depend on each other, and the student asks what comes first",),
    when_not=("it is about work for courses",),
    examples=(Example(description="In which order should I do my tasks?", arguments={}),),
)
def planner_plan(context: ToolExecutionContext) -> ToolResult:
    """Put the open tasks of the student's planner into an order to do them in, which respects what comes first.

    The rule: a task comes after those it depends on; among the rest what is needed earliest, then what is started,
    then what was added first. What is blocked is listed apart. It plans no times of day.
    """
    graph = task_graph_of(context)
    order = graph.work_order()
    placed = {task.id for task in order}
    left_out = [task for task in graph.tasks if not task.is_done and task.id not in placed]
    heading = sentence(f"{count(len(order), 'task')} in the order to do them ({LABEL}, as of {clock(context.now())}).")
    lines = [f"{number}. {_step(graph, task, context)}" for number, task in enumerate(order[:_MOST_SHOWN], 1)]
    apart = ["\nNot possible yet:", *(task_line(graph, task, context) for task in left_out[:_MOST_SHOWN])]
    return ToolResult(
        output=_joined(
            heading, *lines, cut_note(len(lines), len(order)), *_conflicts(graph), *(apart if left_out else [])
        ),
        data={
            "order": [task.data() for task in order[:_MOST_SHOWN]],
            "not_possible_yet": [task.data() for task in left_out[:_MOST_SHOWN]],
        },
    )


def _joined(*lines: str) -> str:
    return "\n".join(line for line in lines if line)


def _has_state(graph: TaskGraph, task: Task, state: State) -> bool:
    match state:
        case "all":
            return True
        case "done":
            return task.is_done
        case "started":
            return task.status is TaskStatus.STARTED
        case "ready":
            return not task.is_done and not graph.is_held_up(task)
        case "blocked":
            return not task.is_done and graph.is_held_up(task)
    return not task.is_done


def _is_due(task: Task, first: date | None, last: date | None, context: ToolExecutionContext) -> bool:
    if not (first or last):
        return True
    if task.due_at is None:
        return False
    on = task.due_at.astimezone(context.timezone).date()
    return (first is None or on >= first) and (last is None or on <= last)


def _step(graph: TaskGraph, task: Task, context: ToolExecutionContext) -> str:
    now_known = [fact for fact in task_facts(graph, task, context) if not fact.startswith("waits for")]
    after = [f"after “{one_line(first.title)}”" for first in graph.open_prerequisites(task)]
    wanted = graph.needed_by(task)
    sooner = wanted is not None and (task.due_at is None or wanted < task.due_at)
    needed = [f"needed for something due {moment(wanted, context.timezone)}"] if sooner and wanted else []
    return f"{' — '.join([f'**{one_line(task.title)}**', *now_known, *after, *needed])} (id: {task.id})"


def _conflicts(graph: TaskGraph) -> list[str]:
    """Notes on tasks that are due before one of their prerequisites."""
    return [
        f"Note: “{one_line(task.title)}” is due before “{one_line(first.title)}”, which must come first."
        for task in graph.tasks
        for first in ([] if task.is_done else graph.open_prerequisites(task))
        if task.due_at and first.due_at and first.due_at > task.due_at
    ]
