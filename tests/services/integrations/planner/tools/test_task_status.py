"""A task's life: started, blocked, completed, reopened, edited, deleted; each once, each undone while unchanged."""

from dataclasses import replace
from typing import Any

import pytest

from services.errors import BadArguments, ChangedElsewhere, NameUnknown, RequestRefused
from services.integrations.planner.tasks import Task, TaskChange, Tasks
from tests.services.integrations.planner.calls import TOOLS, add, card, run, undo
from tests.services.integrations.planner.conftest import ContextOf

CHANGES: dict[str, dict[str, Any]] = {
    "start_task": {},
    "block_task": {"reason": "the lab is closed"},
    "complete_task": {},
    "edit_task": {"title": "Read chapter 8", "due_date": "2026-11-30", "notes": "Slowly"},
    "delete_task": {},
}


def states(context_of: ContextOf) -> dict[str, str]:
    return {task["title"]: task["status"] for task in run(context_of(), "list_tasks", state="all").data["tasks"]}


def everything(context_of: ContextOf) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run(context_of(), "list_tasks", state="all").data["tasks"]
    return found


@pytest.fixture
def chapter(context_of: ContextOf) -> str:
    return add(context_of(), "Read chapter 7", due_date="2026-11-27", notes="Section 2 first")


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_undone_to_the_letter(context_of: ContextOf, chapter: str, name: str) -> None:
    before = everything(context_of)

    result = run(context_of(operation_id="op"), name, task=chapter, **CHANGES[name])

    assert everything(context_of) != before
    undo(context_of(), name, result)
    assert everything(context_of) == before


@pytest.mark.parametrize("name", CHANGES)
def test_a_repeat_changes_nothing_more_and_says_the_same(context_of: ContextOf, chapter: str, name: str) -> None:
    """By its title, which the first try may have changed."""
    context = context_of(operation_id="op")
    first = run(context, name, task="chapter 7", **CHANGES[name])
    after = everything(context_of)

    again = run(replace(context, is_repeat=True), name, task="chapter 7", **CHANGES[name])

    assert everything(context_of) == after
    assert again.success
    if name != "delete_task":
        assert (again.output, again.undo) == (first.output, first.undo)


@pytest.mark.parametrize("name", CHANGES)
def test_an_undo_that_a_crash_cut_off_after_it_was_done_is_not_refused(
    context_of: ContextOf, chapter: str, name: str
) -> None:
    result = run(context_of(operation_id="op"), name, task="chapter 7", **CHANGES[name])
    undoing = replace(context_of(operation_id="op"), is_undo=True)

    undo(undoing, name, result)
    before = everything(context_of)

    assert undo(undoing, name, result).success
    assert everything(context_of) == before


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "delete_task"])
def test_of_two_tries_of_a_change_at_once_both_find_it_done(
    context_of: ContextOf, chapter: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, change = context_of(operation_id="op"), Tasks.change

    def slower(tasks: Tasks, task: Task, operation_id: str | None, **changes: Any) -> TaskChange | None:
        change(tasks, task, operation_id, **changes)
        return change(tasks, task, operation_id, **changes)

    monkeypatch.setattr(Tasks, "change", slower)

    assert run(context, name, task="chapter 7", **CHANGES[name]).undo is not None


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "delete_task"])
def test_undo_leaves_a_task_alone_that_was_changed_since(context_of: ContextOf, chapter: str, name: str) -> None:
    result = run(context_of(operation_id="op"), name, task=chapter, **CHANGES[name])
    run(context_of(operation_id="later"), "edit_task", task=chapter, notes="Something else")
    now = everything(context_of)

    with pytest.raises(ChangedElsewhere):
        undo(context_of(), name, result)

    assert everything(context_of) == now


@pytest.mark.parametrize("name", CHANGES)
def test_a_task_that_changed_since_its_card_is_asked_for_again(context_of: ContextOf, chapter: str, name: str) -> None:
    rows = card(context_of(), name, task=chapter, **CHANGES[name])
    run(context_of(operation_id="other"), "edit_task", task=chapter, title="Something else", due_date="2026-12-01")

    with pytest.raises(ChangedElsewhere):
        run(replace(context_of(operation_id="op"), approved_rows=rows), name, task=chapter, **CHANGES[name])


