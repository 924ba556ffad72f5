"""The Tools page and the choice of an assistant, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from services.llm.chat_model import ModelRequest
from tests.agent_fakes import loaded_tools
from tests.flows.conftest import Visit
from tests.flows.person import Person

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_the_tools_page_shows_all_tools_and_runs_one_that_reads(maya: Person) -> None:
    maya.open("/toolbox")
    maya.sees(re.compile(r"^\d+ of \d+ tools work for you now"))
    maya.page.get_by_label("Search").fill("planner list tasks")
    maya.page.get_by_label("Search").press("Enter")
    maya.page.get_by_text("Look at your tasks", exact=True).first.click()
    maya.press("Run")

    maya.sees(re.compile(r"open tasks? \(Homeroom planner"))


@pytest.mark.soak
def test_a_tool_that_needs_an_account_begins_to_connect_it(maya: Person) -> None:
    maya.open("/toolbox")
    maya.page.get_by_text(re.compile(r"^Courses")).click()
    maya.page.get_by_text("Look up grades", exact=True).first.click()
    maya.sees("Canvas is not connected. Connect Canvas on the Connections page.")
    maya.press("Connect Canvas")
    dialog = maya.page.get_by_role("dialog")
    dialog.get_by_text("I have read this and agree").click()
    dialog.get_by_role("button", name="Continue to Canvas").click()
    maya.page.get_by_text(maya.name).first.click()
    maya.press("Allow")

    expect(maya.page.get_by_text("Canvas is connected")).to_be_visible()


def test_another_assistant_can_be_picked_in_the_middle_of_a_chat(maya: Person) -> None:
    maya.ask_anew("/call planner_list_tasks {}")
    maya.sees(re.compile(r"open tasks? \(Homeroom planner"))
    maya.waits_for_the_end()
    maya.press("Homeroom")
    expect(maya.page.get_by_text(re.compile(r"tools? works? for you")).first).to_be_visible()
    maya.press("Research")
    expect(maya.page.get_by_role("button", name="Research").first).to_be_visible()
    maya.page.keyboard.press("Escape")
    maya.ask("/call planner_list_tasks {}")
    maya.waits_for_the_end()

    requests = [e for e in maya.app.campus("/log?service=anthropic")["entries"] if e["path"].endswith("/messages")]
    bodies = [requests[0]["body"], requests[-1]["body"]]
    asked = [ModelRequest(model="", system=(), tools=b.get("tools", ()), messages=b["messages"]) for b in bodies]
    assert ["planner_list_tasks" in loaded_tools(request) for request in asked] == [True, False]


@pytest.mark.soak
def test_only_instructors_see_use_and_failures(visit: Visit) -> None:
    maya = visit("Maya Chen")
    maya.ask_anew("/call planner_list_tasks {}")
    maya.waits_for_the_end()
    maya.open("/toolbox")
    maya.sees(re.compile(r"tools work for you now"))
    maya.sees_no("Use and failures")
    anne = visit("Anne Okafor")
    anne.open("/toolbox")
    anne.page.get_by_text("Use and failures").click()

    anne.sees("Your tasks")
    anne.sees(re.compile(r"calls? of all students together"))
