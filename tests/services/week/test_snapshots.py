"""What a week held is known for a day, to its own student, as long as the same accounts are connected."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from services.identity.students import Student
from services.safety.text import one_line
from services.storage.sqlite import SqliteDocuments
from services.storage.store import Store
from services.week.free_time import Gap
from services.week.snapshot_rows import LONGEST_ID, LONGEST_TITLE, read_entry
from services.week.snapshots import FRESH, WeekSnapshot, WeekSnapshots
from services.week.week import EntryKind, Week, WeekEntry, monday_of
from tests.fakes import FakeClock, FakeDocuments

MAYA = Student(id="maya", name="Maya", email="", timezone="America/Chicago")
CLOCK = FakeClock()
NOW = CLOCK().astimezone(ZoneInfo(MAYA.timezone))


def entry(title: str, **more: Any) -> WeekEntry:
    return WeekEntry(
        kind=EntryKind.DUE, id=title, title=title, start=NOW + timedelta(hours=3), course="BIOL 201: Cells", **more
    )


def week(*entries: WeekEntry, **more: Any) -> Week:
    return Week(**{"first": monday_of(NOW.date()), "as_of": NOW, "entries": entries, **more})


def accounts(*names: str) -> Any:
    return {name: SimpleNamespace(connected_at=NOW, data_version=0) for name in names}


def kept(shown: Week, *, later: timedelta = timedelta(), then: Any = None, student: Student = MAYA) -> WeekSnapshot:
    clock = FakeClock(NOW)
    notes = WeekSnapshots(Store(FakeDocuments(clock=clock)), clock)
    notes.save_week(MAYA, shown, accounts("canvas"))
    clock.advance(seconds=later.total_seconds())
    return notes.latest(student, accounts("canvas") if then is None else then)


def test_open_work_and_free_time_come_back_as_they_were() -> None:
    gap = Gap(start=NOW, end=NOW + timedelta(hours=2))

    noted = kept(week(entry("Lab 4", is_exam=True), free=(gap,)))

    assert [(entry.title, entry.start, entry.course, entry.is_exam) for entry in noted.entries] == [
        ("Lab 4", NOW + timedelta(hours=3), "BIOL 201: Cells", True)
    ]
    assert noted.free == (gap,)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "America/New_York"])
def test_a_whole_day_stays_that_day_wherever_its_student_goes(zone: str) -> None:
    whole = replace(entry("From a feed"), start=NOW.replace(hour=0, minute=0), is_whole_day=True)

    (noted,) = kept(week(whole), student=replace(MAYA, timezone=zone)).entries
    assert (noted.start.date(), noted.is_whole_day) == (NOW.date(), True)


def test_what_is_done_and_what_is_made_up_is_not_noted() -> None:
    assert kept(week(entry("done", is_done=True), entry("sample", is_sample=True))).entries == ()


def test_another_week_tells_nothing_of_today() -> None:
    assert kept(week(entry("Lab 4"), first=monday_of(NOW.date()) + timedelta(days=7))) == WeekSnapshot()


def test_after_a_day_it_is_forgotten() -> None:
    assert kept(week(entry("Lab 4")), later=FRESH) == WeekSnapshot()


def test_when_other_accounts_are_connected_it_counts_no_more() -> None:
    assert kept(week(entry("Lab 4")), then=accounts("canvas", "notion")) == WeekSnapshot()
    assert kept(week(entry("Lab 4")), then=accounts()) == WeekSnapshot()


def test_it_is_known_to_nobody_else() -> None:
    other = Student(id="diego", name="Diego", email="", timezone="UTC")

    assert kept(week(entry("Lab 4")), student=other) == WeekSnapshot()


def test_what_was_read_again_takes_its_own_place_and_the_rest_stays() -> None:
    clock = FakeClock(NOW)
    notes, connections = WeekSnapshots(Store(FakeDocuments(clock=clock)), clock), accounts("canvas")
    gap = Gap(start=NOW, end=NOW + timedelta(hours=2))
    notes.save_week(MAYA, week(entry("Lab 4"), entry("Essay"), free=(gap,)), connections)
    clock.advance(seconds=timedelta(hours=1).total_seconds())

    far = replace(entry("Final"), start=NOW + timedelta(days=60))
    read = [entry("Lab 4", is_done=True), entry("Quiz"), entry("made up", is_sample=True), far]
    notes.merge_entries(MAYA, read, connections)

    noted = notes.latest(MAYA, connections)
    assert [entry.title for entry in noted.entries] == ["Quiz", "Essay"]
    assert noted.free == (gap,)
    clock.advance(seconds=(FRESH - timedelta(minutes=30)).total_seconds())
    assert [entry.title for entry in notes.latest(MAYA, connections).entries] == ["Quiz"]


def test_calls_side_by_side_lose_nothing_of_each_other() -> None:
    ticks, documents = count(), FakeDocuments(clock=FakeClock(NOW))
    notes = WeekSnapshots(Store(documents), lambda: NOW + timedelta(microseconds=next(ticks)))
    connections, barrier = accounts("canvas"), Barrier(3)

    def read(title: str) -> None:
        barrier.wait()
        notes.merge_entries(MAYA, [entry(title)], connections)

    notes.save_week(MAYA, week(entry("Lab 4")), connections)
    with ThreadPoolExecutor() as pool:
        list(pool.map(read, ("Quiz", "Essay", "Forum")))

    assert {entry.title for entry in notes.latest(MAYA, connections).entries} == {"Lab 4", "Quiz", "Essay", "Forum"}


@pytest.mark.parametrize("odd", ["Essay \ud83d", "a\x00b", "x" * 100_000, "\u202eevil\u200b\n# Heading"], ids=ascii)
def test_whatever_others_wrote_can_be_noted_and_read_again(odd: str, tmp_path: Path) -> None:
    notes = WeekSnapshots(Store(SqliteDocuments(tmp_path / "h.db", clock=CLOCK)), CLOCK)
    odd_one = replace(entry(odd), course=odd)

    notes.merge_entries(MAYA, [odd_one, entry("Lab 4")], {})
    notes.merge_entries(MAYA, [odd_one], {})

    found = notes.latest(MAYA, {}).entries
    assert {entry.title for entry in found} == {one_line(odd, LONGEST_TITLE), "Lab 4"}
    assert len(found) == 2
    assert max(len(entry.id) for entry in found) <= LONGEST_ID


def test_each_row_is_read_once_for_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = WeekSnapshots(Store(FakeDocuments(clock=CLOCK)), CLOCK)
    snapshots.save_week(MAYA, week(entry("Essay"), entry("Lab")), accounts("canvas"))
    read: list[str] = []

    def counted(row: Any, zone: ZoneInfo) -> WeekEntry:
        read.append(row["id"])
        return read_entry(row, zone)

    monkeypatch.setattr("services.week.snapshots.read_entry", counted)
    latest = snapshots.latest(MAYA, accounts("canvas"))

    assert sorted(read) == sorted(entry.id for entry in latest.entries) == ["Essay", "Lab"]