@pytest.mark.parametrize(
    ("before", "name", "refused"),
    [
        (["start_task"], "start_task", "started already"),
        (["complete_task"], "start_task", "done already"),
        (["complete_task"], "complete_task", "done already"),
        (["complete_task"], "block_task", "done already"),
        ([], "reopen_task", "neither done nor blocked"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused_before_there_is_a_card(
    context_of: ContextOf, chapter: str, before: list[str], name: str, refused: str
) -> None:
    for earlier in before:
        run(context_of(operation_id=earlier), earlier, task=chapter)

    with pytest.raises(RequestRefused, match=refused):
        card(context_of(), name, task=chapter, **({"reason": "x"} if name == "block_task" else {}))


def test_the_way_from_open_to_done_and_back(context_of: ContextOf, chapter: str) -> None:
    seen = []
    for name in ("start_task", "block_task", "reopen_task", "start_task", "complete_task", "reopen_task"):
        run(
            context_of(operation_id=f"{len(seen)}"),
            name,
            task=chapter,
            **({"reason": "x"} if name == "block_task" else {}),
        )
        seen.append(states(context_of)["Read chapter 7"])

    assert seen == ["started", "blocked", "open", "started", "done", "open"]
    assert everything(context_of)[0]["reason"] == ""
    assert everything(context_of)[0]["done_at"] is None


def test_the_card_of_a_change_shows_old_and_new(context_of: ContextOf, chapter: str) -> None:
    rows = card(context_of(), "edit_task", task="chapter", due_date="2026-11-29", due_time="18:00", depends_on=[])

    assert [(row.label, row.before, row.value) for row in rows] == [
        ("Task", None, "Read chapter 7"),
        ("Due", "Fri 27 Nov 2026", "Sun 29 Nov 2026, 6:00 PM CST"),
    ]


def test_a_due_date_can_be_taken_away_and_one_in_the_past_cannot_be_given(context_of: ContextOf, chapter: str) -> None:
    with pytest.raises(BadArguments, match="is over"):
        card(context_of(), "edit_task", task=chapter, due_date="2020-01-01")
    with pytest.raises(BadArguments, match="no_due_date; not both"):
        card(context_of(), "edit_task", task=chapter, due_date="2026-12-01", no_due_date=True)
    with pytest.raises(BadArguments, match="Nothing would change"):
        card(context_of(), "edit_task", task=chapter)

    run(context_of(operation_id="op"), "edit_task", task=chapter, no_due_date=True)

    assert everything(context_of)[0]["due_at"] is None


def test_words_that_fit_several_tasks_are_asked_back(context_of: ContextOf, chapter: str) -> None:
    add(context_of(), "Read chapter 8")

    with pytest.raises(BadArguments, match=r"^task: 2 fit “[^”]*”: “Read chapter 7” \(Fri 27 Nov 2026, id ") as caught:
        card(context_of(), "start_task", task="chapter")
    with pytest.raises(NameUnknown, match=r"^task: none is called “[^”]*”\. There are: “Read chapter 7” "):
        card(context_of(), "start_task", task="dishes")

    assert "Ask the student which one" in caught.value.next_step
    assert card(context_of(), "start_task", task="read CHAPTER 7")


def test_completing_says_what_is_free_now_and_starting_what_it_still_waits_for(context_of: ContextOf) -> None:
    add(context_of(), "Outline")
    add(context_of(), "Draft", depends_on=["Outline"])

    rows = {row.label: row.value for row in card(context_of(), "start_task", task="Draft")}
    done = run(context_of(operation_id="op"), "complete_task", task="Outline")

    assert rows["Still waits for"] == "“Outline”"
    assert done.output.splitlines()[-1] == "Now free: “Draft”."


def test_deleting_shows_what_waits_and_lets_it_go(context_of: ContextOf) -> None:
    add(context_of(), "Outline")
    add(context_of(), "Draft", depends_on=["Outline"])

    rows = {row.label: row.value for row in card(context_of(), "delete_task", task="Outline")}
    deleted = run(context_of(operation_id="op"), "delete_task", task="Outline")
    ready = run(context_of(), "list_tasks", state="ready").data["tasks"]
    undo(context_of(), "delete_task", deleted)

    assert rows["Waiting for it"] == "“Draft”"
    assert [task["title"] for task in ready] == ["Draft"]
    assert [task["title"] for task in run(context_of(), "list_tasks", state="blocked").data["tasks"]] == ["Draft"]


def test_another_students_task_is_out_of_reach(context_of: ContextOf, chapter: str) -> None:
    for name in CHANGES:
        with pytest.raises((NameUnknown, ChangedElsewhere)):
            run(context_of("diego", operation_id="op"), name, task=chapter, **CHANGES[name])


def test_every_write_waits_and_can_be_undone_and_every_example_fits() -> None:
    reads = {"list_tasks", "list_blocked", "plan", "ask_student"}

    for name, tool in TOOLS.items():
        assert tool.effect.needs_approval == (name not in reads)
        assert (tool.undo is not None) == (name not in reads)
        assert tool.integration is None
        for example in tool.examples:
            tool.validate(example.arguments)
