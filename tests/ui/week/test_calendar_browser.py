"""The calendar in a real browser: every hard week at each width, in both themes and languages, under our own policy."""

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser import Tab, Tabs
from tests.flows.test_accessible import AXE, FINDINGS, NOTHING_GREY
from tests.ui.week.sample_weeks import WEEKS

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytestmark = [pytest.mark.browser, pytest.mark.soak]

LOOKS = [(1440, False, "en-US"), (1280, True, "es-MX"), (390, False, "es-MX"), (390, True, "en-US")]
NEAR = 4
"""Pixels."""


def opened(tabs: Tabs, url: str, week: str, *, width: int = 1280, dark: bool = False, **more: Any) -> Tab:
    tab = tabs.open(width=width, dark=dark, **{name: value for name, value in more.items() if name != "query"})
    tab.page.goto(f"{url}/?week={week}{more.get('query', '')}")
    expect(tab.page.locator(".hc-view")).to_be_visible(timeout=30_000)
    tab.page.evaluate("() => document.fonts.ready")
    tab.page.wait_for_function(NOTHING_GREY)
    return tab


def box(locator: "Locator") -> dict[str, float]:
    found = locator.bounding_box()
    assert found is not None
    return dict(found)


def hour(tab: Tab, date: str, time: float, begin: int = 7) -> tuple[float, float]:
    """Point of a day's column at that time."""
    lane = box(tab.page.locator(f".hc-lane[data-date='{date}']"))
    return lane["x"] + lane["width"] / 2, lane["y"] + lane["height"] * (time - begin) / (24 - begin)


@pytest.mark.parametrize(("week", "look"), list(product(WEEKS, LOOKS)), ids=str)
def test_each_week_keeps_nobody_out_and_runs_no_words_as_code(
    tabs: Tabs, calendar_url: str, week: str, look: tuple[int, bool, str]
) -> None:
    width, dark, language = look
    tab = opened(tabs, calendar_url, week, width=width, dark=dark, query=f"&language={language}")
    tab.page.evaluate(AXE.read_text())

    assert tab.page.evaluate(FINDINGS) == []
    assert tab.page.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.page.evaluate("window.hurt") is None
    expect(tab.page.locator(".hc-day-head")).to_have_count(3 if width < 500 else 7)
    tab.assert_quiet()


@pytest.mark.parametrize("zone", ["America/Chicago", "Asia/Tokyo"])
def test_entries_stand_where_the_students_clocks_show_them_whatever_the_devices_zone(
    tabs: Tabs, calendar_url: str, zone: str
) -> None:
    tab = opened(tabs, calendar_url, "feed_alone", timezone_id=zone)

    lecture, essay = (box(tab.page.locator("[data-entry]", has_text=title)) for title in ("Lecture", "Essay"))

    assert abs(lecture["y"] - hour(tab, "2026-11-26", 10)[1]) < NEAR
    assert abs(lecture["y"] + lecture["height"] - hour(tab, "2026-11-26", 11)[1]) < NEAR
    assert abs(essay["y"] + essay["height"] - hour(tab, "2026-11-27", 23.98)[1]) < NEAR
    assert abs(box(tab.page.locator(".hc-now"))["y"] - hour(tab, "2026-11-25", 12)[1]) < NEAR


def test_what_cannot_be_changed_does_not_pretend_to(tabs: Tabs, calendar_url: str) -> None:
    tab = opened(tabs, calendar_url, "feed_alone")
    start, end = hour(tab, "2026-11-26", 10.5), hour(tab, "2026-11-26", 14)

    for point in (start, hour(tab, "2026-11-27", 9)):
        tab.page.mouse.move(*point)
        tab.page.mouse.down()
        tab.page.mouse.move(*end, steps=6)
        tab.page.mouse.up()

    expect(tab.page.locator(".hc-can-move, .hc-picker:not([hidden]), .hc-chosen, .hc-mirror")).to_have_count(0)
    expect(tab.page.get_by_text("nothing done")).to_be_visible()


def test_a_stretch_is_taken_but_not_in_the_past(tabs: Tabs, calendar_url: str) -> None:
    tab = opened(tabs, calendar_url, "long_day")

    for day in ("2026-11-24", "2026-11-27"):
        tab.page.mouse.move(*hour(tab, day, 9.1, begin=0))
        tab.page.mouse.down()
        tab.page.mouse.move(*hour(tab, day, 10.9, begin=0), steps=6)
        tab.page.mouse.up()

    expect(tab.page.get_by_text("taken 2026-11-27T09:00-0600 2026-11-27T11:00-0600")).to_be_visible()


def test_ones_own_event_is_moved_and_stays_until_it_is_decided(tabs: Tabs, calendar_url: str) -> None:
    tab = opened(tabs, calendar_url, "long_day")
    dentist = tab.page.locator("[data-entry=event-Dentist]")
    dentist.evaluate("it => it.scrollIntoView({ block: 'center' })")
    before = box(dentist)
    row = box(tab.page.locator(".hc-slot").first)["height"]

    tab.page.mouse.move(before["x"] + 10, before["y"] + 6)
    tab.page.mouse.down()
    tab.page.mouse.move(before["x"] + 10, before["y"] + 4 * row, steps=8)
    tab.page.mouse.up()

    expect(tab.page.get_by_text("moved event-Dentist 2026-11-26T18:00 2026-11-26T18:45")).to_be_visible()
    assert abs(box(dentist)["y"] - before["y"]) < NEAR


def test_a_whole_day_is_moved_with_keys_and_escape_leaves_it(tabs: Tabs, calendar_url: str) -> None:
    tab = opened(tabs, calendar_url, "long_day")
    own = tab.page.locator("[data-entry]", has_text="Own day")

    own.focus()
    for key in ("Shift+ArrowRight", "Escape", "Shift+ArrowRight", "Enter"):
        tab.page.keyboard.press(key)

    expect(tab.page.get_by_text("moved event-Own day 2026-11-28 2026-11-29")).to_be_visible()


def test_an_entry_opens_with_enter_and_has_its_day_in_its_name(tabs: Tabs, calendar_url: str) -> None:
    tab = opened(tabs, calendar_url, "feed_alone")

    tab.page.get_by_role("button", name="Friday 27 November: Due: Essay [ENGL 110], 11:59 PM.").press("Enter")

    expect(tab.page.get_by_text("chosen due-Essay [ENGL 110]")).to_be_visible()
