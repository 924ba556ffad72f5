"""This week in a real browser: from nothing to a study session that was approved."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.flows.person import Person

pytestmark = pytest.mark.browser


def test_a_week_fills_itself_and_a_session_is_found_proposed_and_approved(maya: Person) -> None:
    maya.open("/week")
    maya.sees("Your week fills itself once something is connected")
    for label in ("Canvas", "Google Calendar"):
        maya.connect(label)

    maya.go("This week")
    maya.sees("Overdue")
    maya.waits_for_rest()
    assert in_order_on_a_phone(maya.page)[:2] == ["today", "overdue"]
    maya.press("Find time")
    expect(maya.page.get_by_role("dialog").get_by_text("When you are free")).to_be_visible()
    maya.press("Show me the entry")
    maya.sees("From your week")
    maya.press("Approve")
    maya.sees(re.compile("Undo"))

    maya.page.get_by_text("Agenda", exact=True).first.click()
    maya.sees("today")
    maya.press("Plan this")
    expect(maya.field).to_have_value(re.compile(r"^Suggest free times .+ “.+”.+"))


def in_order_on_a_phone(page: Page) -> list[str]:
    """What stands below what at that width: today, what is late, the days ahead and those gone by, each but once."""
    whole = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    shown = page.locator("[class*=st-key-week-day-], .st-key-week-overdue")
    tops = [(entry.bounding_box() or {})["y"] for entry in shown.all()]
    kinds = [_kind(entry.get_attribute("class") or "") for entry in shown.all()]
    page.set_viewport_size(whole or {"width": 1280, "height": 800})
    return list(dict.fromkeys(kind for _, kind in sorted(zip(tops, kinds, strict=True))))


def _kind(classes: str) -> str:
    (key,) = [name for name in classes.split() if name.startswith("st-key-week-")]
    return next((kind for kind in ("overdue", "today", "past") if key.endswith(kind)), "ahead")


@pytest.mark.soak
def test_while_canvas_is_down_the_week_says_so_and_shows_the_calendar(maya: Person) -> None:
    for label in ("Canvas", "Google Calendar"):
        maya.connect(label)
    maya.app.campus("/faults", {"service": "canvas", "fault": "status", "status": 503, "times": 0})

    maya.open("/week")

    maya.sees(re.compile("Canvas is having trouble|Canvas .*(unavailable|cannot be reached|trouble)"))
    maya.sees(re.compile("lecture"))
