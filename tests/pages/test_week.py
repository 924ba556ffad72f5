"""This week as a page: what is late is in reach, and what changed elsewhere is there on the next visit."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from services.integrations.planner.tasks import Task, Tasks
from tests.fakes import FakeClock
from tests.pages.conftest import SCRIPTS, Visitor

LATE = 5


def add(maya: Visitor, title: str, clock: FakeClock, *, hours: float) -> None:
    due = clock() + timedelta(hours=hours)
    Tasks(maya.room.services.store, maya.student.id, ZoneInfo(maya.student.timezone)).add(
        Task(id=title, title=title, due_at=due, has_time=True, created_at=clock())
    )


def planned(maya: Visitor) -> list[str]:
    """The tasks that can be planned, in the order of their buttons."""
    return [str(button.key).removeprefix("plan-task-") for button in maya.page.button if button.label == "Plan this"]


def test_all_that_is_late_can_be_reached_the_latest_first(maya: Visitor, clock: FakeClock) -> None:
    for number in range(LATE):
        add(maya, f"late {number}", clock, hours=-24 * 30 * (number + 1))

    maya.opens("week")
    first = planned(maya)
    maya.presses(f"Show all {LATE}")
    every = planned(maya)
    maya.presses("Show fewer")

    assert first == planned(maya) == ["late 0", "late 1", "late 2"]
    assert every == [f"late {number}" for number in range(LATE)]


def test_a_task_that_was_added_elsewhere_is_there_when_one_comes_back(maya: Visitor, clock: FakeClock) -> None:
    maya.opens("week")
    add(maya, "Read chapter 7", clock, hours=-1)
    maya.page.run()
    before = planned(maya)
    maya.page.switch_page(SCRIPTS["activity"]).run()
    maya.page.switch_page(SCRIPTS["week"]).run()

    assert before == []
    assert planned(maya) == ["Read chapter 7"]
