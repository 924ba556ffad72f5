"""`make album`: a picture of every page and state, at both widths, in both themes and both languages, to look at.

The pictures and a sheet of them for each kind of screen land in `test-results/album`.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

from bench.app_server import AppServer
from tests import chromium
from tests.browser import Tabs
from tests.flows.backstage import IDS, Backstage
from tests.flows.faults import speak
from tests.flows.person import Person

FOLDER = Path(__file__).resolve().parent.parent / "test-results" / "album"
NAME = "Maya Chen"
PAGES = ("week", "connections", "toolbox", "activity", "insights", "chats", "settings")
QUESTION = {"en": "What is due this week?", "es": "¿Qué tengo que entregar esta semana?"}
REQUEST = {
    "en": "Put a two hour study session for biology in my calendar on Friday at 3pm",
    "es": "Pon una sesión de estudio de biología de dos horas en mi calendario el viernes a las 3 de la tarde",
}
REGION = {"en": "en-US", "es": "es-MX"}
SHEET_HEIGHT = 900
"""Pixels of a picture on a sheet at most: what lies below is in the picture itself."""


@dataclass(frozen=True)
class Screen:
    width: int
    dark: bool
    language: str

    @property
    def name(self) -> str:
        return f"{self.width}-{'dark' if self.dark else 'light'}-{self.language}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = AppServer(Path(folder)).start()
        backstage = Backstage(app, Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        try:
            speak(app, words_per_second=400)
            for screen in (Screen(*one) for one in product((1280, 390), (False, True), QUESTION)):
                _take_all(app, backstage, Tabs(browser), screen)
                _lay_out(screen)
        finally:
            browser.close()
            backstage.close()
            app.stop()


def _take_all(app: AppServer, backstage: Backstage, tabs: Tabs, screen: Screen) -> None:
    tab = tabs.open(width=screen.width, dark=screen.dark, locale=REGION[screen.language])
    maya = Person(app, tab, NAME)
    for at, state in enumerate(_states(maya, backstage, screen.language)):
        # Streamlit draws icons from a font of its own: a picture taken before it has come shows their names.
        maya.page.evaluate("() => document.fonts.ready")
        maya.page.wait_for_timeout(1200)
        folder = FOLDER / screen.name
        folder.mkdir(parents=True, exist_ok=True)
        maya.page.screenshot(path=folder / f"{at:02d}-{state}.png", full_page=True)
    tabs.close()


def _states(maya: Person, backstage: Backstage, language: str) -> Iterator[str]:
    """Brings the page from one state to the next, and gives each one's name."""
    maya.open("/")
    maya.page.locator(".st-key-sign-in").wait_for()
    yield "welcome"
    maya.page.locator(".st-key-sign-in button").click()
    maya.press(NAME)
    maya.field.wait_for()
    backstage.forget(NAME)
    backstage.speak_to(NAME, REGION[language])
    for path in ("", *PAGES):
        yield from _opened(maya, path, f"{path or 'chat'}-at-first")
    for label in IDS:
        backstage.connect(NAME, label)
    yield from _opened(maya, "", "chat-connected")
    maya.write(QUESTION[language])
    maya.answers.first.wait_for()
    maya.waits_for_rest()
    yield "chat-answered"
    maya.open("/")
    maya.write(REQUEST[language])
    maya.page.locator("[class*=st-key-approval]").first.wait_for()
    maya.waits_for_rest()
    yield "chat-approval"
    for path in PAGES:
        yield from _opened(maya, path, path)


def _opened(maya: Person, path: str, name: str) -> Iterator[str]:
    maya.open(f"/{path}")
    maya.page.get_by_role("heading").first.wait_for()
    maya.waits_for_rest()
    yield name


def _lay_out(screen: Screen) -> None:
    """All pictures of one kind of screen side by side, named."""
    pictures = [(path.stem, Image.open(path)) for path in sorted((FOLDER / screen.name).glob("*.png"))]
    width, columns = (320, 9) if screen.width < 500 else (560, 5)
    rows = -(-len(pictures) // columns)
    sheet = Image.new("RGB", (columns * width, rows * SHEET_HEIGHT), "#888888")
    write = ImageDraw.Draw(sheet)
    for at, (name, picture) in enumerate(pictures):
        left, top = at % columns * width, at // columns * SHEET_HEIGHT
        small = picture.resize((width - 8, round(picture.height * (width - 8) / picture.width)))
        sheet.paste(small.crop((0, 0, width - 8, min(small.height, SHEET_HEIGHT - 30))), (left, top + 22))
        write.text((left + 4, top + 6), name, fill="white")
    sheet.save(FOLDER / f"{screen.name}.png")


if __name__ == "__main__":
    main()
