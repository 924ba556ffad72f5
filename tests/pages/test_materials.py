"""Materials as a page: with nothing connected, with files of one's own, with a school away (R79), with many."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from services import bootstrap
from services.errors import ReconnectRequired, ServiceUnavailable
from services.files.upload import Upload
from services.materials.material import Material
from tests.fakes import FakeDocuments
from tests.pages.conftest import Visitor
from tests.services.materials.school import BIOLOGY, LibraryRoom, eventually
from ui.materials import material_search

MOST_S = 0.3
"""Of the server's time for a page; a test beside others may take three times as long."""
NOTES = b"# Osmosis\n\nOsmosis is the net movement of water.\n\n# Diffusion\n\nDiffusion needs no energy.\n"


def shelve(maya: Visitor, course: str = "Biology", name: str = "notes.md", content: bytes = NOTES) -> Material:
    library = maya.room.services.materials
    known = {status.course.name: status.course.key for status in library.courses(maya.student, live=False).courses}
    key = known.get(course) or library.add_own_course(maya.student, course).key
    return library.add_upload(maya.student, key, Upload(name=name, content=content))


def test_with_nothing_connected_a_course_of_ones_own_is_offered(maya: Visitor) -> None:
    maya.opens("materials")

    assert "No courses yet" in maya.words
    assert "Add a course of your own" in maya.labels


def test_an_empty_course_of_ones_own_offers_its_files_and_no_search(maya: Visitor) -> None:
    maya.room.services.materials.add_own_course(maya.student, "Botany")

    maya.opens("materials")

    (shelf,) = maya.page.get("expander")
    assert shelf.proto.expanded
    assert not maya.page.text_input


