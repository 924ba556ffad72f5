"""Chats are found, named, put away and had back, with the keyboard as well as by hand."""

import pytest
from playwright.sync_api import expect

from tests.flows.person import Person

pytestmark = pytest.mark.browser


def test_a_chat_is_named_found_deleted_and_had_back(maya: Person) -> None:
    page = maya.page
    maya.ask_anew("/say-long 30")
    maya.waits_for_the_end()
    maya.press("Chat options")
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("textbox", name="Name").fill("Photosynthesis")
    maya.press("Save the name")
    expect(page.get_by_role("radio", name="Photosynthesis")).to_be_visible()

    maya.press("New chat")
    maya.waits_for_rest()
    search = page.get_by_placeholder("Search chats")
    search.fill("word29")
    search.press("Enter")
    found = maya.button("Photosynthesis")
    found.focus()
    page.keyboard.press("Enter")
    maya.sees("word30")

    options = maya.button("Chat options")
    options.focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Delete").press("Enter")
    maya.sees("“Photosynthesis” is deleted.")
    expect(maya.answers).to_have_count(0)
    maya.press("Undo")

    maya.sees("word30")
    search.fill("")
    search.press("Enter")
    page.get_by_role("link", name="All chats").click()
    expect(page.get_by_role("main").get_by_role("button", name="Photosynthesis")).to_be_visible()
