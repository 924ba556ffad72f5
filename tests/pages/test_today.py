"""Today as the home page: from the snapshot at once, read anew behind, and quiet where there is nothing."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from services.integrations.planner.tasks import Task, Tasks
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor
from tests.rooms import eventually


def add(maya: Visitor, title: str, clock: FakeClock, *, hours: float) -> None:
    due = clock() + timedelta(hours=hours)
    Tasks(maya.room.services.store, maya.student.id, ZoneInfo(maya.student.timezone)).add(
        Task(id=title, title=title, due_at=due, has_time=True, created_at=clock())
    )


def opens_twice(maya: Visitor) -> None:
    """Open Today, and once more when it has been read: a browser is told to."""
    services = maya.room.services
    services.students.dismiss_onboarding(maya.student.id)
    maya.opens()
    eventually(
        lambda: services.week_refresher.today(maya.student, services.connections.all(maya.student.id)).is_current
    )
    maya.page.run()


def test_what_is_due_soon_stands_on_the_home_page_and_what_is_late_is_folded(maya: Visitor, clock: FakeClock) -> None:
    add(maya, "Read chapter 7", clock, hours=5)
    add(maya, "Old reading", clock, hours=-50)
    add(maya, "Next month", clock, hours=24 * 30)

    opens_twice(maya)

    assert not maya.page.exception
    assert "Read chapter 7" in maya.words
    assert "Next month" not in maya.words
    assert "Old reading" not in maya.words
    assert [folded.label for folded in maya.page.expander] == ["Overdue · 1"]
