"""Titles in the figures of a class: of what the class gives out, or five students have from their course; no others."""

from collections.abc import Sequence

import pytest

from services.classes.class_repository import library_owner
from services.materials.material import Material, MaterialKind
from services.materials.store.records import SHELF
from services.materials.store.repository import MATERIALS, MaterialRepository
from services.storage.store import Store
from services.wiring.classes import _shared_title
from tests.fakes import FakeClock, FakeDocuments

STUDENTS = [f"s{number}" for number in range(6)]


@pytest.fixture
def store() -> Store:
    return Store(FakeDocuments(clock=FakeClock()))


def _put(store: Store, owners: Sequence[str], title: str, *, source: str = "canvas") -> None:
    material = Material(id="m1", course_key="canvas-1", kind=MaterialKind.FILE, title=title)
    fields = {**vars(material), "kind": material.kind.value, "dated_at": None}
    for owner in owners:
        store.for_student(owner).put(MATERIALS, {**fields, "source": source})


def _title(store: Store) -> str:
    return _shared_title(MaterialRepository(store, FakeClock()), "class1", "m1", STUDENTS)


def test_a_title_is_told_that_five_students_share(store: Store) -> None:
    _put(store, STUDENTS[:5], "Lecture 7")

    assert _title(store) == "Lecture 7"


def test_a_title_that_fewer_share_is_not_told(store: Store) -> None:
    _put(store, STUDENTS[:4], "Lecture 7")
    _put(store, STUDENTS[4:], "Lecture 7, my copy")

    assert _title(store) == ""


def test_a_students_own_file_has_no_title_whoever_else_has_it(store: Store) -> None:
    _put(store, STUDENTS, "leaked-exam.pdf", source=SHELF)

    assert _title(store) == ""


def test_what_the_class_gives_out_has_its_title(store: Store) -> None:
    _put(store, [library_owner("class1")], "Syllabus", source=SHELF)

    assert _title(store) == "Syllabus"
