"""Exam windows hold from their first moment to their last, the stricter of two, in each student's own time zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from services.assistants.class_assistant import ClassAssistant, ExamWindow, exam_sentence
from services.classes.assistants.exam_windows import window_bounds
from services.errors import BadArguments, ChangedElsewhere
from tests.fakes import FakeClock, FakeDocuments
from tests.services.classes.assistants.lectern import Lectern


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def lectern(clock: FakeClock) -> Lectern:
    return Lectern(FakeDocuments(clock=clock), clock)


def in_force(lectern: Lectern, id: str) -> ClassAssistant:
    found = lectern.registry.for_student(lectern.maya.id, id)
    assert isinstance(found, ClassAssistant)
    return found


def test_a_window_holds_from_its_first_moment_to_just_before_its_last(lectern: Lectern, clock: FakeClock) -> None:
    record = lectern.published(words="Teach.", categories=("notes",), switches={"web_search": True})
    lectern.assistants.set_windows(lectern.anne, record.id, [lectern.window(10, 60)], seen=())

    before = in_force(lectern, record.id)
    assert (before.exam, before.next_exam is not None, before.categories) == (None, True, ("notes",))
    clock.advance(minutes=10)
    closed = in_force(lectern, record.id)
    assert closed.is_closed
    assert "Teach." not in closed.words
    assert (closed.categories, dict(closed.switches), closed.mcp_servers) == ((), {}, ())
    assert closed.key != before.key
    clock.advance(minutes=60)
    assert in_force(lectern, record.id).exam is None


@pytest.mark.parametrize(
    ("begins", "ends", "hours"),
    [
        ("2026-11-01T09:00", "2026-11-01T11:00", 2),
        # At two it is one o'clock again.
        ("2026-11-01T00:30", "2026-11-01T01:30", 2),
        ("2026-11-01T01:30", "2026-11-01T03:00", 2.5),
        # At two it is three o'clock.
        ("2026-03-08T01:00", "2026-03-08T02:30", 1.5),
        ("2026-03-08T02:30", "2026-03-08T04:00", 1.5),
    ],
)
def test_a_window_in_the_night_in_which_clocks_change_is_never_too_short(begins: str, ends: str, hours: float) -> None:
    moments = (datetime.fromisoformat(at) for at in (begins, ends))
    first, last = window_bounds(*moments, ZoneInfo("America/Chicago"))

    assert (last - first, first.tzinfo) == (timedelta(hours=hours), UTC)


def test_the_rules_alone_are_what_it_reads_meanwhile(lectern: Lectern) -> None:
    record = lectern.published(words="Solve everything.", integrity="No phones.")
    window = lectern.window(mode="rules", rules="One sheet of notes.", timezone="America/Chicago")
    lectern.assistants.set_windows(lectern.anne, record.id, [window], seen=())

    found = in_force(lectern, record.id)

    assert found.explains_rules_only
    assert not found.is_closed
    assert "Solve everything." not in found.words
    assert "One sheet of notes." in found.words
    assert "No phones." in found.words
    assert "until Mon 23 Nov 2026, 10:00 AM CST" in found.words


def test_of_windows_that_overlap_the_stricter_holds(lectern: Lectern) -> None:
    record = lectern.published()
    rules, closed = lectern.window(0, 120, id="r", mode="rules"), lectern.window(0, 30, id="c")
    lectern.assistants.set_windows(lectern.anne, record.id, [rules, closed], seen=())

    assert in_force(lectern, record.id).is_closed


def test_each_student_reads_the_end_in_their_own_time_zone_also_when_the_clocks_change(lectern: Lectern) -> None:
    record = lectern.published()
    ends_at = datetime(2027, 3, 14, 15, 30, tzinfo=UTC)
    window = ExamWindow(id="w", begins_at=lectern.clock(), ends_at=lectern.clock() + timedelta(days=1), mode="closed")
    lectern.assistants.set_windows(lectern.anne, record.id, [window], seen=())
    found = in_force(lectern, record.id)

    assert exam_sentence(found, ZoneInfo("America/Chicago")).endswith("until Tue 24 Nov 2026, 9:00 AM CST.")
    assert exam_sentence(found, ZoneInfo("Asia/Kathmandu")).endswith("until Tue 24 Nov 2026, 8:45 PM UTC+0545.")
    assert ends_at.astimezone(ZoneInfo("America/Chicago")).hour == 10  # 15:30 UTC is summer time there already.


@pytest.mark.parametrize(
    ("begins_in", "lasts", "told"),
    [(10, -5, "ends before it begins"), (-60, 30, "over already"), (0, 60 * 24 * 15, "at most 14 days")],
)
def test_a_window_that_cannot_be_is_refused(lectern: Lectern, begins_in: int, lasts: int, told: str) -> None:
    record = lectern.published()

    with pytest.raises(BadArguments, match=told):
        lectern.assistants.set_windows(lectern.anne, record.id, [lectern.window(begins_in, lasts)], seen=())


def test_a_second_instructor_who_sets_windows_at_once_is_told(lectern: Lectern) -> None:
    record = lectern.published()
    lectern.assistants.set_windows(lectern.anne, record.id, [lectern.window(5)], seen=())

    with pytest.raises(ChangedElsewhere):
        lectern.assistants.set_windows(lectern.anne, record.id, [lectern.window(90, id="w2")], seen=())


def test_a_window_holds_without_publishing_anew_and_an_old_one_can_stay(lectern: Lectern, clock: FakeClock) -> None:
    record = lectern.published()
    first = lectern.assistants.set_windows(lectern.anne, record.id, [lectern.window(0, 5)], seen=())
    clock.advance(minutes=30)

    both = lectern.assistants.set_windows(
        lectern.anne, record.id, [*first.windows, lectern.window(0, 60, id="w2")], seen=first.windows
    )

    assert len(both.windows) == 2
    assert in_force(lectern, record.id).is_closed
