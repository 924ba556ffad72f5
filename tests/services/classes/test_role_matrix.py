"""Role matrix: every method about a class, found by its signature, for everybody who is not its instructor.

A method that is new is in it at once; one whose arguments are new says which to add to `ARGUMENTS`.
"""

import inspect
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from services.assistants.class_assistant import parse_draft
from services.classes.assistants.unsaved_drafts import UnsavedDraft
from services.classes.budgets.budget import Budget
from services.classes.class_services import ClassServices
from services.classes.school_class import ClassRole, SchoolClass
from services.errors import HomeroomError, ItemNotFound, PermissionMissing
from services.files.upload import Upload
from services.identity.students import Student
from tests.agent_fakes import FakeModel
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room

NOT_ASKED_BY_PEOPLE = {("figure_counters", "record"), ("classes", "create_for_course")}
"""Called when an answer has ended, with the class of its assistant; and by a launch, with the id of its course."""
DRAFT = parse_draft({"id": "c_0123456789abcdef", "name": "Tutor", "integrity": "", "categories": None})
OF_ASSISTANTS = ("assistants", "unsaved_drafts")
MEMBERS_MAY = {
    ("classes", "require_member"),
    ("classes", "instructors"),
    ("memberships", "leave"),
    ("memberships", "own"),
    ("memberships", "mark_told"),
    ("materials", "materials"),
    ("materials", "file_count"),
    ("figures", "report"),
}
"""What a student of the class may do: see who teaches it, what it has to read and the figures, and leave."""


@dataclass(frozen=True, kw_only=True)
class Cast:
    """Everybody who may try, and a class of Anne's with Maya in it."""

    classroom: ClassServices
    anne: Student
    maya: Student
    strangers: Mapping[str, Student]


@pytest.fixture(scope="module")
def cast(tmp_path_factory: pytest.TempPathFactory) -> Cast:
    clock = FakeClock()
    named = {
        "HOMEROOM_INSTRUCTORS": "Anne@campus.example ben@campus.example",
        "HOMEROOM_OPERATORS": "otto@campus.example",
    }
    folder: Path = tmp_path_factory.mktemp("roles")
    room = Room(engine=FakeDocuments(clock=clock), data_dir=folder, model=FakeModel(), clock=clock, settings=named)

    def sign_in(name: str) -> Student:
        return room.services.students.sign_in(
            issuer="https://id.example",
            subject=name,
            name=name,
            email=f"{name}@campus.example",
            is_email_verified=True,
        )

    ben = sign_in("ben")
    room.services.classroom.classes.create(ben, name="Chemistry")
    strangers = {"student": sign_in("ana"), "instructor of another class": ben, "operator": sign_in("otto")}
    classroom = room.services.classroom
    return Cast(classroom=classroom, anne=sign_in("anne"), maya=sign_in("maya"), strangers=strangers)


def arguments(cast: Cast, school_class: SchoolClass, assistant_id: str) -> dict[str, Any]:
    """A value for each argument by its name, such that only the role refuses."""
    return {
        "class_id": school_class.id,
        "id": assistant_id,
        "version": school_class.version,
        "name": "Another name",
        "term": "",
        "most_members": 10,
        "seen": "",
        "ends_at": None,
        "is_on": True,
        "member_id": cast.maya.id,
        "instructor_id": cast.maya.id,
        "written": "sam@campus.example",
        "email": "sam@campus.example",
        "upload": Upload(name="a.txt", content=b"Words."),
        "material_id": "upload-1",
        "request_id": "form-1",
        "budget": Budget(),
        "number": 1,
        "windows": (),
        "unsaved": UnsavedDraft(began=DRAFT, seen=1, typed=DRAFT),
    }


def methods() -> list[tuple[str, str]]:
    """Methods of the parts whose first arguments are a student, and a class or something of one."""
    found = []
    for part in fields(ClassServices):
        kind = inspect.get_annotations(ClassServices, eval_str=True)[part.name]
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            first = list(inspect.signature(method).parameters)[1:3]
            if not name.startswith("_") and first in (["student", "class_id"], ["student", "id"]):
                found.append((part.name, name))
    return [method for method in found if method not in NOT_ASKED_BY_PEOPLE]


def call(cast: Cast, part: str, name: str, student: Student) -> Callable[[], object]:
    """The method, for this student, on a class of its own."""
    classroom = cast.classroom
    made = classroom.classes.create_for_course(cast.anne, id=secrets.token_hex(8), name=f"{part}.{name}")
    classroom.memberships.admit(made.id, cast.maya.id, ClassRole.MEMBER, joined_by="code")
    has_assistant = part in OF_ASSISTANTS
    assistant = classroom.assistants.create(cast.anne, made.id, "Tutor", request_id=made.id) if has_assistant else None
    values = arguments(cast, made, assistant.id if assistant else "")
    method = getattr(getattr(classroom, part), name)
    required = {
        parameter.name: values[parameter.name]
        for parameter in inspect.signature(method).parameters.values()
        if parameter.name != "student" and parameter.default is inspect.Parameter.empty
    }
    return lambda: method(student, **required)


def test_the_matrix_holds_what_there_is_about_a_class() -> None:
    found = set(methods())

    assert found >= MEMBERS_MAY
    assert len(found) > 25


@pytest.mark.parametrize("who", ["student", "instructor of another class", "operator"])
def test_to_who_is_not_in_a_class_there_is_none(cast: Cast, who: str) -> None:
    told: list[str] = []
    for part, name in methods():
        act = call(cast, part, name, cast.strangers[who])
        try:
            act()
            told.append(f"{part}.{name}")
        except ItemNotFound:
            pass

    assert told == []


def test_a_member_may_do_what_is_listed_and_nothing_else(cast: Cast) -> None:
    allowed = set()
    for part, name in methods():
        act = call(cast, part, name, cast.maya)
        try:
            act()
            allowed.add((part, name))
        except (ItemNotFound, PermissionMissing):
            pass

    assert allowed == MEMBERS_MAY


def test_an_instructor_of_the_class_is_never_refused_for_their_role(cast: Cast) -> None:
    refused = []
    for part, name in methods():
        act = call(cast, part, name, cast.anne)
        try:
            act()
        except (PermissionMissing, ItemNotFound):
            # Nothing that is asked for is missing: what an instructor does not find would tell nothing of the others.
            refused.append(f"{part}.{name}")
        except HomeroomError:
            """For another reason, such as the last instructor who leaves: the role has been let in."""

    assert refused == []


def test_only_the_operator_manages_the_deployment(cast: Cast) -> None:
    for student in (cast.maya, cast.anne, cast.strangers["student"], cast.strangers["instructor of another class"]):
        with pytest.raises(PermissionMissing):
            cast.classroom.roles.require_operator(student)
        with pytest.raises(PermissionMissing):
            cast.classroom.budget_control.of_deployment(student)

    cast.classroom.roles.require_operator(cast.strangers["operator"])
