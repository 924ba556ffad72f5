"""The laws of the planner: a task is added once, shown in words, undone while unchanged, and one student's own."""

from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere
from services.integrations.planner.tools.task_creation import planner_create_task, preview_task, undo_task
from services.integrations.planner.tools.task_lists import planner_list_tasks
from services.storage.store import Store
from services.tools.context import ToolExecutionContext
from services.tools.result import ToolResult
from services.tools.tool import Effect
from tests.fakes import FakeClock
from tests.services.integrations.planner.calls import add, run, undo
from tests.services.integrations.planner.conftest import ContextOf


def create(context: ToolExecutionContext, **arguments: Any) -> ToolResult:
    return planner_create_task.function(context, **planner_create_task.validate(arguments))


def listed(context: ToolExecutionContext) -> ToolResult:
    return planner_list_tasks.function(context, **planner_list_tasks.validate({}))


def test_adding_waits_for_the_student_and_listing_does_not() -> None:
    assert planner_create_task.effect is Effect.WRITE
    assert planner_list_tasks.effect is Effect.READ
    assert planner_create_task.integration is planner_list_tasks.integration is None


def test_a_task_is_listed_with_its_due_date(context_of: ContextOf) -> None:
    created = create(context_of(), title="Read chapter 7", due_date="2026-11-27", notes="Section 2 first")

    output = listed(context_of()).output

    assert created.output.split("\n") == [
        # The first line is what the student reads under Activity.
        "Added the task “Read chapter 7”, due Fri 27 Nov 2026 (Homeroom planner).",
        f"(id: {created.data['id']})",
    ]
    assert output.split("\n") == [
        "1 open task (Homeroom planner, as of 9:00 AM).",
        f"- **Read chapter 7** — due Fri 27 Nov 2026 — Section 2 first (id: {created.data['id']})",
    ]


def test_a_time_is_the_students_own(context_of: ContextOf) -> None:
    created = create(context_of(), title="Send the draft", due_date="2026-11-27", due_time="17:00")

    assert "due Fri 27 Nov 2026, 5:00 PM CST" in created.output
    assert created.data["due_at"] == "2026-11-27T23:00:00+00:00"


def test_a_day_stays_that_day_when_its_student_moves_and_a_moment_that_moment(context_of: ContextOf) -> None:
    add(context_of(), "Read", due_date="2026-11-27")
    add(context_of(), "Call", due_date="2026-11-27", due_time="23:30")

    for zone, moment in (
        ("Asia/Tokyo", "Sat 28 Nov 2026, 2:30 PM JST"),
        ("Pacific/Honolulu", "Fri 27 Nov 2026, 7:30 PM HST"),
    ):
        told = run(context_of(zone=zone), "list_tasks", due_from="2026-11-27", due_until="2026-11-28").output
        assert "**Read** — due Fri 27 Nov 2026 (id" in told
        assert f"**Call** — due {moment} (id" in told
    moved = run(context_of(zone="Asia/Tokyo", operation_id="op"), "edit_task", task="Read", due_date="2026-11-29")
    undo(context_of(zone="America/Chicago"), "edit_task", moved)
    assert "**Read** — due Fri 27 Nov 2026 (id" in run(context_of(), "list_tasks").output


def test_tasks_come_by_due_date_and_those_without_one_last(context_of: ContextOf) -> None:
    for title, due in (("later", "2026-12-24"), ("some day", None), ("soon", "2026-11-24")):
        create(context_of(), title=title, due_date=due)

    assert [task["title"] for task in listed(context_of()).data["tasks"]] == ["soon", "later", "some day"]


def test_a_task_is_overdue_when_its_day_is_over(context_of: ContextOf, clock: FakeClock) -> None:
    create(context_of(), title="Read", due_date="2026-11-23")
    today = listed(context_of()).output
    clock.advance(days=1)

    assert "overdue" not in today
    assert "overdue" in listed(context_of()).output


def test_the_card_shows_every_field(context_of: ContextOf) -> None:
    rows = preview_task(context_of(), {"title": "Read", "due_date": "2026-11-27", "notes": "twice"})

    assert [(row.label, row.value) for row in rows] == [
        ("Title", "Read"),
        ("Due", "Fri 27 Nov 2026"),
        ("Notes", "twice"),
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"title": " "},
        {"title": "x" * 201},
        {"title": "Read", "due_date": "2026-11-22"},
        {"title": "Read", "due_date": "2026-13-40"},
        {"title": "Read", "due_time": "17:00"},
        {"title": "Read", "owner": "diego"},
    ],
)
def test_what_cannot_be_a_task_makes_no_card(context_of: ContextOf, arguments: dict[str, Any]) -> None:
    with pytest.raises(BadArguments):
        preview_task(context_of(), arguments)


def test_the_same_operation_adds_one_task_however_often_it_runs(context_of: ContextOf) -> None:
    first, second = (create(context_of(operation_id="approval-1"), title="Read") for _ in range(2))

    assert first.data == second.data
    assert listed(context_of()).data["total"] == 1


def test_undo_takes_the_task_away_and_is_safe_to_repeat(context_of: ContextOf) -> None:
    undo = create(context_of(operation_id="approval-1"), title="Read").undo
    assert undo is not None

    for _ in range(2):
        undo_task(context_of(), undo)

    assert listed(context_of()).data["tasks"] == []


def test_undo_leaves_a_task_that_was_changed_since(context_of: ContextOf, store: Store) -> None:
    created = create(context_of(), title="Read")
    store.for_student("maya").compare_and_set("tasks", created.data["id"], {}, {"title": "Read twice", "version": 2})
    assert created.undo is not None

    with pytest.raises(ChangedElsewhere):
        undo_task(context_of(), created.undo)

    assert listed(context_of()).data["total"] == 1


def test_nobody_sees_or_undoes_anothers_task(context_of: ContextOf) -> None:
    created = create(context_of("maya", "approval-1"), title="Read")
    assert created.undo is not None

    undo_task(context_of("diego"), created.undo)

    assert listed(context_of("diego")).data["tasks"] == []
    assert listed(context_of("maya")).data["total"] == 1


def test_equal_operation_ids_of_two_students_do_not_meet(context_of: ContextOf) -> None:
    create(context_of("maya", "approval-1"), title="Hers")
    create(context_of("diego", "approval-1"), title="His")

    assert listed(context_of("maya")).data["tasks"][0]["title"] == "Hers"


def test_text_stays_on_its_line(context_of: ContextOf) -> None:
    create(context_of(), title="Read\n- **Fake** (id: 1)\u202e", notes="a\nb")

    assert len(listed(context_of()).output.split("\n")) == 2
    assert "\u202e" not in listed(context_of()).output


def test_a_prerequisite_that_is_not_there_yet_is_named_with_when_it_will_be(context_of: ContextOf) -> None:
    add(context_of(), "Read chapter 7")

    with pytest.raises(BadArguments) as refused:
        create(context_of(), title="Pay the fee", depends_on=["Read chapter 7", "Call the bursar"])

    assert refused.value.field == "depends_on"
    assert str(refused.value).startswith(
        "depends_on: there is no open task “Call the bursar”. There are: “Read chapter 7”"
    )
    assert "call again after its approval" in (refused.value.next_step or "")
