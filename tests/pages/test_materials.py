"""Materials as a page: with nothing connected, with files of one's own, while a source is away, and with very many."""

import time

import pytest

from services.files.upload import Upload
from services.materials.material import Material, MaterialKind
from services.materials.results import CourseState
from tests.pages.conftest import Visitor

NOTES = b"# Osmosis\n\nOsmosis is the net movement of water.\n\n# Diffusion\n\nDiffusion needs no energy.\n"


def shelve(maya: Visitor, course: str = "Biology", name: str = "notes.md", content: bytes = NOTES) -> Material:
    library = maya.room.services.materials
    known = {status.course.name: status.course.key for status in library.courses(maya.student, live=False).courses}
    key = known.get(course) or library.add_shelf(maya.student, course).key
    return library.add_upload(maya.student, key, Upload(name=name, content=content))


def test_with_nothing_connected_a_course_of_ones_own_can_be_added(maya: Visitor) -> None:
    maya.opens("materials")
    assert "No courses yet" in maya.words
    maya.presses("Add a course of your own")
    maya.page.text_input(key="new-shelf-name").set_value("Biology")
    maya.presses("Add the course")

    assert maya.page.selectbox(key="materials-course").options == ["Biology"]
    assert "No courses yet" not in maya.words
