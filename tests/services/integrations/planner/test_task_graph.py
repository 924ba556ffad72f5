"""Dependencies: what waits for what and why, no circles, and an order that a person could follow."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.errors import BadArguments
from services.integrations.planner.task_graph import TaskGraph
from services.integrations.planner.tasks import Task, TaskStatus
from tests.services.integrations.planner.calls import add, card, run
from tests.services.integrations.planner.conftest import ContextOf

NOW = datetime(2026, 11, 23, 15, tzinfo=UTC)
CHICAGO = ZoneInfo("America/Chicago")


def lines(context_of: ContextOf, name: str) -> list[str]:
    return [text.split(" (id:")[0] for text in run(context_of(), name).output.splitlines()[1:]]


@pytest.fixture
def essay(context_of: ContextOf) -> None:
    """Sources (blocked) → Outline → Draft → Proofread, and Cards, which stand alone."""
    context = context_of()
    add(context, "Sources", due_date="2026-11-25")
    add(context, "Outline", due_date="2026-11-27", depends_on=["Sources"])
    add(context, "Draft", depends_on=["Outline"])
    add(context, "Proofread", due_date="2026-12-01", depends_on=["Draft"])
    add(context, "Cards", due_date="2026-11-28")


def test_what_is_held_up_is_told_down_to_the_cause(context_of: ContextOf, essay: None) -> None:
    run(context_of(operation_id="op"), "block_task", task="Sources", reason="the library is closed")

    assert lines(context_of, "list_blocked") == [
        "- **Sources** — due Wed 25 Nov 2026 — blocked: the library is closed",
        "- **Outline** — due Fri 27 Nov 2026 — waits for “Sources”, which is blocked: the library is closed",
        "- **Proofread** — due Tue 1 Dec 2026 — waits for “Draft”, which waits for “Outline”, which waits for "
        "“Sources”, which is blocked: the library is closed",
        "- **Draft** — no due date — waits for “Outline”, which waits for “Sources”, which is blocked: the library "
        "is closed",
    ]


def test_the_plan_respects_what_comes_first_and_then_what_is_needed_earliest(
    context_of: ContextOf, essay: None
) -> None:
    assert lines(context_of, "plan") == [
        "1. **Sources** — due Wed 25 Nov 2026",
        "2. **Outline** — due Fri 27 Nov 2026 — after “Sources”",
        "3. **Cards** — due Sat 28 Nov 2026",
        "4. **Draft** — no due date — after “Outline” — needed for something due Tue 1 Dec 2026, 11:59 PM CST",
        "5. **Proofread** — due Tue 1 Dec 2026 — after “Draft”",
    ]


def test_what_is_blocked_and_all_behind_it_is_apart_from_the_plan(context_of: ContextOf, essay: None) -> None:
    run(context_of(operation_id="op"), "block_task", task="Outline", reason="no topic yet")

    plan = run(context_of(), "plan").data

    assert [task["title"] for task in plan["order"]] == ["Sources", "Cards"]
    assert [task["title"] for task in plan["not_possible_yet"]] == ["Outline", "Proofread", "Draft"]


def test_a_task_that_is_due_before_what_it_waits_for_is_named(context_of: ContextOf) -> None:
    add(context_of(), "Outline", due_date="2026-12-01")
    add(context_of(), "Draft", due_date="2026-11-28", depends_on=["Outline"])

    output = run(context_of(), "plan").output

    assert "Note: “Draft” is due before “Outline”, which must come first." in output


def test_a_circle_is_refused(context_of: ContextOf, essay: None) -> None:
    for waits_for in (["Proofread"], ["Sources"]):
        with pytest.raises(BadArguments, match="in a circle") as caught:
            card(context_of(), "edit_task", task="Sources", depends_on=waits_for)

        assert caught.value.field == "depends_on"


def test_a_circle_that_two_edits_at_once_have_made_is_told_and_not_walked_for_ever() -> None:
    a = Task(id="a", title="A", depends_on=("b",), created_at=NOW)
    b = Task(id="b", title="B", depends_on=("a",), created_at=NOW)
    graph = TaskGraph([a, b])

    assert graph.work_order() == []
    assert graph.blocking_reasons(a, CHICAGO) == ["waits for “B”, which waits for “A”, which waits for it in turn"]


def test_a_dependency_that_was_deleted_or_done_holds_nothing_up() -> None:
    done = Task(id="d", title="D", status=TaskStatus.DONE, created_at=NOW)
    task = Task(id="t", title="T", depends_on=("d", "gone"), created_at=NOW)

    assert not TaskGraph([done, task]).is_held_up(task)


@st.composite
def graphs(draw: st.DrawFn) -> TaskGraph:
    """Tasks whose dependencies point to earlier ones, as the tools allow them, plus some that point anywhere."""
    size = draw(st.integers(0, 12))
    may_circle = draw(st.booleans())
    tasks = []
    for number in range(size):
        reach = size if may_circle else number
        after = draw(st.sets(st.integers(0, max(0, reach - 1)), max_size=3)) if reach else set()
        due = draw(st.none() | st.integers(-5, 20))
        tasks.append(
            Task(
                id=str(number),
                title=f"Task {number}",
                due_at=None if due is None else NOW + timedelta(days=due),
                status=draw(st.sampled_from(TaskStatus)),
                depends_on=tuple(str(number) for number in after),
                created_at=NOW + timedelta(minutes=number),
            )
        )
    return TaskGraph(tasks)


@settings(max_examples=2 * settings().max_examples)
@given(graphs())
def test_in_every_plan_each_task_comes_once_and_after_what_it_waits_for(graph: TaskGraph) -> None:
    order = graph.work_order()
    place = {task.id: number for number, task in enumerate(order)}

    assert len(place) == len(order)
    for task in order:
        assert task.status not in (TaskStatus.DONE, TaskStatus.BLOCKED)
        assert all(place[prerequisite.id] < place[task.id] for prerequisite in graph.open_prerequisites(task))
    for task in graph.tasks:
        if task.id not in place and not task.is_done:
            assert graph.is_held_up(task)
            assert graph.blocking_reasons(task, CHICAGO)


@settings(max_examples=2 * settings().max_examples)
@given(graphs())
def test_among_what_could_be_next_nothing_that_is_needed_earlier_is_passed_over(graph: TaskGraph) -> None:
    order = graph.work_order()
    far = datetime.max.replace(tzinfo=UTC)

    for number, task in enumerate(order):
        before = {task.id for task in order[:number]}
        could_be_next = [
            candidate
            for candidate in order[number:]
            if all(first.id in before for first in graph.open_prerequisites(candidate))
        ]
        assert (graph.needed_by(task) or far) == min(graph.needed_by(candidate) or far for candidate in could_be_next)


def tasks_in_a_row(number: int, behind: int = 1) -> list[Task]:
    """Each waits for this many before it; the last one is due."""
    return [
        Task(
            id=f"t{n}",
            title=f"Task {n}",
            created_at=NOW + timedelta(seconds=n),
            due_at=NOW if n == number - 1 else None,
            depends_on=tuple(f"t{number}" for number in range(max(0, n - behind), n)),
        )
        for n in range(number)
    ]


@pytest.mark.parametrize("behind", [1, 20])
def test_a_thousand_tasks_in_a_row_are_planned_and_told_at_once(behind: int) -> None:
    tasks = tasks_in_a_row(1000, behind)
    graph = TaskGraph(tasks[::-1])

    order, why = graph.work_order(), graph.blocking_reasons(tasks[-1], CHICAGO)

    assert order == tasks
    assert graph.needed_by(tasks[0]) == NOW
    assert graph.find_cycle("t0", ["t999"]) is not None
    assert graph.find_cycle("new", ["t999", "t500"]) is None
    assert why
    assert all(len(way) < 1000 for way in why)


def test_a_circle_that_two_edits_at_once_have_made_holds_nothing_else_up() -> None:
    round_ = [
        Task(id=f"c{n}", title=f"Circle {n}", created_at=NOW, depends_on=(f"c{(n + 1) % 1000}",)) for n in range(1000)
    ]
    alone = Task(id="alone", title="Alone", created_at=NOW)
    graph = TaskGraph([*round_, alone])

    assert graph.work_order() == [alone]
    assert graph.blocking_reasons(round_[0], CHICAGO)
    assert [task.id for task in graph.find_cycle("c5", ["c6"]) or ()] == [f"c{n % 1000}" for n in range(6, 1006)]