def test_the_files_of_each_course_are_open_or_closed_by_themselves(
    maya: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = maya.room.services.materials
    courses = [library.add_own_course(maya.student, name).key for name in ("Botany", "Zoology")]
    drawn, expander = set(), st.expander
    monkeypatch.setattr(st, "expander", lambda label, key, **facts: drawn.add(key) or expander(label, key=key, **facts))

    for course in courses:
        maya.page.query_params["course"] = course
        maya.opens("materials")

    assert len(drawn) == 2


def test_a_file_is_listed_found_and_removed(maya: Visitor) -> None:
    material = shelve(maya)
    maya.opens("materials")
    assert f"/materials?open={material.id}&page=1" in maya.words

    maya.page.text_input(key="materials-search").set_value("net movement of water").run()
    assert f"/materials?open={material.id}&page=1#passage=" in maya.words
    assert "section 1" in maya.words

    maya.page.text_input(key="materials-search").set_value("").run()
    maya.page.button(key=f"remove-{material.id}").click().run()
    assert f"open={material.id}" not in maya.words
    assert "The file is removed." in maya.words


def test_nobody_sees_the_files_of_another(make_visitor: Callable[..., Visitor]) -> None:
    maya = make_visitor()
    shelve(maya)
    diego = Visitor(maya.room, "diego")

    diego.opens("materials")

    assert "No courses yet" in diego.words
    assert "notes.md" not in diego.words


def test_the_address_names_the_course_and_the_page_to_open(maya: Visitor) -> None:
    shelve(maya, "History")
    material = shelve(maya, "Biology")

    maya.page.query_params.update({"course": material.course_key, "open": material.id, "page": "2"})
    maya.opens("materials")

    assert maya.page.selectbox[0].value == material.course_key
    assert reader(maya)["opens"] == f"/materials?open={material.id}&page=2"


def reader(maya: Visitor) -> dict[str, Any]:
    """What the reader was given."""
    return dict(json.loads(maya.page.get("bidi_component")[0].proto.json))


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LibraryRoom:
    """A school with two courses, which Maya has connected."""
    room = LibraryRoom(FakeDocuments(), tmp_path)
    monkeypatch.setattr(bootstrap, "container", lambda: room.services)
    return room


def looks(school: LibraryRoom) -> Visitor:
    """Maya on the page, after its look at the school."""
    maya = Visitor(school)
    maya.opens("materials")
    eventually(lambda: maya.page.session_state["materials-look"].is_done)
    maya.page.run()
    assert not maya.page.exception
    return maya


@pytest.mark.parametrize("asked", ["", BIOLOGY])
def test_the_course_that_is_named_is_the_one_that_is_listed_whatever_comes_later(
    school: LibraryRoom, asked: str
) -> None:
    school.school.courses, later = {}, school.school.courses
    shelf = school.library.add_own_course(school.maya, "Botany")
    maya = Visitor(school)
    if asked:
        maya.page.query_params["course"] = asked
    maya.opens("materials")
    assert maya.page.selectbox[0].value == shelf.key

    school.school.courses = later
    school.clock.advance(minutes=2)
    maya.page.run()
    eventually(lambda: maya.page.session_state["materials-look"].is_done)
    maya.page.run()

    assert maya.page.selectbox[0].value == (asked or shelf.key)
    assert ("Remove this course" in maya.labels) == (not asked)


def test_a_search_that_is_not_over_all_yet_tells_how_far_the_reading_is(
    school: LibraryRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(material_search, "WITHIN_S", 0.0)
    for number in range(4):
        school.school.put(BIOLOGY, f"reading-{number}", f"# Part {number}\n\nOsmosis again.\n".encode())
    maya = looks(school)

    maya.page.text_input(key="materials-search").set_value("osmosis").run()
    assert "5 materials are still being read" in maya.words
    assert maya.page.get("progress")

    school.work()
    maya.page.run()
    assert "still being read" not in maya.words
    assert not maya.page.get("progress")


def test_materials_stand_in_their_modules_and_a_locked_one_is_told_and_not_linked(school: LibraryRoom) -> None:
    school.school.put(BIOLOGY, "exam", b"Secret.", module="Week 1")
    school.school.lock(f"{BIOLOGY}.exam", "Opens on Friday.")

    maya = looks(school)

    assert [fold.label for fold in maya.page.expander] == ["Week 1 · 2", "Your own files"]
    assert f"open={BIOLOGY}.lecture-1&" in maya.words
    assert "Opens on Friday." in maya.words
    assert f"open={BIOLOGY}.exam" not in maya.words


def test_reading_ahead_tells_what_it_takes_is_paused_goes_on_and_ends(school: LibraryRoom) -> None:
    school.school.put(BIOLOGY, "slides", b"x" * 4_000_000, ending="txt", module="Week 2")
    maya = looks(school)
    assert "Still to be read: 2 materials, about 4 MB." in maya.words

    maya.presses("Read all of it now")
    maya.presses("Pause")
    assert "**Paused:** 0 of 2 materials have been read." in maya.words
    maya.presses("Go on")
    school.work()
    maya.page.run()

    assert "**Read:** 2 of 2 materials." in maya.words
    assert "read by Homeroom" in maya.words
    assert "Remove what was read" in maya.labels
    assert "Pause" not in maya.labels


def test_with_the_school_away_the_page_tells_what_it_knew_and_from_when(school: LibraryRoom) -> None:
    looks(school)
    school.clock.advance(minutes=5)
    school.school.failure = ServiceUnavailable("School", "School does not answer right now.")
    maya = looks(school)

    assert "School does not answer right now." in maya.words
    assert maya.words.count("as of Mon 23 Nov 2026") == 1
    assert f"open={BIOLOGY}.lecture-1&" in maya.words
    school.school.failure = None
    maya.presses("Look again")
    eventually(lambda: maya.page.session_state["materials-look"].is_done)
    maya.page.run()
    assert "as of Mon 23 Nov 2026" not in maya.words


def test_an_account_that_must_be_connected_again_shows_nothing_of_it(school: LibraryRoom) -> None:
    looks(school)
    school.services.connections.disconnect(school.maya.id, "school")

    maya = looks(school)

    assert "Lecture 1" not in maya.words
    assert "No courses yet" in maya.words


def test_an_account_that_was_revoked_is_to_be_connected_again_and_not_for_the_first_time(school: LibraryRoom) -> None:
    school.services.connections.report_failure(
        school.maya.id, "school", ReconnectRequired("School", "School has ended your sign-in.")
    )

    maya = looks(school)

    (link,) = [link for link in maya.page.get("page_link") if "reconnect" in link.proto.label]
    assert link.proto.label == "School needs to be reconnected. Open Connections"
    assert "No courses yet" not in maya.words


def test_a_course_of_four_hundred_materials_is_drawn_module_by_module(school: LibraryRoom) -> None:
    for number in range(400):
        school.school.put(BIOLOGY, f"reading-{number}", b"x", module=f"Week {number // 20}")
    maya = looks(school)

    started = time.process_time()
    maya.page.run()
    drawn_s = time.process_time() - started

    assert maya.words.count("/materials?open=") == 0
    assert len(maya.page.expander) == 21
    assert drawn_s < 3 * MOST_S


def test_a_course_of_ones_own_has_only_ones_files_and_can_be_removed(maya: Visitor) -> None:
    shelve(maya)

    maya.opens("materials")

    assert "Remove this course" in maya.labels
    assert "Read all of it now" not in maya.labels
    assert "Keep up to date" not in maya.labels
    assert [fold.label for fold in maya.page.expander] == ["Your own files · 1"]
