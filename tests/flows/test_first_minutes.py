"""The first minutes in a real browser: from nothing to a useful answer without an account, and back from a service."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.person import Person

pytestmark = pytest.mark.browser


def test_a_new_student_tries_the_sample_asks_and_puts_it_away(maya: Person) -> None:
    maya.page.set_viewport_size({"width": 390, "height": 640})
    maya.open("/")
    maya.sees("First steps")
    maya.waits_for_rest()
    # Nothing there scrolls to the end by itself, which would leave the greeting above the window.
    expect(maya.page.get_by_text("3. Ask")).not_to_be_in_viewport()
    expect(maya.page.get_by_role("heading", level=1)).to_be_in_viewport()
    maya.page.set_viewport_size({"width": 1280, "height": 800})
    maya.press("Try a sample course")
    maya.sees("It is on, and everything in it is made up.")
    maya.waits_for_rest()
    maya.field.fill("And the week after?")
    maya.press("What is due this week?")
    maya.sees(re.compile(r"Sample course, as of"))
    maya.waits_for_the_end()
    # The steps are gone, and what was being written beside them is not.
    expect(maya.field).to_have_value("And the week after?")

    maya.go("This week")
    expect(maya.page.locator(".hc-due").first).to_be_visible(timeout=30_000)
    maya.sees("You are trying the sample course")
    maya.press("Put it away")
    maya.sees("The sample course is put away.")
    maya.sees("Your week fills itself once something is connected")


def test_whoever_connects_from_the_first_steps_comes_back_to_them(maya: Person) -> None:
    maya.open("/")
    maya.press("Connect Canvas")
    maya.page.get_by_role("dialog").get_by_text("I have read this and agree").click()
    maya.press("Continue to Canvas")
    maya.page.get_by_text(maya.name).first.click()
    maya.press("Allow")

    maya.sees("2. Ask")
    expect(maya.page.get_by_text("Canvas is connected")).to_be_visible()
    expect(maya.page).to_have_url(f"{maya.app.url}/")
