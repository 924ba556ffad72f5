"""The last question stands at the top of the chat, its answer grows below it, and who has scrolled is left alone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.flows.conftest import Visit

pytestmark = pytest.mark.browser

DISTANCE = """() => {
    const shown = [...document.querySelectorAll("[class*=st-key-exchange-], .live-answer.has-question")]
    const question = shown.filter(element => element.offsetParent !== null).at(-1)
    return question.getBoundingClientRect().top - document.querySelector("[data-testid=stHeader]").offsetHeight
}"""
SHELL = "xpath=ancestor::*[contains(@class, 'st-key-edit-question-')]"
MOST_PIXELS = 80
"""The chat's menu stands above the question."""


def is_on_top(page: Page) -> None:
    page.wait_for_function(f"() => {{ const at = ({DISTANCE})(); return at >= 0 && at < {MOST_PIXELS} }}")


def test_the_question_stays_at_the_top_and_a_button_leads_to_the_newest_words(visit: Visit) -> None:
    maya = visit("Maya Chen")
    page, down = maya.page, maya.page.get_by_role("button", name="Down to the newest")
    end = page.locator("[class*=st-key-foot-]").last
    maya.ask_anew("/say-long 1500")
    maya.waits_for_the_end()
    is_on_top(page)
    expect(end).not_to_be_in_viewport()
    down.click()
    expect(end).to_be_in_viewport()
    expect(down).to_be_hidden()

    maya.ask("/say Short.")
    maya.waits_for_the_end()
    is_on_top(page)
    expect(down).to_be_hidden()

    page.mouse.move(5, 5)
    maya.answers.last.focus()
    pencil = maya.button("Change my question").last
    expect(pencil.locator(SHELL)).to_have_css("opacity", "0")
    maya.questions.last.hover()
    expect(pencil.locator(SHELL)).to_have_css("opacity", "1")
    page.mouse.move(5, 5)
    pencil.focus()
    expect(pencil.locator(SHELL)).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    edited = page.get_by_role("dialog").get_by_role("textbox")
    expect(edited).to_have_value("/say Short.")
    edited.fill("/say Shorter.")
    maya.press("Ask this instead")
    expect(maya.answers.last).to_have_text(re.compile("Shorter"))
    maya.waits_for_the_end()
    maya.sees("2 of 2")
    is_on_top(page)

    page.mouse.move(640, 400)
    page.mouse.wheel(0, -5_000)
    expect(page.get_by_text("/say-long 1500").last).to_be_in_viewport()
    page.reload()
    maya.waits_for_rest()
    is_on_top(page)
