"""Today as the home page: from the snapshot at once, read anew behind, and quiet where there is nothing."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from services.integrations.planner.tasks import Task, Tasks
from services.week.changes import Change, ChangeKind
from services.week.day_sources import DayPart, SourceReading
from services.week.free_time import Gap
from services.week.snapshots import WeekSnapshots
from services.week.week import EntryKind, WeekEntry
from tests.fakes import FakeClock
from tests.pages.conftest import Visitor
from tests.rooms import eventually

HOUR = timedelta(hours=1)


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


def noted(maya: Visitor, clock: FakeClock) -> None:
    """A snapshot with everything that Today can tell, of a student with an account, one of whose services is away."""
    now = clock().astimezone(ZoneInfo(maya.student.timezone))
    maya.room.connect()
    services = maya.room.services
    services.students.dismiss_onboarding(maya.student.id)
    lecture = {"kind": EntryKind.EVENT, "id": "1", "title": "Lecture", "end": now + 2 * HOUR, "where": "Hall *14*"}
    due = [
        WeekEntry(
            kind=EntryKind.DUE, id=f"{n}", title=f"Essay {n}", start=now + (20 + n) * HOUR, course="BIOL 201: Cells"
        )
        for n in range(8)
    ]
    changes = [
        Change(kind=ChangeKind.GRADE, id="g", title="Quiz", at=now, score=9.0, points=10.0),
        Change(
            kind=ChangeKind.MOVED, id="m", title="Lab", at=now, due_at=now + 50 * HOUR, earlier_due_at=now + 20 * HOUR
        ),
        *(Change(kind=ChangeKind.REPLIES, id=f"r{n}", title=f"Forum {n}", at=now, count=2) for n in range(5)),
    ]
    events = SourceReading(source="events:x", entries=(WeekEntry(start=now + HOUR, **lecture),))
    readings = [
        events,
        SourceReading(source="due:x", entries=tuple(due)),
        SourceReading(source="grades:x", changes=tuple(changes)),
        SourceReading(source="free:x", free=(Gap(start=now + 3 * HOUR, end=now + 9 * HOUR),)),
    ]
    snapshots = WeekSnapshots(services.store, services.clock)
    accounts = services.connections.all(maya.student.id)
    snapshots.save_readings(maya.student, readings, accounts)
    away = SourceReading(source="events:x", trouble="Google Calendar does not answer.")
    snapshots.save_readings(maya.student, [away, *readings[1:]], accounts)


def test_all_that_today_can_tell_stands_on_one_page_from_the_snapshot_alone(maya: Visitor, clock: FakeClock) -> None:
    noted(maya, clock)

    maya.opens()

    assert not maya.page.exception
    assert "**Lecture**" in maya.words
    assert "Hall \\*14\\*" in maya.words
    assert [button.label for button in maya.page.button].count("Plan this") == 6
    assert "You are free today from" in maya.words
    assert "9 of 10" in maya.words
    assert "now due Wed 25 Nov" in maya.words
    assert "Google Calendar does not answer. What you see of it is from" in maya.words
    assert maya.room.model.requests == []


def test_what_is_still_to_come_has_its_room_above_what_is_known(maya: Visitor, clock: FakeClock) -> None:
    """Else the day would jump down by the next class's height when a slow calendar answers."""
    maya.room.connect()
    services = maya.room.services
    services.students.dismiss_onboarding(maya.student.id)
    accounts = services.connections.all(maya.student.id)
    now = clock().astimezone(ZoneInfo(maya.student.timezone))
    due = WeekEntry(kind=EntryKind.DUE, id="1", title="Essay", start=now + 5 * HOUR)
    WeekSnapshots(services.store, services.clock).save_first_readings(
        maya.student, [SourceReading(source="due:x", entries=(due,))], accounts, awaited=[DayPart.EVENTS]
    )

    maya.opens()

    assert not maya.page.exception
    headings = [text.value for text in maya.page.markdown if text.value.startswith("## ")]
    assert headings[:2] == ["## Next", "## Due in the next 48 hours"]
    assert "Essay" in maya.words


def test_a_click_on_what_follows_asks_in_a_new_chat(maya: Visitor, clock: FakeClock) -> None:
    noted(maya, clock)

    maya.opens()
    maya.presses("Plan it")

    (question,) = maya.room.model.requests[0].messages[:1]
    assert "Plan time for “Essay 0” (BIOL 201) on" in str(question)
