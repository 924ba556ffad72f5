"""A demo before a class: each step of the script opens what it says, twice and after a reset; a phone with it (I7)."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import Tabs
from tests.commands.demo.test_demo_command import Demo, demo  # noqa: F401 - a fixture

pytestmark = [pytest.mark.browser, pytest.mark.soak]
SOON_MS, LATER_MS = 60_000, 120_000
TUTOR = "Cell Biology tutor"


def field(page: Page) -> Locator:
    return page.locator(".live-field, [data-testid=stChatInputTextArea]").filter(visible=True)


def shows(page: Page, step: str) -> None:
    """What only the right page shows."""
    main = page.get_by_role("main")
    match step:
        case "today":
            expect(main.get_by_text("Due in the next 48 hours")).to_be_visible(timeout=SOON_MS)
            expect(field(page)).to_have_value("", timeout=SOON_MS)
        case "ask":
            expect(field(page)).to_have_value("What is due this week?", timeout=SOON_MS)
        case "change":
            expect(field(page)).to_have_value(re.compile("in my calendar tomorrow"), timeout=SOON_MS)
        case "connect":
            expect(main.get_by_role("button", name="Connect Google Calendar")).to_be_visible(timeout=SOON_MS)
        case "material":
            expect(page.get_by_text("Count chromosomes by counting centromeres")).to_be_visible(timeout=SOON_MS)
        case "quiz":
            expect(page.get_by_role("dialog").get_by_text("Lecture 23").first).to_be_visible(timeout=SOON_MS)
            expect(page.get_by_role("dialog").get_by_role("button", name="Make 8 questions")).to_be_enabled()
        case "assistant":
            expect(main.get_by_text("Closed for an exam").first).to_be_visible(timeout=SOON_MS)
            expect(main.get_by_text(TUTOR).first).to_be_visible()
        case "figures":
            expect(main.get_by_text("What this class asks its assistants")).to_be_visible(timeout=SOON_MS)


def opens(presenter: Page, step: str) -> None:
    link = presenter.locator(f".st-key-presenter-step-{step} a").last
    with presenter.context.expect_page() as opened:
        link.click()
    shows(opened.value, step)
    opened.value.close()


@pytest.fixture
def presenter(demo: Demo, tabs: Tabs) -> Page:  # noqa: F811
    page = tabs.open().page
    page.goto(demo.address(r"http://\S+/present\?key=\S+"))
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".st-key-presenter-step-figures")).to_be_visible(timeout=SOON_MS)
    return page


STEPS = ("material", "quiz", "today", "ask", "connect", "change", "assistant", "figures")


def test_each_step_opens_what_it_says_and_a_phone_is_told_of_the_reset(
    demo: Demo,  # noqa: F811
    presenter: Page,
    tabs: Tabs,
) -> None:
    phone = tabs.open(width=390).page
    phone.goto(demo.address(r"http://\S+/join/\w+"))
    phone.get_by_role("button", name=re.compile("Start as")).click()
    phone.get_by_role("button", name="Join the class").click(timeout=SOON_MS)
    expect(phone.get_by_text(f"{TUTOR} answers what you ask here.")).to_be_visible(timeout=SOON_MS)
    phone.reload()
    expect(phone.locator("[class*=st-key-assistant-picker-]")).to_contain_text(TUTOR, timeout=SOON_MS)
    expect(presenter.get_by_text("1 student has joined")).to_be_visible(timeout=SOON_MS)

    for _ in range(2):
        for step in STEPS:
            opens(presenter, step)
    field(phone).fill("/say " + "one word after the other " * 40)
    field(phone).press("Enter")
    presenter.bring_to_front()
    presenter.locator(".st-key-presenter-reset button").click()
    presenter.locator(".st-key-presenter-reset-confirmed button").click()
    demo.waits_for("The demo began anew")

    expect(presenter.get_by_text("0 students have joined")).to_be_visible(timeout=LATER_MS)
    expect(presenter.get_by_role("dialog")).to_have_count(0, timeout=SOON_MS)
    expect(phone.get_by_text("The demo began anew: scan the code on the screen once more")).to_be_visible(
        timeout=LATER_MS
    )
    for step in STEPS:
        opens(presenter, step)
