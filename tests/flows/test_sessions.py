"""Signing out ends the session itself: a copy of its cookie opens nothing any more."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import Tabs
from tests.flows.conftest import Visit
from tests.flows.person import Person

pytestmark = pytest.mark.browser


@pytest.fixture
def maya(visit: Visit, passes: dict[str, Any]) -> Iterator[Person]:
    """Maya in a session of her own; the other flows' session of hers may end with it, so they begin a new one."""
    maya = visit("Maya Chen", signs_in=False)
    maya.page.context.clear_cookies()
    maya.sign_in()
    yield maya
    passes.pop("Maya Chen", None)


def test_a_copy_of_the_cookie_opens_nothing_after_signing_out(maya: Person, tabs: Tabs) -> None:
    maya.open("/settings")
    expect(maya.button("Sign out everywhere")).to_be_visible()
    copied = maya.page.context.cookies()
    maya.page.locator(".st-key-sidebar-foot button").click()
    maya.page.get_by_role("button", name="Sign out", exact=True).click()
    maya.sees("Your week, in one calm place.")

    thief = Person(maya.app, tabs.open(), maya.name)
    thief.page.context.add_cookies(copied)
    thief.open("/settings")
    thief.sees("You are signed out.")
    expect(thief.button("Sign out everywhere")).to_have_count(0)


@pytest.mark.soak
def test_signing_out_everywhere_reaches_another_browser_and_lets_one_in_again(maya: Person, tabs: Tabs) -> None:
    phone = Person(maya.app, tabs.open(), maya.name)
    phone.sign_in()
    phone.open("/settings")
    phone.press("Delete everything")
    phone.page.get_by_label("Type the word").fill("delete")
    maya.open("/settings")
    maya.press("Sign out everywhere")
    maya.press("End all my sessions")
    maya.sees("Your week, in one calm place.")
    maya.sees("You are signed out everywhere.")
    maya.open()
    maya.sees("Your week, in one calm place.")
    maya.sees_no("You are signed out everywhere.")

    # A click inside an open dialog runs the dialog alone: it asks for itself.
    phone.press("Delete everything for good")
    phone.sees("You are signed out.")
    phone.sees_no("Everything is deleted")
    phone.press("Sign in")
    phone.press(phone.name)
    phone.page.locator(".st-key-sidebar-foot button").wait_for(state="attached")
