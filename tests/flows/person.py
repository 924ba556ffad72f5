"""A person in front of the browser: the few things they do, in their own words."""

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import Tab

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

LABELS = ("Canvas", "Google Calendar", "Notion")
ANSWER_MS = 30_000


class Person:
    """Signs in, connects, asks and decides on one tab."""

    def __init__(self, app: AppServer, tab: Tab, name: str) -> None:
        self.app = app
        self.tab = tab
        self.page: Page = tab.page
        self.name = name

    def open(self, path: str = "/") -> None:
        self.page.goto(self.app.url + path)

    def sign_in(self, path: str = "/") -> None:
        self.open(path)
        self.press("Sign in")
        self.press(self.name)
        self.page.locator(".st-key-sidebar-foot button").wait_for(state="attached")

    def go(self, title: str) -> None:
        """Follow the navigation to a page: by its line in the sidebar, or behind one's name."""
        foot = self.page.locator(".st-key-sidebar-foot button")
        foot.wait_for()
        daily = self.page.locator(".st-key-sidebar-pages").get_by_role("link", name=title)
        if daily.count():
            daily.click()
            return
        foot.click()
        self.page.locator(".st-key-account-menu").get_by_role("link", name=title).click()

    def press(self, name: str) -> None:
        self.button(name).last.click()

    def card(self, label: str) -> "Locator":
        """The card of a service on the Connections page."""
        return self.page.locator("[class*=st-key-card-]").filter(has=self.page.get_by_role("heading", name=label))

    def agree_to(self, label: str, button: str = "Connect") -> None:
        """Open a service's dialog and agree to what goes where."""
        self.open("/connections")
        self.card(label).get_by_role("button", name=button).click()
        self.page.get_by_role("dialog").get_by_text("I have read this and agree").click()

    def connect(self, label: str, button: str = "Connect") -> None:
        """Connect a service by its own consent page, as oneself."""
        self.agree_to(label, button)
        self.press(f"Continue to {label}")
        self.page.get_by_text(self.name).first.click()
        self.press("Allow")
        expect(self.page.get_by_text(f"{label} is connected")).to_be_visible()

    def disconnect(self, label: str) -> None:
        card = self.card(label)
        card.get_by_role("button", name="Disconnect").click()
        self.press(f"Disconnect {label}")
        expect(self.page.get_by_text(f"{label} is disconnected")).to_be_visible()

    @property
    def field(self) -> "Locator":
        """Where messages are written: ours, or Streamlit's own where ours cannot load."""
        return self.page.locator(".live-field, [data-testid=stChatInputTextArea]").filter(visible=True)

    @property
    def questions(self) -> "Locator":
        """The bubbles of what this person sent."""
        return self.page.get_by_label("Chat message from user").filter(visible=True)

    @property
    def answers(self) -> "Locator":
        return self.page.get_by_label("Chat message from assistant").filter(visible=True)

    def button(self, name: str) -> "Locator":
        return self.page.get_by_role("button", name=re.compile(rf"^\W*{re.escape(name)}"))

    def ask(self, text: str) -> None:
        """Send a message in the conversation that is open, once it can take one."""
        self.waits_for_the_end()
        asked = self.questions.count()
        self.write(text)
        expect(self.questions).to_have_count(asked + 1, timeout=ANSWER_MS)

    def write(self, text: str) -> None:
        """Write a message and press Enter, whatever comes of it."""
        self.field.fill(text)
        self.field.press("Enter")

    def ask_anew(self, text: str) -> None:
        """Send a message in a new conversation."""
        self.open("/")
        self.ask(text)

    def sees(self, words: str | re.Pattern[str], *, within_ms: int = ANSWER_MS) -> None:
        # What a closed list of sources says again, out of sight, does not count.
        seen = self.page.get_by_role("main").get_by_text(words).filter(visible=True)
        expect(seen.last).to_be_visible(timeout=within_ms)

    def sees_no(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_role("main").get_by_text(words)).to_have_count(0)

    def waits_for_the_end(self) -> None:
        """Until the answer is whole, the page has come to rest and the next message may be sent."""
        expect(self.field).to_be_visible(timeout=ANSWER_MS)
        expect(self.page.locator(".live-answer")).to_have_count(0, timeout=ANSWER_MS)
        self.waits_for_rest()

    def waits_for_rest(self) -> None:
        """Until nothing is drawn any more: a list that opens in the middle of a run closes again."""
        rest = ("data-test-script-state", "notRunning")
        expect(self.page.get_by_test_id("stApp")).to_have_attribute(*rest, timeout=ANSWER_MS)
