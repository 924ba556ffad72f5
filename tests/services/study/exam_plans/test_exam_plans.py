"""Exams and their plans: kept, changed by two tabs at once, done and missed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.errors import BadArguments, ChangedElsewhere, ItemNotFound
from services.materials.material import Material, MaterialKind, PageUnit
from services.materials.results import CourseMaterials, ListedMaterial
from services.study.exam import Exam, PlannedSession, SessionKind
from services.study.exam_plans.exam_plans import ExamPlans, reading_minutes
from services.study.exam_plans.session_planner import FreeStretch
from services.study.mastery import Mastery
from services.study.overview import StudyDays
from services.study.store.attempt_repository import AttemptRepository
from services.study.store.exam_repository import ExamRepository
from services.study.store.quiz_repository import QuizRepository
from tests.fakes import FakeDocuments
from tests.services.study.review.desk import Desk

COURSE = "canvas-101"


class FakeLibrary:
    """Materials of one course."""

    def __init__(self) -> None:
        self.listed: list[ListedMaterial] = []
        self.looks = 0

    def add(self, id: str, pages: int = 20, kind: MaterialKind = MaterialKind.FILE, locked: str = "") -> None:
        material = Material(id=id, course_key=COURSE, kind=kind, title=f"Title of {id}", locked=locked)
        self.listed.append(ListedMaterial(material=material, is_read=True, pages=pages, unit=PageUnit.SLIDE))

    def materials(self, student: object, course_key: str, *, live: bool = True) -> CourseMaterials:
        self.looks += live
        if course_key != COURSE:
            raise ItemNotFound("Homeroom", "There is no such course.")
        as_of = datetime(2026, 10, 5, tzinfo=UTC)
        return CourseMaterials(status=None, materials=self.listed, as_of=as_of, is_live=False)  # type: ignore[arg-type]


class Room:
    def __init__(self) -> None:
        self.desk = Desk(FakeDocuments())
        self.student, self.clock, self.library = self.desk.student, self.desk.clock, FakeLibrary()
        store = self.desk.store
        mastery = Mastery(AttemptRepository(store), QuizRepository(store), self.desk.repository, self.clock)
        self.exams = ExamRepository(store)
        self.plans = ExamPlans(self.exams, self.library, mastery, self.clock)  # type: ignore[arg-type]
        self.days = StudyDays(self.desk.reviews, self.plans, self.clock)

    def add(self, days: int = 14, **more: object) -> Exam:
        given = {"title": "Midterm", "at": self.clock.at + timedelta(days=days), "course_key": COURSE, **more}
        return self.plans.add(self.student, **given)

    def free(self, days: int = 14) -> list[FreeStretch]:
        at = self.clock.at
        return [
            FreeStretch(start=at + timedelta(days=n, hours=1), end=at + timedelta(days=n, hours=4)) for n in range(days)
        ]

    def session(self, hours: float, **more: object) -> PlannedSession:
        start = self.clock.at + timedelta(hours=hours)
        return PlannedSession(**{"id": f"s{hours}", "kind": SessionKind.READ, "start": start, "minutes": 30, **more})


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_plan_covers_the_materials_and_leaves_out_what_is_locked_or_only_talk(room: Room) -> None:
    room.library.add("a")
    room.library.add("talk", kind=MaterialKind.ANNOUNCEMENT)
    room.library.add("shut", locked="Opens on Monday.")
    exam = room.add()

    found = room.plans.propose(room.student, exam.id, room.free())

    assert {id for session in found.sessions for id in session.material_ids} == {"a"}
    assert room.plans.exam(room.student, exam.id).sessions == ()


def test_materials_are_listed_anew_only_when_a_plan_asks_for_it(room: Room) -> None:
    exam, elsewhere = room.add(), room.add(course_key="shelf-gone", title="Other")

    room.plans.propose(room.student, exam.id, room.free())
    assert room.library.looks == 0
    room.plans.look_at_materials(room.student, exam)
    room.plans.look_at_materials(room.student, elsewhere)

    assert room.library.looks == 2


def test_only_the_chosen_materials_are_planned(room: Room) -> None:
    room.library.add("a")
    room.library.add("b")
    exam = room.add(material_ids=["b"])

    found = room.plans.propose(room.student, exam.id, room.free())

    assert {id for session in found.sessions for id in session.material_ids} == {"b"}


def test_what_was_read_is_not_planned_again(room: Room) -> None:
    room.library.add("a")
    room.library.add("b")
    exam = room.add()
    room.plans.keep(room.student, exam.id, [room.session(1, material_ids=("a",)), room.session(2)])
    room.plans.set_done(room.student, exam.id, "s1")

    found = room.plans.propose(room.student, exam.id, room.free())

    assert {id for session in found.sessions for id in session.material_ids} == {"b"}


def test_a_new_plan_replaces_what_was_not_done(room: Room) -> None:
    exam = room.add()
    room.plans.keep(room.student, exam.id, [room.session(1), room.session(2)])
    room.plans.set_done(room.student, exam.id, "s1")

    kept = room.plans.keep(room.student, exam.id, [room.session(5)], card="card-7")

    assert [(session.id, session.card) for session in kept.sessions] == [("s1", ""), ("s5", "card-7")]


def test_the_same_exam_of_a_service_is_added_once(room: Room) -> None:
    first = room.add(source="canvas:assignment-7")
    again = room.add(source="canvas:assignment-7", title="Other words")

    assert first == again
    assert len(room.plans.exams(room.student)) == 1


def test_a_session_is_missed_when_its_time_is_over_and_may_be_moved(room: Room) -> None:
    exam = room.add()
    room.plans.keep(room.student, exam.id, [room.session(1), room.session(30)])
    room.clock.at += timedelta(hours=3)

    assert [planned.session.id for planned in room.plans.missed(room.student)] == ["s1"]
    room.plans.move(room.student, exam.id, "s1", room.clock.at + timedelta(hours=2))
    assert room.plans.missed(room.student) == []


def test_two_tabs_at_once_lose_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    exam = room.add()
    room.plans.keep(room.student, exam.id, [room.session(1), room.session(2)])
    replace_as_stored, met = room.exams.replace, []

    def replace_late(student_id: str, before: Exam, after: Exam) -> bool:
        if not met:
            met.append(True)
            room.plans.set_done(room.student, exam.id, "s2")
        return replace_as_stored(student_id, before, after)

    monkeypatch.setattr(room.exams, "replace", replace_late)

    room.plans.set_done(room.student, exam.id, "s1")

    assert all(session.done_at for session in room.plans.exam(room.student, exam.id).sessions)


def test_a_plan_that_always_changes_elsewhere_is_told(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    exam = room.add()
    monkeypatch.setattr(room.exams, "replace", lambda *_: False)

    with pytest.raises(ChangedElsewhere):
        room.plans.change(room.student, exam.id, title="Final")


@pytest.mark.parametrize("given", [{"title": "  "}, {"days": -1}])
def test_an_exam_without_a_name_or_in_the_past_is_refused(room: Room, given: dict[str, object]) -> None:
    with pytest.raises(BadArguments) as refusal:
        room.add(**given)

    assert refusal.value.next_step


def test_nobody_sees_another_students_exam(room: Room) -> None:
    exam = room.add()
    diego = replace(room.student, id="diego")

    assert room.plans.exams(diego) == []
    with pytest.raises(ItemNotFound):
        room.plans.set_done(diego, exam.id, "s1")


def test_today_tells_cards_sessions_and_the_next_exam(room: Room) -> None:
    room.desk.add(3, course_key=COURSE)
    exam = room.add()
    room.plans.keep(room.student, exam.id, [room.session(-5), room.session(1), room.session(40)])

    day = room.days.today(room.student)

    assert (day.due, day.by_course) == (3, ((COURSE, 3),))
    assert [planned.session.id for planned in day.sessions] == ["s1"]
    assert [planned.session.id for planned in day.missed] == ["s-5"]
    assert day.next_exam is not None
    assert day.next_exam.id == exam.id


def test_nothing_to_practise_is_an_empty_day(room: Room) -> None:
    assert room.days.today(room.student).is_empty


@pytest.mark.parametrize(("pages", "minutes"), [(0, 30), (2, 5), (20, 20), (5_000, 1_000)])
def test_reading_takes_about_so_long(pages: int, minutes: int) -> None:
    material = Material(id="m", course_key=COURSE, kind=MaterialKind.FILE, title="t")

    assert reading_minutes(ListedMaterial(material=material, is_read=True, pages=pages, unit=PageUnit.SLIDE)) == minutes
