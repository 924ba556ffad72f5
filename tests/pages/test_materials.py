"""Materials as a page: with nothing connected, with files of one's own, while a source is away, and with very many."""

import json
from collections.abc import Callable
from typing import Any

from services.files.upload import Upload
from services.materials.material import Material
from tests.pages.conftest import Visitor

NOTES = b"# Osmosis\n\nOsmosis is the net movement of water.\n\n# Diffusion\n\nDiffusion needs no energy.\n"


def shelve(maya: Visitor, course: str = "Biology", name: str = "notes.md", content: bytes = NOTES) -> Material:
    library = maya.room.services.materials
    known = {status.course.name: status.course.key for status in library.courses(maya.student, live=False).courses}
    key = known.get(course) or library.add_shelf(maya.student, course).key
    return library.add_upload(maya.student, key, Upload(name=name, content=content))


def test_with_nothing_connected_a_course_of_ones_own_is_offered(maya: Visitor) -> None:
    maya.opens("materials")

    assert "No courses yet" in maya.words
    assert "Add a course of your own" in maya.labels


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

    assert maya.page.selectbox(key="materials-course").value == material.course_key
    assert reader(maya)["opens"] == f"/materials?open={material.id}&page=2"


def reader(maya: Visitor) -> dict[str, Any]:
    """What the reader was given."""
    return dict(json.loads(maya.page.get("bidi_component")[0].proto.json))
