"""Figures of a class: five or more, told once, and the same whoever joins, writes or leaves around them (T45, R95)."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.classes.figures.class_figures import FIGURES, ClassFigures, FigureReport
from services.classes.figures.counted_answer import CountedAnswer
from services.classes.figures.figure_counters import COUNTERS, FigureCounters
from services.classes.figures.figure_week import PartOfDay, week_of
from services.errors import ItemNotFound
from services.identity.students import Student
from services.storage.store import Store
from tests.fakes import FakeDocuments

MONDAY = datetime(2026, 11, 23, 9, tzinfo=UTC)
CLASS = "class1"
TOPICS = ("courses", "calendar", "study")


class FigureRoom:
    """A class over a store in memory, with a clock that is set by hand."""

    def __init__(self, *, seed: int = 0) -> None:
        self.now, self.members, self.instructors = MONDAY, set[str](), set[str]()
        self.store = Store(FakeDocuments(clock=lambda: self.now))
        self.counters = FigureCounters(self.store, lambda: self.now, is_counted=self._is_counted)
        self.figures = self.replica(seed)

    def replica(self, seed: int) -> ClassFigures:
        return ClassFigures(
            self.store,
            lambda: self.now,
            require_member=self._require,
            is_counted=self._is_counted,
            title_of=lambda class_id, material, students: f"About {material}",
            draw=random.Random(seed).random,
        )

    def ask(self, id: str, *, timezone: str = "UTC", **counted: object) -> None:
        self.members.add(id)
        self.counters.record(_student(id, timezone), CLASS, CountedAnswer(is_question=True, **counted))  # type: ignore[arg-type]

    def close_week(self) -> None:
        self.now = week_of(self.now.date()).closes_at + timedelta(minutes=1)
        self.figures.close_due()

    def report(self, id: str = "s0") -> FigureReport:
        return self.figures.report(_student(id), CLASS)

    def _is_counted(self, id: str, class_id: str) -> bool:
        return class_id == CLASS and id in self.members

    def _require(self, student: Student, class_id: str) -> None:
        if student.id not in self.members | self.instructors:
            raise ItemNotFound("Homeroom", "There is no such class.")


def _student(id: str, timezone: str = "UTC") -> Student:
    return Student(id=id, email=f"{id}@s.example", name=id, timezone=timezone)


def test_a_week_of_five_is_told_when_it_is_over_and_not_before() -> None:
    room = FigureRoom()
    for number in range(5):
        room.ask(f"s{number}", contexts=("courses",), pages=(("canvas-1.file-7", 3),), failures=(("web", "timed_out"),))
    before = room.report()
    room.close_week()

    told = room.report().weeks[0]

    assert before.weeks == []
    assert before.open_week == week_of(MONDAY.date()).previous
    assert told.students >= 5
    assert told.days.keys() == {0}
    assert told.parts.keys() == {PartOfDay.MORNING}
    assert told.topics.keys() == {"courses"}
    assert told.questions == 5
    assert [(page.material_id, page.page) for page in told.pages] == [("canvas-1.file-7", 0), ("canvas-1.file-7", 3)]
    assert [(line.tool, line.kind) for line in told.failures] == [("web", "timed_out")]


def test_four_are_told_as_if_nobody_had_asked() -> None:
    room, empty = FigureRoom(), FigureRoom()
    for number in range(4):
        room.ask(f"s{number}", contexts=("courses",), micros=10_000)
    empty.members.add("s0")
    room.close_week()
    empty.close_week()

    assert room.report() == empty.report()
    assert room.store.owners(COUNTERS, {}) == []


def test_what_fewer_than_five_did_is_in_no_figure_of_a_larger_week() -> None:
    room = FigureRoom()
    for number in range(9):
        room.ask(f"s{number}", contexts=("courses", *(("calendar",) if number < 4 else ())))
    room.now += timedelta(days=1)
    for number in range(4):
        room.ask(f"s{number}", pages=(("m", 2),), failures=(("web", "timed_out"),))
    room.close_week()

    told = room.report().weeks[0]

    assert (told.topics.keys(), told.days.keys(), told.pages, told.failures) == ({"courses"}, {0}, [], [])


def test_an_instructor_and_somebody_who_has_left_count_in_no_group() -> None:
    room = FigureRoom()
    for number in range(5):
        room.ask(f"s{number}")
    room.members.remove("s4")
    room.counters.record(_student("teacher"), CLASS, CountedAnswer(is_question=True))
    room.close_week()

    assert room.report().weeks == []


def test_a_stranger_reads_nothing() -> None:
    with pytest.raises(ItemNotFound):
        FigureRoom().report("stranger")


def test_a_day_is_the_students_own() -> None:
    room = FigureRoom()
    room.now = datetime(2026, 11, 24, 3, tzinfo=UTC)
    for number in range(6):
        room.ask(f"s{number}", timezone="America/New_York")
    room.close_week()

    told = room.report().weeks[0]

    assert (told.days.keys(), told.parts.keys()) == ({0}, {PartOfDay.EVENING})


def test_two_replicas_publish_a_week_once_and_what_comes_late_changes_nothing() -> None:
    room = FigureRoom()
    for number in range(7):
        room.ask(f"s{number}", micros=1_000)
    room.now = week_of(MONDAY.date()).closes_at
    documents = {id: room.store.for_student(id).get(COUNTERS, key) for id, key in room.store.owners(COUNTERS, {})}
    room.figures.close_due()
    told = room.store.shared.find(FIGURES, {})
    # A replica that died after publishing has deleted nothing.
    for id, document in documents.items():
        assert document is not None
        room.store.for_student(id).put(COUNTERS, document)

    room.replica(99).close_due()

    assert room.store.shared.find(FIGURES, {}) == told
    assert room.store.owners(COUNTERS, {}) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 11), st.integers(0, 6), st.integers(0, 23), st.sampled_from(TOPICS)), max_size=60
    ),
    st.sampled_from(("joins", "writes", "leaves", "deletes")),
    st.integers(0, 2**32),
)
def test_asking_before_and_after_one_student_does_anything_shows_the_same(
    asked: list[tuple[int, int, int, str]], event: str, seed: int
) -> None:
    room = FigureRoom(seed=seed)
    room.members.add("s0")
    for number, day, hour, topic in sorted(asked, key=lambda line: line[1:3]):
        room.now = MONDAY.replace(hour=hour) + timedelta(days=day)
        room.ask(f"s{number}", contexts=(topic,), micros=700 * number)
    room.now = MONDAY + timedelta(days=6)
    before_closing = room.report()
    _happen(room, event)
    same_week = room.report()
    room.close_week()
    closed = room.report()
    _happen(room, event)
    room.figures.close_due()

    assert before_closing == same_week
    assert room.report() == closed
    counted = room.members if event != "leaves" else room.members - {"s1"}
    groups = {topic: {n for n, _, _, t in asked if t == topic and f"s{n}" in counted} for topic in TOPICS}
    for week in closed.weeks:
        assert all(students >= 5 and students % 5 == 0 for students in (*week.topics.values(), *week.days.values()))
        assert all(len(groups[topic]) + (event == "writes") >= 5 for topic in week.topics)


def _happen(room: FigureRoom, event: str) -> None:
    """One thing that one student does."""
    match event:
        case "joins":
            room.members.add("newcomer")
        case "writes":
            room.ask("s1", contexts=TOPICS)
        case "leaves":
            room.members.discard("s1")
        case "deletes":
            room.store.for_student("s1").delete(COUNTERS, {})
