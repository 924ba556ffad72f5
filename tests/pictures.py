"""`make pictures`: takes the README's pictures anew, from the real app in a real browser."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.app_server import AppServer
from tests import chromium
from tests.browser import Tabs
from tests.flows.person import LABELS, Person

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
QUESTION = "What is overdue?"
REQUEST = "Put a two hour study session for biology in my calendar on Friday at 3pm"
FAST = {"service": "anthropic", "fault": "pace", "words_per_second": 400, "times": 0}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = AppServer(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        try:
            app.campus("/faults", FAST)
            _on_a_laptop(app, Tabs(browser))
            _on_a_phone(app, Tabs(browser))
        finally:
            browser.close()
            app.stop()


def _on_a_laptop(app: AppServer, tabs: Tabs) -> None:
    maya = Person(app, tabs.open(), "Maya Chen")
    maya.open("/")
    maya.page.get_by_role("button", name="Sign in").wait_for()
    _take(maya, "welcome")
    maya.sign_in()
    maya.waits_for_rest()
    _take(maya, "first-steps")
    for label in LABELS:
        maya.connect(label)
    maya.open("/connections")
    maya.card("Notion").wait_for()
    _take(maya, "connections")
    maya.ask_anew(QUESTION)
    maya.sees("open")
    maya.waits_for_the_end()
    _take(maya, "chat")
    maya.ask_anew(REQUEST)
    maya.sees("Add to your calendar")
    maya.waits_for_the_end()
    _take(maya, "approval")
    for name in ("week", "chats", "activity", "toolbox", "insights", "settings"):
        maya.open(f"/{name}")
        maya.page.get_by_role("heading").first.wait_for()
        maya.waits_for_rest()
        _take(maya, name)


def _on_a_phone(app: AppServer, tabs: Tabs) -> None:
    """A student whose browser asks for Spanish."""
    diego = Person(app, tabs.open(width=390, dark=True, locale="es-MX"), "Diego Ramos")
    diego.open("/")
    diego.press("Iniciar sesión")
    diego.press(diego.name)
    diego.press("Probar un curso de muestra")
    diego.waits_for_rest()
    diego.write("¿Qué tengo que entregar esta semana?")
    diego.answers.get_by_text("Curso de muestra").first.wait_for()
    diego.waits_for_rest()
    _take(diego, "chat-phone")


def _take(person: Person, name: str) -> None:
    # Streamlit draws icons from a font of its own: a picture taken before it has come shows their names.
    person.page.evaluate("() => document.fonts.ready")
    person.page.wait_for_timeout(1200)
    person.page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
