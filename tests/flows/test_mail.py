"""A drafted message in a real browser: one button that opens the student's own mail program."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.flows.person import Person

pytestmark = pytest.mark.browser

DRAFT = {"to": ["anne.okafor@campus.example"], "subject": "Absence & lab 6", "body": "Dear Dr. Okafor,\n\nI am ill."}
OPEN = "Open in your mail program"


def drafted(maya: Person, **more: object) -> None:
    maya.ask_anew(f"/call mail_draft {json.dumps({**DRAFT, **more})}")
    maya.waits_for_the_end()


@pytest.mark.soak
def test_the_button_leads_to_the_message_and_is_still_there_after_a_reload(maya: Person) -> None:
    drafted(maya)
    maya.page.reload()

    link = maya.page.get_by_test_id("stLinkButton").get_by_role("link", name=re.compile(OPEN))
    expect(link).to_have_attribute(
        "href",
        "mailto:anne.okafor@campus.example?subject=Absence%20%26%20lab%206"
        "&body=Dear%20Dr.%20Okafor%2C%0D%0A%0D%0AI%20am%20ill.",
    )


@pytest.mark.soak
def test_a_text_that_is_too_long_for_the_button_can_be_copied(maya: Person) -> None:
    drafted(maya, body="A long story. " * 200)

    maya.sees("The text is too long for the button.")
    expect(maya.page.get_by_test_id("stCode")).to_contain_text("A long story.")
    expect(maya.page.get_by_test_id("stLinkButton").get_by_role("link")).to_have_attribute(
        "href", "mailto:anne.okafor@campus.example?subject=Absence%20%26%20lab%206"
    )
