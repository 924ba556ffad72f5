"""An instructor makes a class with a file and an assistant; a student joins by its link, reads the file and asks."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.conftest import Visit
from tests.flows.person import ANSWER_MS, Person

pytestmark = pytest.mark.browser
SAID = "Photosynthesis turns light into sugar, in the chloroplast."


def publishes_an_assistant(anne: Person) -> None:
    """From an empty view to what students have, each click at once after the last word that is typed before it."""
    anne.page.get_by_role("radio", name="Assistants").click()
    anne.page.get_by_label("Name of a new assistant").fill("Leaf tutor")
    anne.press("Make an assistant")
    words = anne.page.get_by_role("textbox", name="Words for the assistant", exact=True)
    words.fill("Look with canvas_get_gradez first.")
    anne.page.get_by_role("radio", name="Asks first").check(force=True)
    anne.sees("Did you mean canvas_get_grades?")
    anne.press("Save and publish")
    anne.sees("The draft is saved. Students do not get it before")
    anne.page.get_by_role("textbox", name="Your own rules", exact=True).fill("In lab reports name what it helped with.")
    words.fill("Use the words of our lecture.")
    # In the same breath: what was typed last is published, not what stood there before.
    anne.page.locator(".st-key-draft-publish button").click()
    anne.sees("Leaf tutor is published")
    anne.sees("Students have exactly this.")
    expect(words).to_have_value("Use the words of our lecture.")
    anne.page.get_by_role("textbox", name="Ask as a student would", exact=True).fill("/say Is that so?")
    anne.page.locator("[class*=st-key-preview-ask-], [data-testid=stForm]").get_by_role("button", name="Ask").click()
    expect(anne.page.locator(".st-key-preview-1")).to_contain_text("Is that so?")


def test_from_nothing_to_a_class_with_a_student_who_reads_what_it_has(visit: Visit) -> None:
    anne = visit("Anne Okafor")
    anne.open("/classroom")
    anne.press("Make a class")
    dialog = anne.page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Botany 7")
    dialog.get_by_role("button", name="Make the class").click()
    link = anne.page.locator(".st-key-class-join-code code").first
    expect(link).to_contain_text("/join/", timeout=ANSWER_MS)
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
    publishes_an_assistant(anne)

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
    maya.sees("In lab reports name what it helped with.")
    maya.press("Begin a chat")
    maya.ask("/say Hello")
    maya.sees("Botany 7 · Leaf tutor · Asks first")
    maya.open("/classroom")
    maya.press("Botany 7")
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
