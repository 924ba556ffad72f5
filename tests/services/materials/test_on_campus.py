"""The library of two students over the campus's Canvas: real HTTP, real documents, real rights, a real throttle."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from services.errors import ItemNotFound, PermissionMissing
from services.identity.students import Student
from services.materials.library import MaterialLibrary
from services.materials.results import CourseState, CourseStatus
from tests.campus_rooms import CampusRoom
from tests.campus_server import CampusServer

PROGRAMMING, BIOLOGY = "canvas-4310", "canvas-4201"
MAKE_UP, GUIDE = "CS101_Lab08_makeup.pdf", "csv_cookbook.md"
WITHIN_S = 300.0


@pytest.fixture
def home(campus: CampusServer, tmp_path: Path) -> Iterator[CampusRoom]:
    """A Homeroom whose Maya has connected Canvas."""
    room = CampusRoom(campus, tmp_path)
    room.connect("canvas")
    yield room
    room.close()


def diego_of(home: CampusRoom) -> Student:
    """Diego, with his own Canvas."""
    facts = {"email": "diego.ramos@campus.example", "timezone": "America/Chicago"}
    diego = home.services.students.sign_in(issuer="campus", subject="diego", name="Diego Ramos", **facts)
    address = home.services.connections.begin_oauth(diego.id, "canvas")
    code = home.server.consent(address, "diego")
    state = parse_qs(urlsplit(address).query)["state"][0]
    home.services.connections.finish_oauth(diego.id, state=state, code=code)
    return diego


def control(campus: CampusServer, kind: str, **wish: Any) -> None:
    answer = campus.http.post(f"{campus.url}/canvas/control/{kind}", json=wish)
    assert answer.status_code == 200, answer.text


def ids(library: MaterialLibrary, student: Student, course: str = PROGRAMMING) -> dict[str, str]:
    """Ids of a course's materials, by name or title."""
    listed = library.materials(student, course).materials
    return {each.material.name or each.material.title: each.material.id for each in listed}


def test_two_students_of_one_course_read_what_each_of_them_may(home: CampusRoom) -> None:
    library, diego = home.services.materials, diego_of(home)
    his, hers = ids(library, diego), ids(library, home.maya)

    own = his[MAKE_UP]
    (page,) = library.pages(diego, own).pages
    assert "withdraw(amount)" in page.text
    assert own not in hers.values()
    with pytest.raises((ItemNotFound, PermissionMissing)):
        library.pages(home.maya, own)


def test_what_is_closed_since_is_gone_and_what_is_away_is_told_with_its_date(home: CampusRoom) -> None:
    library, maya = home.services.materials, home.maya
    names = ids(library, maya)
    first = library.pages(maya, names[GUIDE])
    home.server.fault(service="canvas", fault="status", status=503, times=0)
    away = library.pages(maya, names[GUIDE])
    home.server.clear_faults()
    control(home.server, "files", course=4310, file=GUIDE, do="lock")

    assert (first.is_live, away.is_live) == (True, False)
    assert [page.text for page in away.pages] == [page.text for page in first.pages]
    assert away.as_of <= first.as_of
    with pytest.raises((ItemNotFound, PermissionMissing)):
        library.pages(maya, names[GUIDE])


def test_a_replaced_file_is_read_as_it_is_now(home: CampusRoom) -> None:
    library, maya = home.services.materials, home.maya
    before = library.pages(maya, ids(library, maya)[GUIDE])
    control(home.server, "files", course=4310, file=GUIDE, do="replace", source="biol201/onion-counts")

    after = library.pages(maya, ids(library, maya)[GUIDE])
    assert "anaphase" not in "".join(page.text for page in before.pages)
    assert "anaphase" in after.pages[0].text


@pytest.mark.soak
def test_a_course_of_three_hundred_files_is_read_in_under_the_throttle_of_canvas(home: CampusRoom) -> None:
    library, maya, campus = home.services.materials, home.maya, home.server
    control(campus, "courses", course=4201, do="many_files", count=300, module="Unit 2 · Energy")
    control(campus, "courses", course=4201, do="throttle", limit=60, per_second=20)
    library.materials(maya, BIOLOGY)
    library.read_ahead(maya, BIOLOGY)

    def status() -> CourseStatus:
        return next(each for each in library.courses(maya, live=False).courses if each.course.key == BIOLOGY)

    until = time.monotonic() + WITHIN_S
    while status().state is not CourseState.READY and time.monotonic() < until:
        if not home.services.material_reading.run_once():
            time.sleep(0.2)  # the course rests because Canvas asked for it
    control(campus, "courses", course=4201, do="throttle", limit=0, per_second=0)

    found = library.search(maya, "quill-217", course_keys=[BIOLOGY])
    refused = sum(entry["status"] == 403 for entry in campus.log(service="canvas"))
    assert status().read >= 300 + 40
    assert found.hits[0].material.name.startswith("reading-217")
    assert refused <= 20
    assert {entry["status"] for entry in campus.log(service="files")} == {200}
