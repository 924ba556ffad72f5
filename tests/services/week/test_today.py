"""Today: the next class, what is due, late and new, and the next free time, from a snapshot alone."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from services.identity.students import Student
from services.week.changes import Change, ChangeKind
from services.week.free_time import Gap
from services.week.snapshots import SourceState, WeekSnapshot
from services.week.today import StudySlot, Today, make_today
from services.week.week import EntryKind, WeekEntry
from tests.services.week.fake_gateway import NOW

ZONE = ZoneInfo("America/Chicago")
HERE = NOW.astimezone(ZONE)
MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
HOUR = timedelta(hours=1)


def work(title: str, hours: float, **more: Any) -> WeekEntry:
    return WeekEntry(**{"kind": EntryKind.DUE, "id": title, "title": title, "start": HERE + hours * HOUR, **more})


def event(title: str, hours: float, length: float = 1, **more: Any) -> WeekEntry:
    start = HERE + hours * HOUR
    return WeekEntry(kind=EntryKind.EVENT, id=title, title=title, start=start, end=start + length * HOUR, **more)


def titles(*entries: WeekEntry | None) -> list[tuple[str, str]]:
    return [(entry.title, entry.where) for entry in entries if entry]


def today(*entries: WeekEntry, **more: Any) -> Today:
    since = more.pop("since", None)
    events = tuple(entry for entry in entries if entry.kind is EntryKind.EVENT)
    rest = tuple(entry for entry in entries if entry.kind is not EntryKind.EVENT)
    return make_today(WeekSnapshot(entries=rest, events=events, **more), HERE, locale="en-US", since=since)


def test_the_next_class_is_the_one_that_runs_or_comes_first_and_takes_time() -> None:
    offers = [event("All day", -12, is_whole_day=True), event("Drop-in", 0.5, is_busy=False)]

    assert today(*offers, event("Lab", 3), event("Lecture", 1), event("Gone", -2)).next_class == event("Lecture", 1)
    assert today(*offers, event("Lecture", 1), event("Running", -0.5)).next_class == event("Running", -0.5)
    assert today(*offers, event("After the holidays", 24 * 9)).next_class is None


def test_due_soon_is_open_work_of_two_days_and_then_what_comes_first() -> None:
    shown = today(
        work("Done", 2, is_done=True), work("Late", 60), work("B", 47), work("A", 1), work("To grade", 1, to_grade=3)
    )

    assert [entry.title for entry in shown.due_soon] == ["A", "B"]
    assert shown.due_later is not None
    assert shown.due_later.title == "Late"


def test_from_friday_noon_on_the_next_seven_days_are_told() -> None:
    friday = HERE.replace(day=27, hour=13)
    snapshot = WeekSnapshot(entries=tuple(work(title, hours) for title, hours in (("A", 80), ("B", 190), ("C", 290))))

    shown, before = (make_today(snapshot, at, locale="en-US") for at in (friday, friday - 2 * HOUR))

    assert [[entry.title for entry in part] for part in (shown.due_soon, shown.due_ahead)] == [["A"], ["B"]]
    assert shown.ahead_until == friday.date() + timedelta(days=6)
    assert (before.due_ahead, before.ahead_until) == ((), None)
    assert before.due_later == shown.due_later == work("B", 190)


def test_overdue_is_what_was_told_so_and_what_has_gone_by_since_it_was_read() -> None:
    shown = today(
        work("Told", -30),
        work("Just now", -1),
        work("Exam", -1, is_exam=True),
        work("On paper", -5),
        work("Of a feed", -1),
        work("Own task", -40, kind=EntryKind.TASK),
        late=frozenset({"Told"}),
        feed_due=frozenset({"Of a feed"}),
        read_at=HERE - 2 * HOUR,
    )

    assert [entry.title for entry in shown.overdue] == ["Just now", "Told", "Own task"]


def test_made_up_work_is_told_only_to_who_has_no_other() -> None:
    sample, own = work("Stars", 5, is_sample=True), SourceState(source="due:canvas_list_assignments")

    assert today(sample).has_sample
    assert today(sample, work("Lab", 5), sources=(own,)).due_soon == (work("Lab", 5),)


def test_changes_are_those_since_the_last_visit_the_newest_first() -> None:
    changes = tuple(
        Change(kind=ChangeKind.GRADE, id=str(ago), title="Quiz", at=HERE - ago * HOUR) for ago in (90, 30, 2, -3)
    )

    assert [change.id for change in today(changes=changes, since=HERE - 40 * HOUR).changes] == ["2", "30"]
    assert [change.id for change in today(changes=changes, since=HERE - 1000 * HOUR).changes] == ["2", "30", "90"]
    assert [change.id for change in today(changes=changes).changes] == ["2", "30"]


def test_the_next_free_time_is_for_what_is_due_first_and_still_in_time() -> None:
    free = (Gap(start=HERE + 2 * HOUR, end=HERE + 8 * HOUR),)

    slot = today(work("Too soon", 1), work("Second", 50), work("First", 30, minutes=90), free=free).suggestion

    assert slot == StudySlot(entry=work("First", 30, minutes=90), gap=Gap(start=HERE + 2 * HOUR, end=HERE + 3.5 * HOUR))
    assert today(work("First", 30), free=(Gap(start=HERE + 60 * HOUR, end=HERE + 70 * HOUR),)).suggestion is None


def test_free_time_is_for_what_is_overdue_where_nothing_lies_ahead() -> None:
    free, late = (Gap(start=HERE + 2 * HOUR, end=HERE + 8 * HOUR),), work("Late", -5, minutes=90)
    told = {"free": free, "late": frozenset({"Late", "Later"})}

    slot = today(late, work("Later", -50), **told).suggestion

    assert slot == StudySlot(entry=late, gap=Gap(start=HERE + 2 * HOUR, end=HERE + 3.5 * HOUR))
    ahead = today(late, work("Ahead", 30), **told).suggestion
    assert ahead
    assert ahead.entry.title == "Ahead"


@given(st.integers(0, 3600 * 30), st.integers(0, 600), st.integers(-600, 4000), st.integers(0, 400))
def test_free_time_is_never_past_nor_a_sliver_nor_after_what_is_due(
    seconds: int, length: int, due: int, minutes: int
) -> None:
    now = HERE + timedelta(seconds=seconds)
    gap = Gap(start=HERE, end=HERE + timedelta(minutes=length))
    entry = replace(work("Essay", 0), start=HERE + timedelta(minutes=due), minutes=minutes)

    slot = make_today(WeekSnapshot(entries=(entry,), free=(gap,)), now, locale="en-US").suggestion

    if slot is not None:
        assert now <= slot.gap.start
        assert slot.gap.end <= min(gap.end, entry.start)
        assert slot.gap.minutes >= 30
        assert slot.gap.start.minute % 15 == 0


def test_that_nothing_is_due_is_told_only_when_it_could_be_read() -> None:
    late, due = (SourceState(source=f"{part}:canvas_list_assignments", read_at=HERE) for part in ("late", "due"))

    assert not today(sources=(late, due)).is_due_unread
    assert today(sources=(late, replace(due, trouble="Canvas is away."))).is_due_unread
