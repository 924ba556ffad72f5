"""What a class has to read is read in once, found by all who are in it, and gone for whoever is not any more."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from services import bootstrap
from services.classes.class_materials import course_key
from services.classes.school_class import SchoolClass
from services.errors import BadArguments, ItemNotFound, PermissionMissing
from services.files.upload import Upload
from services.identity.students import Student
from services.materials.material import MaterialKind
from services.storage.collections import COLLECTIONS
from tests.agent_fakes import FakeModel
from tests.fakes import FakeClock, FakeDocuments
from tests.rooms import Room, demo_settings
from tests.services.classes.school import ANNE

WORDS = "Photosynthesis happens in the chloroplast. Light becomes sugar.\n"
FILE = Upload(name="week 1.txt", content=WORDS.encode())


@dataclass
class Reading:
    """A class with one file, its instructor, a member and a stranger."""

    room: Room
    anne: Student
    school_class: SchoolClass
    file_id: str

    @property
    def maya(self) -> Student:
        return self.room.maya

    def finds(self, student: Student) -> list[str]:
        """Titles of what a question finds."""
        hits = self.room.services.materials.search(student, "Where does photosynthesis happen?").hits
        return [hit.material.title for hit in hits]

    def sees(self, student: Student) -> list[str]:
        """Keys of the courses of a student."""
        return [status.course.key for status in self.room.services.materials.courses(student, live=False).courses]


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    clock = FakeClock()
    room = Room(engine=FakeDocuments(clock=clock), data_dir=tmp_path, model=FakeModel(), clock=clock)
    anne = room.services.students.sign_in(
        issuer="https://id.example", subject="anne", name="Anne", email=ANNE, is_email_verified=True
    )
    classroom = room.services.classroom
    made = classroom.classes.create(anne, name="Biology 201")
    classroom.memberships.join(room.maya, made.join_code)
    added = classroom.materials.add(anne, made.id, FILE)
    return Reading(room=room, anne=anne, school_class=made, file_id=added.id)


def stored(reading: Reading, student_id: str) -> int:
    """Documents of a student's own library."""
    names = [collection.name for collection in COLLECTIONS if collection.name.startswith("material")]
    return sum(reading.room.services.store.for_student(student_id).count(name, {}) for name in names)


def test_members_find_read_and_open_it_and_it_is_stored_once(reading: Reading) -> None:
    library = reading.room.services.materials

    for student in (reading.maya, reading.anne):
        assert reading.finds(student) == ["week 1.txt"]
        assert library.pages(student, reading.file_id).pages[0].text.strip() == WORDS.strip()
        assert reading.sees(student) == [course_key(reading.school_class.id)]
        assert stored(reading, student.id) == 0
    assert library.has_anything(reading.maya.id)
    assert stored(reading, f"class.{reading.school_class.id}") > 3
    (listed,) = library.materials(reading.maya, course_key(reading.school_class.id)).materials
    assert listed.material.kind is MaterialKind.FILE
    assert listed.is_read
    assert library.usage(reading.maya).upload_bytes == 0


def test_the_tools_cite_it_for_a_member_who_has_connected_nothing_and_are_not_there_for_a_stranger(
    tmp_path: Path,
) -> None:
    clock = FakeClock()
    services = bootstrap.build(
        demo_settings(tmp_path), clock=clock, model=FakeModel(), engine=FakeDocuments(clock=clock)
    )

    def sign_in(name: str, email: str) -> Student:
        return services.students.sign_in(
            issuer="https://id.example", subject=name, name=name, email=email, is_email_verified=True
        )

    anne, maya, ana = sign_in("anne", ANNE), sign_in("maya", "m@x.example"), sign_in("ana", "a@x.example")
    made = services.classroom.classes.create(anne, name="Botany 7")
    services.classroom.memberships.join(maya, made.join_code)
    added = services.classroom.materials.add(anne, made.id, FILE)
    asked = {"query": "Where does photosynthesis happen?"}

    found = services.gateway.call(maya, "materials_search", asked, asked_by="api")
    listed = services.gateway.call(maya, "materials_list", {}, asked_by="api")
    refused = services.gateway.call(ana, "materials_search", asked, asked_by="api")

    assert found.success
    assert f"/materials?open={added.id}&page=1" in found.output
    assert "written by others" in found.output
    assert "1 read in" in listed.output
    # Pages are counted of what a school offers: of files that were added nobody says that they have none.
    assert "no pages" not in listed.output
    assert not refused.success
    assert "photosynthesis happens" not in str(refused).casefold()


def test_a_course_of_a_class_has_the_name_of_the_class(reading: Reading) -> None:
    made = reading.school_class
    reading.room.services.classroom.classes.change(
        reading.anne, made.id, version=made.version, name="Botany", term="", most_members=9
    )

    (status,) = reading.room.services.materials.courses(reading.maya).courses
    assert status.course.name == "Botany"


