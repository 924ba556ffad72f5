"""Nothing of an earlier page stays behind while an answer lasts: neither words nor buttons."""

import re

import pytest
from playwright.sync_api import expect

from tests.flows.faults import mend, speak
from tests.flows.person import Person

pytestmark = pytest.mark.browser

GREETING = re.compile("Good (morning|afternoon|evening)")


@pytest.fixture
def slowly_answered(maya: Person) -> Person:
    """Maya, in a chat that will go on answering for a while."""
    maya.open("/")
    maya.waits_for_the_end()
    mend(maya.app)
    speak(maya.app, words_per_second=20)
    maya.ask("/say-long 600")
    maya.sees(re.compile("word5 "))
    return maya


@pytest.mark.soak
def test_the_greeting_is_gone_as_soon_as_an_answer_begins(slowly_answered: Person) -> None:
    expect(slowly_answered.page.get_by_role("heading", name=GREETING)).to_have_count(0)
    expect(slowly_answered.button("Add a task")).to_have_count(0)
    slowly_answered.press("Stop")


def test_a_new_chat_shows_nothing_of_the_one_that_is_answering_and_the_way_back_leads_into_it(
    slowly_answered: Person,
) -> None:
    slowly_answered.press("New chat")
    expect(slowly_answered.page.get_by_role("heading", name=GREETING)).to_be_visible()
    expect(slowly_answered.questions).to_have_count(0)
    expect(slowly_answered.button("Stop")).to_have_count(0)
    slowly_answered.ask("/say-long 600")
    expect(slowly_answered.questions).to_have_count(1)
    slowly_answered.page.get_by_role("radio", name="/say-long 600").last.click()
    slowly_answered.sees(re.compile("word20 "))

    expect(slowly_answered.questions).to_have_count(1)
    expect(slowly_answered.answers).to_have_count(1)


@pytest.mark.soak
def test_what_is_written_while_homeroom_answers_is_kept_in_the_field(slowly_answered: Person) -> None:
    slowly_answered.write("And then?")

    slowly_answered.sees(re.compile("still answering.*press Stop"))
    expect(slowly_answered.field).to_have_value("And then?")
    expect(slowly_answered.questions).to_have_count(1)
    slowly_answered.press("Stop")
    slowly_answered.sees("You stopped this answer.")
    expect(slowly_answered.field).to_have_value("And then?")
    slowly_answered.sees_no(re.compile("still answering"))


def test_stop_stands_in_the_field_where_send_was_and_beside_it_once_something_is_written(
    slowly_answered: Person,
) -> None:
    page, stop = slowly_answered.page, slowly_answered.button("Stop")
    send, box = slowly_answered.button("Send"), page.locator(".live-box")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        expect(send).to_have_count(0)
        field, place = box.bounding_box(), stop.bounding_box()
        assert field is not None
        assert place is not None
        assert field["x"] < place["x"]
        assert place["x"] + place["width"] <= field["x"] + field["width"]
        assert place["y"] >= field["y"]
        assert place["y"] + place["height"] <= field["y"] + field["height"] <= 844
        assert place["height"] >= 36

    slowly_answered.field.fill("And then?")
    expect(send).to_be_visible()
    expect(stop).to_be_visible()
    stop.click()
    slowly_answered.sees("You stopped this answer.")

    expect(stop).to_have_count(0)
    expect(send).to_be_enabled()


@pytest.mark.soak
def test_the_open_chat_is_marked_in_the_sidebar(slowly_answered: Person) -> None:
    recent = slowly_answered.page.get_by_test_id("stSidebar").get_by_role("radio", checked=True)
    slowly_answered.press("Stop")
    slowly_answered.waits_for_the_end()
    expect(recent).to_have_count(1)
    slowly_answered.press("New chat")

    expect(recent).to_have_count(0)
