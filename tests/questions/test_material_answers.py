"""Answers to the questions over materials, as the library reads them from Canvas for who takes the course."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from sandbox.canvas.documents.source import source
from services.identity.students import Student
from services.materials.material import Material
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer
from tests.questions.material_questions import HELD_OUT, VOICES, material_questions
from tests.questions.test_material_questions import squeezed

Shelf = dict[str, tuple[Student, Material]]
"""Materials by title and by name of file, with a student who may read them."""
WITHIN_S = 120.0


@pytest.mark.soak
def test_the_page_that_answers_is_the_page_that_the_library_reads(campus: CampusServer, tmp_path: Path) -> None:
    room = CampusRoom(campus, tmp_path)
    diego = room.services.students.sign_in(
        issuer="campus", subject="diego", name="Diego", email="diego@campus.example", timezone="America/Chicago"
    )
    shelf: Shelf = {}
    for person, student in (("diego", diego), ("maya", room.maya)):
        connect(room, student, person)
        shelf |= materials_of(room, student)
    pages = [page for question in material_questions(*VOICES, HELD_OUT) for page in question.answers]

    missed = [page for page in pages if squeezed(page.quote) not in text_of(room, shelf, page.file, page.page)]
    room.close()

    assert missed == []


def connect(room: CampusRoom, student: Student, person: str) -> None:
    address = room.services.connections.begin_oauth(student.id, "canvas")
    state = parse_qs(urlsplit(address).query)["state"][0]
    code = room.server.consent(address, person)
    room.services.connections.finish_oauth(student.id, state=state, code=code)


def materials_of(room: CampusRoom, student: Student) -> Shelf:
    library = room.services.materials
    keys = [listed.course.key for listed in library.courses(student).courses]
    found = [listed.material for key in keys for listed in library.materials(student, key).materials]
    return {name: (student, material) for material in found for name in (material.title, material.name) if name}


def text_of(room: CampusRoom, shelf: Shelf, file: str, number: int) -> str:
    own = source(file)
    student, material = shelf.get(own.title) or shelf[str(own.head["file"])]
    read = room.services.materials.pages(student, material.id, [number], within_s=WITHIN_S)
    return "".join(squeezed(f"{page.text}\n{page.notes}") for page in read.pages)
