"""A room full of phones: thirty join a demo's class and ask at once; each is answered, as somebody of its own (I7)."""

import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import Tabs
from tests.commands.demo.test_demo_command import Demo, running_demo
from tests.flows.test_presenter import LATER_MS, TUTOR, field

pytestmark = [pytest.mark.browser, pytest.mark.soak]
PHONES = 30
_log = logging.getLogger(__name__)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Demo]:
    yield from running_demo(tmp_path, students=PHONES)


def test_thirty_phones_join_and_ask_at_once(room: Demo, tabs: Tabs) -> None:
    link = room.address(r"http://\S+/join/\w+")
    phones = [tabs.open(width=390).page for _ in range(PHONES)]
    began = time.monotonic()
    for phone in phones:
        phone.goto(link, wait_until="commit")
    for phone in phones:
        phone.get_by_role("button", name=re.compile("Start as")).click(timeout=LATER_MS)
    for phone in phones:
        phone.get_by_role("button", name="Join the class").click(timeout=LATER_MS)
    for phone in phones:
        expect(phone.locator("[class*=st-key-assistant-picker-]")).to_contain_text(TUTOR, timeout=LATER_MS)
    joined = time.monotonic()
    for number, phone in enumerate(phones):
        field(phone).fill(f"/say The answer for phone {number}.")
    asked = time.monotonic()
    for phone in phones:
        field(phone).press("Enter")
    for number, phone in enumerate(phones):
        answer = phone.get_by_role("main").get_by_text(f"The answer for phone {number}.", exact=True)
        expect(answer.last).to_be_visible(timeout=LATER_MS)
    _log.info("All had joined after %.1f s, all answers stood after %.1f s", joined - began, time.monotonic() - asked)

    names = {phone.locator(".st-key-sidebar-foot button").first.text_content() for phone in phones}
    assert len(names) == PHONES
