"""A page that an answer cites is read beside the chat: nothing of the chat is lost, and nobody else can open it."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from services.files.upload import Upload
from tests import file_samples as samples
from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.person import Person
from tests.flows.test_today import MOST_SHIFTED, SHIFTED

pytestmark = pytest.mark.browser

PAGES = ("Cells have walls.", "Osmosis is the net movement of water across a membrane.", "Diffusion needs no energy.")


@pytest.fixture
def material(maya: Person, backstage: Backstage) -> Iterator[str]:
    """Id of a PDF of three pages on a shelf of Maya's."""
    library, student = backstage.services.materials, backstage.student(maya.name)
    course = library.add_own_course(student, "Botany")
    yield library.add_upload(student, course.key, Upload(name="Lecture 4.pdf", content=samples.pdf(*PAGES))).id
    library.remove_own_course(student, course.key)


def test_a_cited_page_is_read_beside_the_chat_and_asked_about(maya: Person, material: str, visit: Visit) -> None:
    page = maya.page
    maya.ask_anew('/call materials_search {"query": "net movement of water"}')
    maya.waits_for_the_end()
    maya.field.fill("Why is that?")
    mark = maya.answers.get_by_role("link", name="¹").first
    expect(mark).to_have_attribute("href", re.compile(r"page=2#passage=.*net%20movement"))
    chat = page.url

    mark.click()
    reader = page.get_by_role("complementary", name="Course material")
    picture = reader.get_by_role("img", name="Picture of “Lecture 4.pdf”, page 2")
    expect(picture).to_be_visible()
    page.wait_for_function("element => element.complete && element.naturalWidth > 600", arg=picture.element_handle())
    assert page.evaluate(YELLOW, picture.element_handle()) > 0
    reader.get_by_role("button", name="Text").click()
    expect(reader.locator("mark")).to_have_text("Osmosis is the net movement of water across a membrane.")
    page.keyboard.press("ArrowRight")
    expect(reader.get_by_text("Diffusion needs no energy.")).to_be_visible()
    reader.get_by_role("spinbutton", name="Page").fill("1")
    page.keyboard.press("Enter")
    expect(reader.get_by_text("Cells have walls.")).to_be_visible()
    expect(reader.get_by_role("button", name="Previous page")).to_be_disabled()

    edge = reader.get_by_role("separator", name="Width of the page")
    wide = reader.bounding_box()["width"]
    edge.press("ArrowLeft")
    assert abs(reader.bounding_box()["width"] - wide - 32) < 2
    at = edge.bounding_box()
    page.mouse.move(at["x"] + at["width"] / 2, 300)
    page.mouse.down()
    page.mouse.move(600, 310)
    page.mouse.up()
    assert abs(reader.bounding_box()["width"] - 680) < 6

    page.keyboard.press("Escape")
    expect(reader).to_have_count(0)
    expect(mark).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog", name="Course material")
    expect(sheet.locator("mark")).to_be_visible()
    sheet.get_by_role("button", name="Ask about this page").click()
    expect(sheet).to_have_count(0)
    expect(maya.field).to_have_value("Why is that? (“Lecture 4.pdf”, page 2)")
    expect(maya.field).to_be_focused()
    assert page.url == chat
    maya.tab.assert_quiet()

    address = urlsplit(mark.get_attribute("href") or "")
    page.goto(f"{maya.app.url}{address.path}?{address.query}#{address.fragment}")
    expect(sheet.get_by_role("img", name="Picture of “Lecture 4.pdf”, page 2")).to_be_visible()
    sheet.get_by_role("button", name="Ask about this page").click()
    expect(maya.field).to_have_value("About “Lecture 4.pdf”, page 2: ")
    diego = visit("Diego Ramos")
    diego.open(f"{address.path}?{address.query}")
    expect(diego.page.locator(".reader")).to_be_visible()
    assert diego.page.evaluate(SHIFTED)["sum"] <= MOST_SHIFTED
    expect(diego.page.get_by_role("alert").get_by_text("There is no such material")).to_be_visible()
    expect(diego.page.get_by_text("Osmosis")).to_have_count(0)


YELLOW = """image => {
  const { naturalWidth: width, naturalHeight: height } = image
  const canvas = Object.assign(document.createElement("canvas"), { width, height })
  const context = canvas.getContext("2d")
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
  let found = 0
  for (let at = 0; at < data.length; at += 4) if (data[at] > 200 && data[at + 1] > 180 && data[at + 2] < 180) found += 1
  return found
}"""
"""Number of pixels in the colour of the marker."""