def leaves(reading: Reading) -> None:
    reading.room.services.classroom.memberships.leave(reading.maya, reading.school_class.id)


def is_removed(reading: Reading) -> None:
    reading.room.services.classroom.memberships.remove(reading.anne, reading.school_class.id, reading.maya.id)


def is_archived(reading: Reading) -> None:
    reading.room.services.classroom.classes.archive(reading.anne, reading.school_class.id)


def is_deleted(reading: Reading) -> None:
    reading.room.services.classroom.classes.delete(reading.anne, reading.school_class.id)


def file_goes(reading: Reading) -> None:
    for _ in range(2):
        reading.room.services.classroom.materials.remove(reading.anne, reading.school_class.id, reading.file_id)


@pytest.mark.parametrize("ends", [leaves, is_removed, is_archived, is_deleted, file_goes])
def test_it_is_gone_at_once_when_it_ends(reading: Reading, ends: Callable[[Reading], None]) -> None:
    library = reading.room.services.materials
    assert reading.finds(reading.maya)

    ends(reading)

    assert reading.finds(reading.maya) == []
    with pytest.raises(ItemNotFound):
        library.pages(reading.maya, reading.file_id)
    with pytest.raises(ItemNotFound):
        library.material(reading.maya, reading.file_id)
    if ends is is_deleted:
        assert stored(reading, f"class.{reading.school_class.id}") == 0


def test_it_is_there_again_when_the_class_is_opened_again(reading: Reading) -> None:
    classes = reading.room.services.classroom.classes
    is_archived(reading)
    with pytest.raises(BadArguments):
        reading.room.services.classroom.materials.add(reading.anne, reading.school_class.id, FILE)
    classes.reopen(reading.anne, reading.school_class.id)

    assert reading.finds(reading.maya) == ["week 1.txt"]


def test_strangers_find_nothing_of_it_by_any_way(reading: Reading) -> None:
    room = reading.room
    ana, library, materials = room.sign_in("ana"), room.services.materials, room.services.classroom.materials
    key, class_id = course_key(reading.school_class.id), reading.school_class.id

    assert (reading.finds(ana), reading.sees(ana), library.has_anything(ana.id)) == ([], [], False)
    for act in (
        lambda: library.materials(ana, key),
        lambda: library.material(ana, reading.file_id),
        lambda: library.pages(ana, reading.file_id),
        lambda: library.search(ana, "photosynthesis", course_keys=[key]),
        lambda: library.add_upload(ana, key, FILE),
        lambda: materials.materials(ana, class_id),
        lambda: materials.add(ana, class_id, FILE),
        lambda: materials.remove(ana, class_id, reading.file_id),
        lambda: materials.usage(ana, class_id),
    ):
        with pytest.raises(ItemNotFound):
            act()


def test_a_member_changes_nothing_of_it(reading: Reading) -> None:
    library, materials = reading.room.services.materials, reading.room.services.classroom.materials
    key, class_id = course_key(reading.school_class.id), reading.school_class.id
    for act in (
        lambda: materials.add(reading.maya, class_id, FILE),
        lambda: materials.remove(reading.maya, class_id, reading.file_id),
        lambda: materials.usage(reading.maya, class_id),
    ):
        with pytest.raises(PermissionMissing):
            act()
    with pytest.raises(ItemNotFound):
        library.add_upload(reading.maya, key, Upload(name="mine.txt", content=b"mine"))
    for harmless in (
        lambda: library.remove_upload(reading.maya, reading.file_id),
        lambda: library.remove_own_course(reading.maya, key),
        lambda: library.remove(reading.maya, key),
        lambda: library.pause(reading.maya, key),
    ):
        harmless()

    assert reading.finds(reading.anne) == ["week 1.txt"]
    assert reading.finds(reading.maya) == ["week 1.txt"]
    assert stored(reading, reading.maya.id) == 0


def test_of_two_classes_each_member_reads_their_own(reading: Reading) -> None:
    classroom, ana = reading.room.services.classroom, reading.room.sign_in("ana")
    other = classroom.classes.create(reading.anne, name="Chemistry")
    classroom.memberships.join(ana, other.join_code)
    second = classroom.materials.add(
        reading.anne, other.id, Upload(name="acids.txt", content=b"Photosynthesis is not about acids.")
    )

    assert reading.finds(ana) == ["acids.txt"]
    assert reading.finds(reading.maya) == ["week 1.txt"]
    assert sorted(reading.finds(reading.anne)) == ["acids.txt", "week 1.txt"]
    with pytest.raises(ItemNotFound):
        reading.room.services.materials.pages(reading.maya, second.id)
