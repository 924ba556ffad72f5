"""An instructor makes a class with a file; a student joins by its link, signed out at first, and reads the file."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.conftest import Visit

pytestmark = pytest.mark.browser
SAID = "Photosynthesis turns light into sugar, in the chloroplast."


def test_from_nothing_to_a_class_with_a_student_who_reads_what_it_has(visit: Visit) -> None:
    anne = visit("Anne Okafor")
    anne.open("/classroom")
    anne.press("Make a class")
    dialog = anne.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Botany 7")
    dialog.get_by_role("button", name="Make the class").click()
    link = anne.page.locator(".st-key-class-join-code code").first
    expect(link).to_contain_text("/join/")
    address = link.inner_text()
    anne.press("Show the QR picture")
    picture = anne.page.locator("img.join-qr")
    expect(picture).to_be_visible()
    assert picture.evaluate("picture => picture.naturalWidth") > 100
    anne.page.keyboard.press("Escape")
    anne.page.get_by_role("radio", name="Materials").click()
    file = {"name": "week one.txt", "mimeType": "text/plain", "buffer": SAID.encode()}
    anne.page.locator(".st-key-file-field-class input[type=file]").set_input_files([file])
    expect(anne.page.get_by_test_id("stFileChip")).to_be_visible()
    anne.press("Add to the class")
    anne.sees("1 file is added.")

    maya = visit("Maya Chen", signs_in=False, width=390)
    maya.page.goto(address)
    maya.page.context.clear_cookies()
    maya.page.goto(address)
    maya.sees("You have been invited to a class.")
    maya.press("Sign in")
    maya.press("Maya Chen")
    maya.sees("Join Botany 7?")
    maya.sees("What they never see:")
    maya.press("Join the class")
    maya.sees("You are in Botany 7 now.")
    maya.page.get_by_role("radio", name="Materials").click()
    maya.page.get_by_role("link", name="week one.txt").click()
    expect(maya.page.get_by_role("dialog", name="Course material")).to_contain_text(SAID)

    anne.open("/classroom")
    anne.press("Botany 7")
    anne.sees("2 people")
    anne.page.get_by_role("button", name=re.compile("More about Maya Chen")).click()
    anne.page.get_by_text("Remove from the class").click()
    anne.sees("Maya Chen is not in the class any more.")
    maya.open("/materials")
    expect(maya.page.get_by_role("link", name="week one.txt")).to_have_count(0)
    maya.open("/classroom")
    maya.sees("You are in no class yet")
