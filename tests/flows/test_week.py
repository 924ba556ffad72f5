"""This week in a real browser: from nothing to study time and a move that were proposed, with a mouse and without."""

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit
from tests.flows.person import Person
from tests.flows.test_accessible import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = pytest.mark.browser
HIGHEST = 130
"""Pixels above the calendar at most, at every width."""


def entry(person: Person, title: str) -> "Locator":
    return person.page.locator("[data-entry]:not(.hc-is-proposed)", has_text=title).first


def drag(person: Person, start: tuple[float, float], end: tuple[float, float]) -> None:
    mouse = person.page.mouse
    mouse.move(*start)
    mouse.down()
    for share in (0.2, 0.6, 1.0):
        mouse.move(*(here + (there - here) * share for here, there in zip(start, end, strict=True)), steps=3)
    mouse.up()


def free_stretch(person: Person, hours: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Two points of the last day's free time, so many hours apart, after it was scrolled to."""
    room = person.page.locator(".hc-free").last
    room.scroll_into_view_if_needed()
    half_hour = person.page.locator(".hc-slot").nth(1).bounding_box()
    box = room.bounding_box()
    assert box is not None
    assert half_hour is not None
    x, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return (x, top), (x, top + 2 * hours * half_hour["height"] - 4)


def top_of(person: Person) -> float:
    """Pixels above the calendar."""
    box = person.page.locator(".hc-view").bounding_box()
    assert box is not None
    return float(box["y"])


def is_beside(person: Person, card: str, entry: str) -> bool:
    """Whether a card is near an entry, in the window, and does not cover it."""
    first, second = (person.page.locator(each).first.bounding_box() for each in (card, entry))
    assert first is not None
    assert second is not None
    gap = max(second["x"] - first["x"] - first["width"], first["x"] - second["x"] - second["width"])
    return 0 <= gap <= 24 and first["y"] >= 0 and first["y"] <= second["y"] + second["height"]


def test_study_time_and_a_move_are_proposed_by_mouse_and_by_keys_and_the_view_stays(
    maya: Person, backstage: Backstage
) -> None:
    for label in ("Canvas", "Google Calendar"):
        backstage.connect(maya.name, label)
    maya.open("/week?week=2020-01-01")
    maya.sees("Your week")
    maya.press("Today")
    maya.sees("This week")
    maya.waits_for_rest()
    shown = maya.page.locator(".hc-week")
    expect(shown.locator(".hc-is-today").first).to_be_visible(timeout=30_000)
    assert top_of(maya) <= HIGHEST
    this_week = str(shown.get_attribute("data-first"))
    maya.press("Later")
    expect(shown).not_to_have_attribute("data-first", this_week, timeout=30_000)
    expect(entry(maya, "BIOL 201")).to_be_visible(timeout=30_000)
    maya.waits_for_rest()

    drag(maya, *free_stretch(maya, 1))
    dialog = maya.page.get_by_role("dialog")
    expect(dialog.get_by_text("What for")).to_be_visible()
    dialog.get_by_role("button", name="Show me the entry").click()
    maya.sees("From your week")
    expect(maya.button("Approve").last).to_be_in_viewport()
    expect(maya.page.locator(".hc-is-proposed")).to_have_count(1)
    assert top_of(maya) <= HIGHEST
    assert is_beside(maya, ".st-key-waiting-approvals", ".hc-is-proposed")
    maya.press("Approve")
    expect(maya.page.locator(".hc-is-planned")).to_have_count(1)
    expect(maya.page.locator(".hc-is-proposed")).to_have_count(0)
    maya.page.locator(".hc-is-planned").click()
    expect(dialog.get_by_role("button", name="Undo")).to_be_visible()
    maya.page.keyboard.press("Escape")

    own = maya.page.locator(".hc-can-move:not(.hc-is-planned, .hc-due)", has_text="BIOL 201").first
    own.scroll_into_view_if_needed()
    maya.page.mouse.wheel(0, 300)
    own.focus()
    for key in ("Shift+ArrowDown", "Shift+ArrowDown", "Enter"):
        maya.page.keyboard.press(key)
    maya.sees("Change an event in your calendar")
    expect(maya.button("Approve").last).to_be_in_viewport()
    expect(maya.page.locator(".hc-is-proposed")).to_have_count(1)

    Visitor(maya).inspects("the week as a calendar, with a proposal")

    maya.page.get_by_text("3 days", exact=True).click()
    expect(maya.page.locator(".hc-week")).to_have_attribute("data-view", "days")
    expect(maya.page).to_have_url(re.compile(r"week=\d{4}.*view=days|view=days.*week=\d{4}"))
    first = maya.page.locator(".hc-week").get_attribute("data-first")
    maya.page.reload()
    expect(maya.page.locator(".hc-week")).to_have_attribute("data-view", "days", timeout=30_000)
    expect(maya.page.locator(".hc-week")).to_have_attribute("data-first", str(first))


@pytest.mark.soak
def test_a_stretch_is_chosen_with_arrow_keys_alone(maya: Person, backstage: Backstage) -> None:
    for label in ("Canvas", "Google Calendar"):
        backstage.connect(maya.name, label)
    maya.open("/week")
    expect(maya.page.locator(".hc-view")).to_be_visible(timeout=30_000)
    maya.waits_for_rest()

    Visitor(maya).tabs_to("Choose a time")
    for key in ("ArrowRight", "ArrowDown", "Shift+ArrowDown"):
        maya.page.keyboard.press(key)
    expect(maya.page.locator(".hc-live")).to_have_text(re.compile(r"\d.* – \d+(:\d\d)? [AP]M\. "))
    maya.page.keyboard.press("Enter")

    expect(maya.page.get_by_role("dialog").get_by_text("What for")).to_be_visible()


@pytest.mark.soak
def test_the_dialog_finds_time_for_late_work_and_the_agenda_plans_it(maya: Person, backstage: Backstage) -> None:
    for label in ("Canvas", "Google Calendar"):
        backstage.connect(maya.name, label)
    maya.open("/week")
    maya.page.get_by_text(re.compile(r"\d overdue")).click()
    maya.press("Find time")
    expect(maya.page.get_by_role("dialog").get_by_text("When you are free")).to_be_visible()
    maya.press("Show me the entry")
    maya.sees("From your week")
    maya.press("Approve")
    expect(maya.page.locator(".hc-is-planned")).to_have_count(1)

    maya.page.get_by_text("Agenda", exact=True).first.click()
    maya.sees("today")
    maya.waits_for_rest()
    maya.press("Plan this")
    expect(maya.field).to_have_value(re.compile(r"^Suggest good times .+ “.+”.+"))


@pytest.mark.soak
def test_a_phone_shows_three_days_from_today_and_says_so(visit: Visit, backstage: Backstage) -> None:
    maya = visit("Maya Chen", width=390)
    backstage.connect(maya.name, "Google Calendar")
    maya.open("/week")

    expect(maya.page.locator(".hc-week")).to_have_attribute("data-view", "days", timeout=30_000)
    expect(maya.page.get_by_role("radio", name="3 days")).to_be_checked()
    expect(maya.page.locator(".hc-day-head")).to_have_count(3)
    assert top_of(maya) <= HIGHEST


@pytest.mark.soak
def test_while_canvas_is_down_the_week_says_so_and_shows_the_calendar(maya: Person, backstage: Backstage) -> None:
    for label in ("Canvas", "Google Calendar"):
        backstage.connect(maya.name, label)
    maya.app.campus("/faults", {"service": "canvas", "fault": "status", "status": 503, "times": 0})

    maya.open("/week")

    expect(maya.button("1 could not be read")).to_be_visible(timeout=30_000)
    assert top_of(maya) <= HIGHEST
    maya.press("1 could not be read")
    expect(
        maya.page.get_by_text(re.compile("Canvas is having trouble|Canvas .*(unavailable|cannot be reached|trouble)"))
    ).to_be_visible()
    expect(entry(maya, "lecture")).to_be_visible()


@pytest.mark.soak
def test_without_the_component_the_week_is_a_list_by_day(maya: Person, backstage: Backstage) -> None:
    backstage.connect(maya.name, "Google Calendar")
    for address in ("**/_stcore/bidi-components/homeroom-calendar*/**", "**/assets/homeroom-calendar-*/**"):
        maya.page.route(address, lambda route: route.abort())

    maya.open("/week")

    expect(maya.page.get_by_role("heading", name="Your week as a list")).to_be_in_viewport(timeout=60_000)
