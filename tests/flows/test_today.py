"""Today in a browser: there at once, read anew by itself, with the keyboard in the field and what waits in sight."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.flows.backstage import IDS, Backstage
from tests.flows.conftest import Visit
from tests.flows.person import Person
from tests.flows.test_accessible import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

EVENT = 'Add "Study group" to my calendar tomorrow at 4 pm'
SHIFTED = """() => new Promise(told => {
    const shifted = {sum: 0, moved: []}
    const place = ({x, y, width, height}) => [x, y, width, height].map(Math.round).join(" ")
    const name = node => `${node?.className ?? node?.nodeName} "${node?.innerText?.slice(0, 40)}"`
    const add = shift => {
        if (shift.hadRecentInput) return
        shifted.sum += shift.value
        for (const {node, previousRect, currentRect} of shift.sources)
            shifted.moved.push(`${shift.value.toFixed(3)} at ${Math.round(shift.startTime)} ms: ${name(node)}`
                + ` from ${place(previousRect)} to ${place(currentRect)}`)
    }
    new PerformanceObserver(list => list.getEntries().forEach(add)).observe({type: "layout-shift", buffered: true})
    setTimeout(() => told(shifted), 200)
})"""
SEEN_EARLY = """() => {
    window.seenEarly = []
    const words = "[data-testid=stAppViewContainer] :is(p, h1, h2, a, label)"
    const look = () => {
        if (document.documentElement.classList.contains("is-being-drawn"))
            for (const word of document.querySelectorAll(words))
                if (getComputedStyle(word).visibility === "visible") window.seenEarly.push(word.innerText)
        requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
}"""
MOST_SHIFTED = 0.1
"""Cumulative layout shift that counts as good: https://web.dev/articles/cls"""
NUMBER_ON_MENU = (
    """() => getComputedStyle(document.querySelector("[data-testid=stExpandSidebarButton]"), "::after").content"""
)
IN_SIDEBAR = """() => !!document.activeElement.closest("[data-testid=stSidebar]")"""


def connected(person: Person, backstage: Backstage) -> Person:
    for label in IDS:
        backstage.connect(person.name, label)
    return person


def opened(person: Person) -> "Page":
    """Today as it comes to rest after what was old has been read anew, without a click."""
    person.open("/")
    person.page.locator(".st-key-today-due").wait_for()
    person.waits_for_rest()
    return person.page


def assert_steady(page: "Page") -> None:
    """What was drawn first has hardly moved since."""
    shifted = page.evaluate(SHIFTED)
    assert shifted["sum"] <= MOST_SHIFTED, "\n".join(shifted["moved"])


def test_today_comes_by_itself_and_what_waits_is_one_key_away(maya: Person, backstage: Backstage) -> None:
    maya.page.add_init_script(f"({SEEN_EARLY})()")
    page = opened(connected(maya, backstage))
    expect(maya.field).to_be_focused()
    assert_steady(page)
    # Shown whole, not part by part.
    assert page.evaluate("window.seenEarly") == []

    maya.ask(EVENT)
    maya.sees("Nothing happens before you approve.")
    maya.waits_for_the_end()
    maya.press("New chat")
    maya.sees("Waits for your decision")
    expect(maya.field).to_be_focused()
    expect(page.get_by_test_id("stSidebar").get_by_role("link", name="1 decision waits for you")).to_be_visible()

    page.get_by_test_id("stSidebar").hover()
    page.get_by_role("button", name="Collapse sidebar").click()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    assert page.evaluate(NUMBER_ON_MENU) == '"1"'
    page.evaluate("document.activeElement.blur()")
    stops = []
    for _ in range(6):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(IN_SIDEBAR))
    assert not any(stops)

    page.get_by_role("main").get_by_role("button", name="Review").focus()
    page.keyboard.press("Enter")
    maya.sees("Nothing happens before you approve.")
    page.reload()
    maya.sees("Nothing happens before you approve.")


@pytest.mark.soak
def test_a_day_without_a_mouse(maya: Person, backstage: Backstage) -> None:
    page, walker = opened(connected(maya, backstage)), Visitor(maya)
    expect(maya.field).to_be_focused()
    page.evaluate("document.activeElement.blur()")

    walker.tabs_to("Skip to main content")
    page.keyboard.press("Enter")
    walker.tabs_to("Overdue")
    page.keyboard.press("Enter")
    expect(page.locator("[class*=st-key-today-row-late]").first).to_be_visible()
    maya.waits_for_rest()
    # What was opened is where the keyboard goes next.
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('[class*=st-key-today-row-late]')")
    walker.tabs_to("Plan it")
    page.keyboard.press("Enter")
    maya.waits_for_the_end()
    expect(maya.questions).to_contain_text("Plan time for")
    maya.sees("Nothing happens before you approve.")
    maya.waits_for_the_end()
    walker.tabs_to("Approve")
    page.keyboard.press("Enter")
    maya.sees("Done")


def test_an_unknown_address_has_a_page_of_ours(maya: Person, backstage: Backstage) -> None:
    backstage.speak_to(maya.name, "es-MX")
    maya.open("/nowhere/at-all")
    maya.sees("Aquí no hay ninguna página")
    expect(maya.page.get_by_role("dialog")).to_have_count(0)

    maya.page.get_by_role("main").get_by_role("link", name="Hoy y tus chats").click()
    maya.sees("Primeros pasos")
    backstage.speak_to(maya.name, "en-US")


@pytest.mark.soak
@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
@pytest.mark.parametrize("width", [1440, 1280, 390])
def test_nothing_jumps_while_today_comes(visit: Visit, backstage: Backstage, width: int, locale: str) -> None:
    maya = connected(visit("Maya Chen", width=width, locale=locale, dark=width == 1280), backstage)
    backstage.speak_to(maya.name, locale)

    try:
        assert_steady(opened(maya))
        assert_steady(opened(maya))
    finally:
        backstage.speak_to(maya.name, "en-US")
