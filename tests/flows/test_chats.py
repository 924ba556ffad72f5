"""Chats are found, named, put away and had back, with the keyboard as well as by hand."""

import pytest
from playwright.sync_api import expect

from tests.flows.conftest import Visit
from tests.flows.person import ANSWER_MS, Person
from tests.flows.test_accessible import Visitor

pytestmark = pytest.mark.browser

DIAGRAM = "```mermaid\ngraph LR\n  A[Sun] -->|feeds| B[Leaf]\n```"

GRADES = """\
| Course | Now | If nothing more is handed in | Letter | Last graded |
|---|---|---|---|---|
| BIOL 201: Cell Biology | 91.35 % | 67.63 % | A- | Quiz 5 (chapters 11-12), 18 of 20 points |
| CS 101: Introduction to Programming | 93.22 % | 66.07 % | A- | Project 3: Graph search, 44 of 50 points |"""
SCROLLED = """table => {
    table.scrollLeft = 120
    const left = element => Math.round(element.getBoundingClientRect().left)
    return [table.scrollLeft, left(table.querySelector("td")) - left(table)]
}"""


@pytest.mark.soak
@pytest.mark.parametrize("dark", [False, True])
def test_a_wide_table_scrolls_by_itself_on_a_phone_and_keeps_its_first_column(visit: Visit, *, dark: bool) -> None:
    maya = visit("Maya Chen", width=390, dark=dark)
    maya.open("/")
    maya.ask(f"/say Canvas says:\n\n{GRADES}")
    maya.waits_for_the_end()

    scrolled, moved = maya.answers.last.locator("table").evaluate(SCROLLED)

    assert (scrolled, moved) == (120, 0)
    Visitor(maya).finds_nothing("a wide table")


@pytest.mark.soak
def test_a_chat_is_named_found_deleted_and_had_back(maya: Person) -> None:
    page = maya.page
    maya.open("/")
    maya.waits_for_the_end()
    maya.write("/say-long 400")
    page.keyboard.type("And then")
    maya.waits_for_the_end()
    expect(maya.field).to_have_value("And then")
    maya.press("Chat options")
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("textbox", name="Name").fill("Photosynthesis")
    maya.press("Save the name")
    expect(page.get_by_role("radio", name="Photosynthesis")).to_be_visible()

    maya.ask(f"/say Look:\n\n{DIAGRAM}\n\nThat is it.")
    expect(page.get_by_role("img", name="Diagram: Sun, Leaf")).to_be_visible(timeout=ANSWER_MS)
    page.get_by_text("Show as text").click()
    maya.sees("Sun → Leaf (feeds)")
    maya.button("Homeroom · Quick").click()
    page.get_by_role("radio", name="Thorough").click()
    expect(page.get_by_text("Thinks longer")).to_be_visible()
    page.keyboard.press("Escape")
    picker = maya.button("Homeroom · Thorough")
    expect(picker).to_be_visible()
    maya.tab.assert_quiet()

    maya.press("New chat")
    maya.waits_for_rest()
    expect(maya.button("Homeroom · Quick")).to_be_visible()
    search = page.get_by_placeholder("Search chats")
    search.fill("feeds")
    search.press("Enter")
    found = maya.button("Photosynthesis")
    maya.field.fill("What I am writing")
    page.get_by_role("link", name="This week").click()
    expect(page.get_by_role("heading", name="This week")).to_be_visible()
    page.go_back()
    page.reload()
    expect(maya.field).to_have_value("What I am writing")
    search.fill("feeds")
    search.press("Enter")
    found.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Found here")).to_be_in_viewport()
    maya.sees("word30")
    expect(maya.field).to_have_value("")
    expect(picker).to_be_visible()

    options = maya.button("Chat options")
    options.focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Delete").press("Enter")
    maya.sees("“Photosynthesis” is deleted.")
    expect(maya.answers).to_have_count(0)
    expect(maya.field).to_have_value("What I am writing")
    maya.press("Undo")

    maya.sees("word30")
    search.fill("")
    search.press("Enter")
    page.get_by_role("link", name="All chats").click()
    expect(page.get_by_role("main").get_by_role("button", name="Photosynthesis")).to_be_visible()


@pytest.mark.soak
def test_on_a_phone_the_sidebar_gives_way_to_the_chat_that_was_chosen(visit: Visit) -> None:
    maya = visit("Maya Chen", width=390)
    page, sidebar = maya.page, maya.page.get_by_test_id("stSidebar")
    maya.ask_anew("/say Chloroplasts")
    maya.waits_for_the_end()
    search = page.get_by_placeholder("Search chats")

    links = [page.get_by_role("link", name=name) for name in ("This week", "All chats")]
    for choice in (*links, sidebar.get_by_role("radio"), maya.button("New chat")):
        page.get_by_role("button", name="Expand sidebar").click()
        choice.last.click()
        expect(sidebar).to_have_attribute("data-collapsed", "true")
        maya.waits_for_rest()

    page.get_by_role("button", name="Expand sidebar").click()
    search.fill("Chloroplasts")
    search.press("Enter")
    # What is still being drawn anew may hold the chats that stood there before, too.
    hits = sidebar.locator(".st-key-found-hits").get_by_role("button")
    expect(hits).to_have_count(1)
    hits.click()
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    expect(page.get_by_role("tab", name="Found here")).to_be_in_viewport()
