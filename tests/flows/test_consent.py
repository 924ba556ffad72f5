"""Consent in the browser: what was typed stays in the field until the student agrees, and goes out by itself then."""

from playwright.sync_api import expect

from services.safety.consent import CHAT
from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit

QUESTION = "What is due this week?"


def test_a_message_waits_in_the_field_with_its_file_and_is_sent_by_the_button(
    visit: Visit, backstage: Backstage
) -> None:
    maya = visit("Maya Chen", width=390)
    maya.open("/")
    maya.waits_for_the_end()
    # In another tab, so that this page learns of it from the refusal.
    backstage.withdraw("Maya Chen", CHAT)
    maya.page.locator(".live-composer-root input[type=file]").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"Read chapter 4"}
    )
    maya.write(QUESTION)

    maya.sees("Take it back:")
    expect(maya.field).to_have_value(QUESTION)
    maya.sees("Your message is kept.")
    assert maya.questions.count() == 0

    maya.press("I agree")

    expect(maya.questions).to_have_count(1)
    expect(maya.field).to_have_value("")
    maya.sees("notes.txt")
    maya.waits_for_the_end()
    expect(maya.answers).to_have_count(1)
    maya.sees_no("Your message is kept.")
