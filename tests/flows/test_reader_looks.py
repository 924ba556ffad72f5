"""The reader with every kind of material, wide and narrow, light and dark, in both languages."""

import re
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import expect

from sandbox.canvas.documents.render import rendered
from sandbox.canvas.documents.source import source
from services.files.upload import Upload
from services.materials.material import Material
from tests import file_samples as samples
from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.person import Person
from tests.flows.test_accessible import HAS_THEME, NOTHING_GREY, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.soak]

KINDS = {
    "reading.pdf": "biol201/reading-electron-transport",
    "deck.pptx": "biol201/lecture-06-membranes",
    "manual.docx": "biol201/lab-6-mitosis-manual",
    "scan.pdf": "hist142/owen-dulce-et-decorum",
    "mazes.txt": "cs101/maze-samples",
    "guide.md": "",
    "photo.png": "",
}
SIZES = ((1440, 900), (1024, 768), (390, 844))
CLOSE = {"en": "Close", "es": "Cerrar"}
SIDEWAYS = "element => element.scrollWidth > element.clientWidth + 1"
GUIDE = (
    b"# Osmosis\n\nOsmosis moves *water*.\n\n| Cell | Water |\n|---|---|\n| root hair | in |\n\n```\nprint(1)\n```\n"
)


def content(name: str) -> bytes:
    if KINDS[name]:
        return rendered(source(KINDS[name]))
    return GUIDE if name.endswith(".md") else samples.image(size=(900, 600))


@pytest.fixture
def shelf(maya: Person, backstage: Backstage) -> Iterator[dict[str, Material]]:
    library, student = backstage.services.materials, backstage.student(maya.name)
    course = library.add_own_course(student, "Botany")
    yield {name: library.add_upload(student, course.key, Upload(name=name, content=content(name))) for name in KINDS}
    library.remove_own_course(student, course.key)


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_is_read_at_every_width_and_in_both_themes(
    language: str, maya: Person, shelf: dict[str, Material], backstage: Backstage, visit: Visit
) -> None:
    backstage.speak_to(maya.name, language)
    page, looks = maya.page, Visitor(maya)
    for name, material in shelf.items():
        maya.open(f"/materials?open={material.id}&page=1")
        reader = page.locator(".reader")
        expect(reader.get_by_role("heading", name=name)).to_be_visible(timeout=60_000)
        expect(reader.locator(".reader-body")).not_to_have_attribute("aria-busy", "true")
        for (width, height), scheme in product(SIZES, ("light", "dark")):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.wait_for_function(HAS_THEME, arg=scheme)
            page.wait_for_function(NOTHING_GREY)
            state = f"{name}, {width}, {scheme}, {language}"
            expect(reader.get_by_role("button", name=CLOSE[language]), state).to_be_visible()
            assert not reader.evaluate(SIDEWAYS), state
            looks.finds_nothing(state)
        assert reader.locator(".reader-body").inner_text().strip() or reader.locator("img").count(), name
        page.set_viewport_size({"width": 1280, "height": 800})
    assert page.get_by_text(re.compile("Traceback|Error:")).count() == 0
