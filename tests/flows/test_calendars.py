"""Calendars in a real browser: a feed by its pasted address, its notes under an answer, and an event that repeats."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from sandbox.canvas.feed import CODES
from tests.flows.backstage import Backstage
from tests.flows.faults import written_events
from tests.flows.person import Person

pytestmark = pytest.mark.browser

FEED = "Calendar feed"


def _pastes(maya: Person, address: str) -> None:
    maya.page.get_by_label("Calendar address", exact=True).fill(address)
    maya.press("Check and connect")


@pytest.mark.soak
def test_a_feed_is_connected_by_its_address_beside_another_calendar_and_asked_about(
    maya: Person, backstage: Backstage
) -> None:
    backstage.connect(maya.name, "Google Calendar")
    maya.agree_to(FEED)
    _pastes(maya, f"{maya.app.url}/sandbox/canvas/calendar")
    expect(maya.page.get_by_text("leads to a web page")).to_be_visible()
    _pastes(maya, f"{maya.app.url}/sandbox/canvas/feeds/calendars/user_{CODES['maya']}.ics")
    expect(maya.page.get_by_text(f"{FEED} is connected")).to_be_visible()
    call = {"days": 3, "kind": "due_dates"}
    maya.ask_anew(f"/call calendar_list_events {json.dumps(call)}")
    maya.waits_for_the_end()

    maya.sees(re.compile("Calendar feed, as of"))
    links = maya.answers.last.get_by_role("link").all()
    addresses = [link.get_attribute("href") or "" for link in links]
    assert "/sandbox/canvas/" in addresses[0]
    # One link for each fact.
    assert len(set(addresses)) == len(addresses)


@pytest.mark.soak
def test_an_address_that_is_none_is_explained_in_words_for_a_person(maya: Person) -> None:
    maya.agree_to(FEED)
    _pastes(maya, "my calendar")

    expect(maya.page.get_by_text("it begins with https:// or webcal://")).to_be_visible()
    expect(maya.page.get_by_text("Correct this")).to_have_count(0)


def test_an_event_that_repeats_shows_how_and_what_it_clashes_with_and_is_written_once(
    maya: Person, backstage: Backstage
) -> None:
    backstage.connect(maya.name, "Google Calendar")
    before = written_events(maya.app)
    today = datetime.now(UTC).date()
    wednesday = today + timedelta(days=7 + (2 - today.weekday()) % 7)
    maya.ask_anew(f'/call calendar_create_event {{"title": "Dinner", "start": "{wednesday}T18:00"}}')
    maya.press("Approve")
    maya.sees("Done")
    maya.waits_for_the_end()
    event = {"title": "Chess club", "start": f"{wednesday}T18:00", "repeats": "weekly", "repeat_count": 6}
    maya.ask_anew(f"/call calendar_create_event {json.dumps(event)}")
    maya.sees(re.compile("every week.* 6 times"))
    maya.sees("Conflicts")
    maya.press("Approve")
    maya.sees("Done")
    maya.waits_for_the_end()

    assert written_events(maya.app) == before + 2


@pytest.mark.soak
def test_two_chats_that_begin_with_the_same_words_stay_two(maya: Person) -> None:
    for _ in range(2):
        maya.ask_anew("Add a task to plan my week by Sunday")
        maya.sees("Add a task to your planner")
        maya.waits_for_the_end()
    second = maya.page.url
    maya.press("Decline")
    maya.sees("Declined")
    maya.waits_for_the_end()

    assert maya.page.url == second
