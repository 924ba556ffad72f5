"""One button for all accounts: one yes, one sign-in after another, and one line on what was connected."""

import pytest
from playwright.sync_api import expect

from tests.flows.conftest import Visit
from tests.flows.person import Person

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
def test_two_clicks_connect_all_accounts_of_the_campus_and_lead_back_to_the_first_steps(
    visit: Visit, width: int
) -> None:
    maya = visit("Maya Chen", width=width)
    maya.open("/")
    maya.press("Connect all 3 accounts")
    dialog = maya.page.get_by_role("dialog")
    expect(dialog.get_by_text("Who reads it:")).to_have_count(3)
    expect(dialog.get_by_text("Take it back:")).to_have_count(3)
    dialog.get_by_role("button", name="Agree and connect").click()

    maya.sees("Canvas, Google Calendar, Notion are connected.")
    maya.sees("2. Ask")
    expect(maya.page).to_have_url(f"{maya.app.url}/")
    expect(maya.button("Connect all")).to_have_count(0)


def test_what_is_refused_at_its_service_is_told_and_can_be_tried_again(visit: Visit) -> None:
    maya = visit("Maya Chen")
    forget_the_sign_in_at_the_campus(maya)
    maya.open("/connections")
    maya.press("Connect all 3 accounts")
    maya.press("Agree and connect")
    maya.page.get_by_text(maya.name).first.click()
    maya.press("Allow")
    maya.page.get_by_role("heading", name="Google").wait_for()
    maya.press("Deny")
    maya.page.get_by_role("heading", name="Notion").wait_for()
    maya.press("Deny")

    maya.sees("Canvas is connected. Not connected: Google Calendar, Notion.")
    expect(maya.button("Connect the other 2 accounts")).to_be_visible()


def forget_the_sign_in_at_the_campus(person: Person) -> None:
    """As at real services: each asks."""
    person.page.context.clear_cookies(name="campus_signed_in")
