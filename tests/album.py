"""`make album`: a picture of every page and state, at both widths, in both themes and both languages, to look at; and
of Today and the week on days that are unlike others (`python -m tests.album days` takes these alone,
`python -m tests.album class` what Classroom has).

The pictures and a sheet of them for each kind of screen, or day, land in `test-results/album`.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright

from bench.load.app_server import AppServer
from services.navigation import CHAT_PAGE, CLASSROOM_PAGE, PAGES, WEEK_PAGE, AppPage
from tests import chromium
from tests.browser import Tabs
from tests.flows.backstage import IDS, Backstage
from tests.flows.days import DAYS, Day, DayApp
from tests.flows.faults import speak
from tests.flows.person import Person
from ui.classroom.class_address import ASSISTANTS
from ui.classroom.class_views import CLASS_VIEWS

FOLDER = Path(__file__).resolve().parent.parent / "test-results" / "album"
NAME, TEACHER = "Maya Chen", "Anne Okafor"
QUESTION = {"en": "What is due this week?", "es": "¿Qué tengo que entregar esta semana?"}
REQUEST = {
    "en": "Put a two hour study session for biology in my calendar on Friday at 3pm",
    "es": "Pon una sesión de estudio de biología de dos horas en mi calendario el viernes a las 3 de la tarde",
}
REGION = {"en": "en-US", "es": "es-MX"}
DAY_WIDTHS = (1440, 1280, 390)
SHEET = {1440: (3, 2, 500, 640), 1280: (3, 2, 500, 640), 390: (6, 1, 250, 1280)}
"""Pictures across and down a sheet, and a picture's pixels there: what does not fit is in the picture itself."""
DRAWN = {CHAT_PAGE.name: ".st-key-today-due", WEEK_PAGE.name: ".hc-view"}
"""What stands on a page once the day, or the week, has come."""
PATIENCE_MS = 60_000
"""Of a day that is read while other things run on this machine."""
TALLEST = 2600
"""Pixels of a page at most."""
HIDDEN = """main => Math.max(...[main, ...main.querySelectorAll("[data-testid^=st]")]
    .filter(part => ["auto", "scroll"].includes(getComputedStyle(part).overflowY))
    .map(part => part.scrollHeight - part.clientHeight), 0)"""
"""Pixels that one must scroll to; on a chat's page something inside scrolls, above the field."""


@dataclass(frozen=True)
class Screen:
    width: int
    dark: bool
    language: str

    @property
    def name(self) -> str:
        return f"{self.width}-{'dark' if self.dark else 'light'}-{self.language}"


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        try:
            if "days" not in sys.argv:
                _take_pages(browser)
            for day in () if "class" in sys.argv else DAYS:
                _take_day(browser, day)
        finally:
            browser.close()


def _take_pages(browser: Browser) -> None:
    with tempfile.TemporaryDirectory() as folder, _running(AppServer(Path(folder)), Path(folder)) as (app, backstage):
        for screen in (Screen(*options) for options in product((1280, 390), (False, True), QUESTION)):
            _take_all(app, backstage, Tabs(browser), screen)
            _lay_out(screen.name, screen.width)


def _take_day(browser: Browser, day: Day) -> None:
    """Today and the week, as they stand that day."""
    with tempfile.TemporaryDirectory() as folder, _running(DayApp(day, Path(folder)), Path(folder)) as (app, backstage):
        passes = None
        for screen in (Screen(*options) for options in product(DAY_WIDTHS, (False, True), QUESTION)):
            tabs = Tabs(browser)
            options = {"locale": REGION[screen.language], "timezone_id": day.timezone, "storage_state": passes}
            maya = Person(app, tabs.open(width=screen.width, dark=screen.dark, **options), NAME)
            if passes is None:
                maya.sign_in()
                passes = maya.page.context.storage_state()
                for label in IDS:
                    backstage.connect(NAME, label)
            backstage.speak_to(NAME, REGION[screen.language])
            name = f"{day.name}-{screen.width}"
            for page in (CHAT_PAGE, WEEK_PAGE):
                maya.open(page.path)
                maya.page.locator(DRAWN[page.name]).first.wait_for(timeout=PATIENCE_MS)
                maya.waits_for_rest()
                _take(maya.page, FOLDER / name / f"{page.name}-{screen.name}.png")
            tabs.close()
        for width in DAY_WIDTHS:
            _lay_out(f"{day.name}-{width}", width)


@contextmanager
def _running(app: AppServer, data_dir: Path) -> Iterator[tuple[AppServer, Backstage]]:
    app.start()
    backstage = Backstage(app, data_dir)
    try:
        speak(app, words_per_second=400)
        yield app, backstage
    finally:
        backstage.close()
        app.stop()


def _take_all(app: AppServer, backstage: Backstage, tabs: Tabs, screen: Screen) -> None:
    tab = tabs.open(width=screen.width, dark=screen.dark, locale=REGION[screen.language])
    maya = Person(app, tab, NAME)
    states = (
        _sign_in(maya, backstage, screen.language) if "class" in sys.argv else _states(maya, backstage, screen.language)
    )
    for at, state in enumerate(states):
        _take(maya.page, FOLDER / screen.name / f"{at:02d}-{state}.png")
    tab = tabs.open(width=screen.width, dark=screen.dark, locale=REGION[screen.language])
    anne = Person(app, tab, TEACHER)
    for state in _class_states(anne, maya, backstage, screen.language):
        _take((anne if state.startswith("class-") else maya).page, FOLDER / screen.name / f"{state}.png")
    tabs.close()


