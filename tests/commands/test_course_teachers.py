"""The operator names who teaches the class of a course, where the school's system does not tell."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commands import course_teachers
from services.classes.lti.launch import Launch
from services.classes.school_class import ClassRole
from services.errors import BadArguments
from services.identity.students import Student
from services.wiring.container import ServiceContainer
from tests.agent_fakes import FakeModel
from tests.fakes import FakeDocuments
from tests.rooms import Room


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ServiceContainer:
    room = Room(engine=FakeDocuments(), data_dir=tmp_path, model=FakeModel())

    @contextmanager
    def everything() -> Iterator[ServiceContainer]:
        yield room.services

    monkeypatch.setattr(course_teachers, "everything", everything)
    return room.services


def opens(services: ServiceContainer, subject: str, *, is_administrator: bool = False) -> Student:
    """Somebody opens Homeroom as an instructor of the course."""
    student = services.students.sign_in(
        issuer="lti:x", subject=subject, name=subject.title(), email=f"{subject}@x.example"
    )
    services.classroom.lti.courses.enter(launch_by(subject, is_administrator=is_administrator), student)
    return student


def launch_by(subject: str, *, is_administrator: bool = False) -> Launch:
    return Launch(
        platform_id="p",
        issuer="https://moodle.example",
        deployment_id="2",
        subject=subject,
        name=subject.title(),
        email="",
        is_teaching=True,
        context_id="bio",
        context_title="Biology 201",
        memberships_url="",
        target="",
        is_administrator=is_administrator,
    )


def test_courses_are_listed_with_who_teaches_and_who_asks(
    services: ServiceContainer, capsys: pytest.CaptureFixture[str]
) -> None:
    root = opens(services, "root", is_administrator=True)
    course_teachers.courses()
    assert "Biology 201\n  no class yet" in capsys.readouterr().out
    nora, uma = opens(services, "nora"), opens(services, "uma")
    [course] = services.classroom.lti.courses.all()
    services.classroom.classes.freeze(course.class_id, is_frozen=True)
    course_teachers.courses()

    told = capsys.readouterr().out
    assert f"teaches: Nora  {nora.id}" in told
    assert f"asks to teach: Uma  {uma.id}" in told
    assert "frozen since" in told
    assert root.id not in told


def test_a_teacher_is_named_by_id_or_address_and_the_class_goes_on(
    services: ServiceContainer, capsys: pytest.CaptureFixture[str]
) -> None:
    nora, uma = opens(services, "nora"), opens(services, "uma")
    [course] = services.classroom.lti.courses.all()
    services.classroom.classes.freeze(course.class_id, is_frozen=True)

    assert course_teachers.teacher(course.id, "Uma@X.example", None) == 0
    assert capsys.readouterr().out == "Uma teaches Biology 201.\n"
    assert services.classroom.classes.role_in(uma.id, course.class_id) is ClassRole.INSTRUCTOR
    [(school_class, _)] = services.classroom.classes.of_student(nora.id)
    assert school_class.frozen_at is None
    with pytest.raises(BadArguments, match="Nobody has signed in"):
        course_teachers.teacher(course.id, "nobody@x.example", None)
    services.students.sign_in(issuer="https://id.example", subject="uma", name="Uma", email="uma@x.example")
    with pytest.raises(BadArguments, match="2 accounts have"):
        course_teachers.teacher(course.id, "uma@x.example", None)
    assert uma.id in capsys.readouterr().out
    assert course_teachers.teacher(course.id, uma.id, None) == course_teachers.teacher(course.id, None, uma.id) == 0


def test_who_says_that_they_teach_a_course_without_a_class_is_listed_until_it_has_one(
    services: ServiceContainer, capsys: pytest.CaptureFixture[str]
) -> None:
    root, courses = opens(services, "root", is_administrator=True), services.classroom.lti.courses
    courses.answer_administrator(launch_by("root", is_administrator=True), root, is_teaching=True)
    course_teachers.courses()
    assert f"says that they teach it: Root  {root.id}" in capsys.readouterr().out

    opens(services, "nora")
    course_teachers.courses()
    assert f"asks to teach: Root  {root.id}" in capsys.readouterr().out
