"""Cards are reviewed by keyboard and by thumb; no rating is lost or counted twice, offline, reloaded or in two tabs."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from services.study.flashcard import Flashcard
from tests.browser import Tab
from tests.flows.backstage import Backstage
from tests.flows.person import Person

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

RATE = "**/live/study/review/rate"


class Shelf:
    """Maya's cards, as they are stored."""

    def __init__(self, backstage: Backstage, name: str) -> None:
        self._study, self._student = backstage.services.study, backstage.student(name)

    def add(self, *fronts: str) -> list[Flashcard]:
        deck = self._study.cards
        made = [deck.new_card(front=front, back=f"Back of {front}: $x^2$") for front in fronts]
        return deck.add(self._student, made)

    def reviews(self, card: Flashcard) -> int:
        return self._study.cards.card(self._student, card.id).reviews

    def waits_for(self, maya: Person, card: Flashcard, reviews: int) -> None:
        """Until so many ratings of a card have arrived."""
        for _ in range(100):
            if self.reviews(card) == reviews:
                return
            maya.page.wait_for_timeout(100)
        raise AssertionError(f"{self.reviews(card)} ratings have arrived instead of {reviews}")


def front(tab: Tab) -> "Locator":
    return tab.page.locator(".review-front")


def look_at(page: "Page") -> None:
    """Headless tabs are all visible: say that this one was hidden."""
    page.bring_to_front()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_cards_are_reviewed_by_keyboard_thumb_offline_and_in_two_tabs(maya: Person, backstage: Backstage) -> None:
    page, shelf = maya.page, Shelf(backstage, maya.name)
    first, second, third, fourth = shelf.add("First", "Second", "Third", "Fourth")
    maya.open("/study?review=1")

    # By keyboard alone, and a step back.
    expect(front(maya.tab)).to_have_text("First")
    expect(page.get_by_text("1 of 4 · about")).to_be_visible()
    page.keyboard.press("3")  # No rating before the answer.
    page.keyboard.press("Space")
    expect(page.locator(".review-back .katex").first).to_be_visible()
    expect(page.get_by_role("button", name="Easy")).to_be_visible()
    page.keyboard.press("1")
    expect(front(maya.tab)).to_have_text("Second")
    expect(page.get_by_text("0 done · 4 to go, 1 of them once more · about")).to_be_visible()
    shelf.waits_for(maya, first, 1)
    page.locator(".review-progress").click()  # Safari gives the keyboard to no button that is clicked.
    page.keyboard.press("u")
    expect(front(maya.tab)).to_have_text("First")
    expect(page.get_by_text("1 of 4 · about")).to_be_visible()
    shelf.waits_for(maya, first, 0)
    page.keyboard.press("e")
    page.get_by_role("textbox", name="Front").fill("First, better")
    page.keyboard.press("Control+Enter")
    expect(front(maya.tab)).to_have_text("First, better")
    page.keyboard.press("Enter")
    page.keyboard.press("4")
    expect(front(maya.tab)).to_have_text("Second")
    shelf.waits_for(maya, first, 1)

    # Nothing waits for the server: what cannot be sent is kept, also over a reload, and arrives once.
    page.route(RATE, lambda route: route.abort())
    page.keyboard.press("Space")
    page.keyboard.press("4")
    expect(front(maya.tab)).to_have_text("Third")
    expect(page.get_by_text("your ratings are kept here and sent later")).to_be_visible()
    assert shelf.reviews(second) == 0
    page.unroute(RATE)
    maya.tab.errors.clear()  # What could not be sent.
    page.reload()
    expect(front(maya.tab)).to_have_text("Third")
    shelf.waits_for(maya, second, 1)
    page.keyboard.press("Control+z")  # After the reload, too.
    expect(front(maya.tab)).to_have_text("Second")
    shelf.waits_for(maya, second, 0)

    # By thumb on a phone, while another tab goes on.
    page.set_viewport_size({"width": 390, "height": 844})
    other = page.context.new_page()
    other.goto(maya.app.url + "/study?review=1")
    expect(other.locator(".review-front")).to_be_visible()
    page.bring_to_front()
    for card in (second, third):
        page.get_by_role("button", name="Show answer").click()
        page.get_by_role("button", name="Easy").click()
        shelf.waits_for(maya, card, 1)
    box = page.get_by_role("button", name="Show answer").bounding_box()
    assert box is not None
    assert box["y"] > 844 * 0.6
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # Each tab sees what the other one has done as soon as it is looked at.
    look_at(other)
    expect(other.locator(".review-front")).to_have_text("Fourth")
    other.keyboard.press("Space")
    other.locator(".review-back").wait_for()
    other.keyboard.press("4")
    expect(other.get_by_role("heading", name="Done for now")).to_be_visible()
    other.close()
    look_at(page)
    expect(page.get_by_role("heading", name="Done for now")).to_be_visible()
    expect(page.get_by_text("The next cards come")).to_be_visible()
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_text("Nothing to review now")).to_be_visible()
    assert [shelf.reviews(card) for card in (first, second, third, fourth)] == [1, 1, 1, 1]
    maya.tab.assert_quiet()
