"""The Tools page and the choice of an assistant, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.person import Person

pytestmark = pytest.mark.browser


def test_the_tools_page_shows_all_tools_and_runs_one_that_reads(maya: Person) -> None:
    maya.open("/toolbox")
    maya.sees(re.compile(r"^2 of \d+ tools work for you now"))
    maya.page.get_by_label("Search").fill("open tasks planner")
    maya.page.get_by_label("Search").press("Enter")
    maya.page.get_by_text("Planner list tasks").click()
    maya.press("Run")

    maya.sees(re.compile(r"open tasks? \(Homeroom planner"))


def test_a_tool_that_needs_an_account_leads_to_connections(maya: Person) -> None:
    maya.open("/toolbox")
    maya.page.get_by_text("Canvas get grades").click()
    maya.sees("Canvas is not connected. Connect Canvas on the Connections page.")
    maya.press("Go to Connections")

    expect(maya.page).to_have_url(f"{maya.app.url}/connections")


def test_another_assistant_can_be_picked_in_the_middle_of_a_chat(maya: Person) -> None:
    maya.ask_anew("/call planner_list_tasks {}")
    maya.sees(re.compile(r"open tasks? \(Homeroom planner"))
    maya.waits_for_the_end()
    maya.press("Homeroom")
    expect(maya.page.get_by_text(re.compile("It has no tools that work for you yet"))).to_be_visible()
    maya.press("Research")
    expect(maya.page.get_by_role("button", name="Research").first).to_be_visible()
    maya.page.keyboard.press("Escape")
    maya.ask("/call planner_list_tasks {}")
    maya.waits_for_the_end()

    requests = [e for e in maya.app.campus("/log?service=anthropic")["entries"] if e["path"].endswith("/messages")]
    assert not requests[-1]["body"].get("tools")
