"""A question to the student in a real browser: buttons, own words, a reload, two tabs and a phone."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser import Tabs
from tests.flows.conftest import Visit
from tests.flows.person import Person

pytestmark = pytest.mark.browser

QUESTION = {"question": "Which course should come first this weekend?", "choices": ["Biology", "Calculus", "History"]}
ASK = f"/call planner_ask_student {json.dumps(QUESTION)}"


@pytest.fixture
def asked(maya: Person) -> Person:
    """Maya, whose turn waits for her answer."""
    maya.ask_anew(ASK)
    maya.sees(QUESTION["question"])
    maya.waits_for_the_end()
    return maya


def test_a_press_on_a_choice_is_the_answer_and_the_turn_goes_on(asked: Person) -> None:
    asked.press("Calculus")
    asked.waits_for_the_end()

    asked.sees("You answered")
    asked.sees("The student answered: Calculus")
    for name in ("Biology", "Calculus", "Skip", "Answer"):
        expect(asked.button(name)).to_have_count(0)


@pytest.mark.soak
def test_own_words_are_an_answer_too_after_a_reload(asked: Person) -> None:
    asked.page.reload()
    field = asked.page.get_by_label("Something else")
    field.fill("Whatever is due on Monday")
    field.press("Enter")

    asked.sees("The student answered: Whatever is due on Monday")
    asked.waits_for_the_end()
    asked.page.reload()
    asked.sees("You answered")


def test_of_two_tabs_one_answers_and_the_other_sees_it(asked: Person, tabs: Tabs) -> None:
    other = Person(asked.app, tabs.open(beside=asked.tab), asked.name)
    other.page.goto(asked.page.url)
    expect(other.button("Biology")).to_be_visible()
    asked.press("History")

    other.sees("The student answered: History")
    other.waits_for_the_end()
    expect(other.button("Biology")).to_have_count(0)
    other.sees("You answered")


@pytest.mark.soak
def test_skipping_goes_on_without_an_answer(asked: Person) -> None:
    asked.press("Skip")
    asked.waits_for_the_end()

    asked.sees("Skipped")


@pytest.mark.soak
def test_on_a_phone_all_choices_can_be_reached(visit: Visit) -> None:
    maya = visit("Maya Chen", width=390)
    maya.ask_anew(ASK)
    for choice in QUESTION["choices"]:
        expect(maya.button(choice)).to_be_in_viewport()

    maya.press("Biology")

    maya.sees("The student answered: Biology")