def _take(page: Page, path: Path) -> None:
    # Streamlit draws icons from a font of its own: a picture taken before it has come shows their names.
    page.evaluate("() => document.fonts.ready")
    page.wait_for_timeout(1200)
    path.parent.mkdir(parents=True, exist_ok=True)
    _take_whole(page, path)


def _take_whole(page: Page, path: Path) -> None:
    """Streamlit scrolls within the page, so a picture of all of it needs a window as tall as that."""
    window = page.viewport_size
    assert window is not None
    hidden = page.locator(".stMain").evaluate(HIDDEN)
    page.set_viewport_size({**window, "height": min(window["height"] + hidden, TALLEST)})
    page.wait_for_timeout(300)
    page.screenshot(path=path)
    page.set_viewport_size(window)


def _sign_in(person: Person, backstage: Backstage, language: str) -> Iterator[str]:
    person.open("/")
    person.page.locator(".st-key-sign-in").wait_for()
    yield "welcome"
    person.page.locator(".st-key-sign-in button").click()
    person.press(person.name)
    person.field.wait_for()
    backstage.speak_to(person.name, REGION[language])


def _states(maya: Person, backstage: Backstage, language: str) -> Iterator[str]:
    """Brings the page from one state to the next, and gives each one's name."""
    yield from _sign_in(maya, backstage, language)
    backstage.forget(NAME)
    for page in PAGES:
        yield from _opened(maya, page, f"{page.name}-at-first")
    for label in IDS:
        backstage.connect(NAME, label)
    yield from _opened(maya, CHAT_PAGE, "chat-connected")
    maya.write(QUESTION[language])
    maya.answers.first.wait_for()
    maya.waits_for_rest()
    yield "chat-answered"
    maya.open("/")
    maya.write(REQUEST[language])
    maya.page.locator("[class*=st-key-approval]").first.wait_for()
    maya.waits_for_rest()
    yield "chat-approval"
    yield from _cited_page(maya)
    for page in PAGES[1:]:
        yield from _opened(maya, page, page.name)


def _class_states(anne: Person, maya: Person, backstage: Backstage, language: str) -> Iterator[str]:
    """Each view of a class as its instructor has it, the form of an assistant, and what a member has."""
    for _ in _sign_in(anne, backstage, language):
        pass
    taught = backstage.teach(TEACHER, NAME)
    for view in CLASS_VIEWS:
        yield from _opened(anne, CLASSROOM_PAGE, f"class-{view.id}", f"?class={taught.id}&view={view.id}")
    (record,) = backstage.services.classroom.assistants.of_class(backstage.student(TEACHER), taught.id)
    editor = f"?class={taught.id}&view={ASSISTANTS}&assistant={record.id}"
    yield from _opened(anne, CLASSROOM_PAGE, "class-editor", editor)
    yield from _opened(anne, CLASSROOM_PAGE, "class-all")
    yield from _opened(maya, CLASSROOM_PAGE, "member", f"?class={taught.id}")


def _cited_page(maya: Person) -> Iterator[str]:
    """A page of a course material beside the answer that cites it."""
    maya.open("/")
    maya.write('/call materials_search {"query": "net diffusion of water", "course": "BIOL 201"}')
    mark = maya.answers.get_by_role("link", name="¹").first
    mark.wait_for(timeout=60_000)
    maya.waits_for_rest()
    mark.click()
    maya.page.locator(".reader-body :is(mark, img)").first.wait_for()
    yield "chat-reader"


def _opened(maya: Person, page: AppPage, name: str, query: str = "") -> Iterator[str]:
    maya.open(page.path + query)
    maya.page.get_by_role("heading").first.wait_for()
    maya.waits_for_rest()
    yield name


def _lay_out(name: str, screen_width: int) -> None:
    """All pictures of a folder on sheets, side by side and named."""
    across, down, width, height = SHEET[screen_width]
    paths = sorted((FOLDER / name).glob("*.png"))
    for number, group in enumerate(batched(paths, across * down), start=1):
        sheet = Image.new("RGB", (across * width, down * height), "#888888")
        write = ImageDraw.Draw(sheet)
        for at, path in enumerate(group):
            left, top = at % across * width, at // across * height
            picture = Image.open(path)
            small = picture.resize((width - 8, round(picture.height * (width - 8) / picture.width)))
            sheet.paste(small.crop((0, 0, width - 8, min(small.height, height - 26))), (left, top + 22))
            write.text((left + 4, top + 6), path.stem, fill="white")
        sheet.save(FOLDER / f"{name}-{number}.png")


def batched(paths: Sequence[Path], size: int) -> Iterator[Sequence[Path]]:
    for start in range(0, len(paths), size):
        yield paths[start : start + size]


if __name__ == "__main__":
    main()
