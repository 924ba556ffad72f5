"""From a reading to the first review, on one's own: a quiz of it, its result, cards of it, and their schedule."""

import re

import pytest
from playwright.sync_api import expect

from services.files.upload import Upload
from services.study.flashcard import FlashcardState
from tests.flows.backstage import Backstage
from tests.flows.person import Person

pytestmark = pytest.mark.browser

NOTES = b"""# Osmosis

Osmosis is the net movement of water across a membrane that lets water pass but not what is dissolved in it.

# Diffusion

Diffusion is the movement of particles from where there are many to where there are few.

# Active transport

Active transport is the movement of particles against their gradient, which needs energy in the form of ATP.
"""
WRITTEN_MS = 60_000


def test_a_reading_becomes_a_quiz_and_cards_and_a_review(maya: Person, backstage: Backstage) -> None:
    page, services, student = maya.page, backstage.services, backstage.student(maya.name)
    course = services.materials.add_shelf(student, "Cell transport")
    material = services.materials.add_upload(student, course.key, Upload(name="Transport.md", content=NOTES))

    maya.open(f"/materials?open={material.id}&page=1")
    page.get_by_role("link", name="Practise this").click()
    form = page.get_by_role("dialog", name="Make questions or cards")
    expect(form.get_by_text("Transport.md").first).to_be_visible()
    form.get_by_role("textbox", name="Only these pages").fill("")
    form.get_by_role("textbox", name="Only these pages").press("Enter")
    expect(form.get_by_text(re.compile("^Takes about a minute"))).to_be_visible()
    form.get_by_role("button", name="Make 8 questions").click()
    expect(form).to_have_count(0)
    expect(maya.button("Begin")).to_be_visible(timeout=WRITTEN_MS)
    maya.press("Begin")
    page.get_by_role("button", name="Begin").click()
    skip = page.get_by_role("button", name="I don’t know")
    expect(skip).to_be_visible()
    quiz = page.url
    skip.click()
    expect(page.get_by_role("link", name=re.compile("Transport"))).to_be_visible()
    page.reload()
    assert page.url == quiz
    maya.press("Back to Study")

    page.get_by_role("radio", name="Cards").click()
    maya.press("Make cards")
    expect(form.get_by_text(re.compile("^Choose what to practise"))).to_be_visible()
    form.get_by_role("radio", name="My own text").click()
    form.get_by_role("textbox", name="Your text").fill(NOTES.decode())
    form.get_by_role("textbox", name="Your text").press("Control+Enter")
    form.get_by_role("button", name=re.compile("^Make 12 cards")).click()
    keep_all = page.get_by_role("button", name=re.compile(r"^\W*Keep (all )?\d+ card"))
    expect(keep_all).to_be_visible(timeout=WRITTEN_MS)
    keep_all.click()
    maya.sees(re.compile("(is|are) kept, and come"))
    page.get_by_role("radio", name="Now").click()
    page.get_by_role("button", name=re.compile(r"Review \d+ cards? · about")).click()
    page.get_by_role("button", name="Show answer").click()
    page.get_by_role("button", name=re.compile("^Good")).click()
    expect(page.get_by_role("button", name="Show answer")).to_be_visible()

    kept = services.study.cards.count(student, state=FlashcardState.KEPT)
    assert kept >= 1
    assert services.study.reviews.queue(student).undo
    maya.tab.assert_quiet()
