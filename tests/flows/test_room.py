"""A room full of phones: thirty join a demo's class and ask at once; each one is answered, as somebody of its own (I7)."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser import Tabs
from tests.commands.demo.test_demo_command import Demo, demo  # noqa: F401 - a fixture
from tests.flows.test_presenter import LATER_MS, TUTOR, field

pytestmark = [pytest.mark.browser, pytest.mark.soak]
PHONES = 30


def test_thirty_phones_join_and_ask_at_once(demo: Demo, tabs: Tabs) -> None:  # noqa: F811
    link = demo.address(r"http://\S+/join/\w+")
    phones = [tabs.open(width=390).page for _ in range(PHONES)]
    began = time.monotonic()
    for phone in phones:
        phone.goto(link, wait_until="commit")
    for phone in phones:
        phone.get_by_role("button", name=re.compile("Start as")).click(timeout=LATER_MS)
    for phone in phones:
        phone.get_by_role("button", name="Join the class").click(timeout=LATER_MS)
    for phone in phones:
        expect(phone.get_by_text(f"{TUTOR} answers what you ask here.")).to_be_visible(timeout=LATER_MS)
    joined = time.monotonic()
    for number, phone in enumerate(phones):
        field(phone).fill(f"/say The answer for phone {number}.")
    asked = time.monotonic()
    for phone in phones:
        field(phone).press("Enter")
    for number, phone in enumerate(phones):
        answer = phone.get_by_role("main").get_by_text(f"The answer for phone {number}.", exact=True)
        expect(answer.last).to_be_visible(timeout=LATER_MS)
    print(f"{PHONES} joined in {joined - began:.1f} s; all were answered {time.monotonic() - asked:.1f} s after asking")

    names = {phone.get_by_text(re.compile("^Signed in as ")).first.text_content() for phone in phones}
    assert len(names) == PHONES
