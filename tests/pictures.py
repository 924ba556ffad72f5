"""`make pictures`: takes the README's pictures anew, from the real app in a real browser."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from bench.load.app_server import AppServer
from services.files.upload import Upload
from services.study.flashcard import ReviewRating
from services.study.question import SourceKind
from services.study.quiz import QuizRequest, SourceChoice
from tests import chromium
from tests.browser import Tabs
from tests.flows.backstage import Backstage
from tests.flows.person import LABELS, Person

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
QUESTION = "What is overdue?"
OTHERS = ("How are my grades?", "What did my professors announce this week?", "When am I free tomorrow?")
REQUEST = "Put a two hour study session for biology in my calendar on Friday at 3pm"
AT_HOME = {"timezone_id": "America/Chicago"}
"""The campus's own zone: a device that is set to another one is told of it on the pages."""
WHOLE_HEIGHT = """block => {
    const below = block.nextElementSibling?.offsetHeight ?? 0
    return Math.max(block.parentElement.scrollHeight, block.scrollHeight + below)
}"""
"""Where a page is read from the top, its own part scrolls above the field; else the page does."""
TALLEST = 1200
"""Pixels of a picture at most; what is lower than its window shows all of it."""
READING = """# Osmosis

Osmosis is the net movement of water across a membrane that lets water pass but not what is dissolved in it.

# Diffusion

Diffusion is the movement of particles from where there are many to where there are few.

# Active transport

Active transport is the movement of particles against their gradient, which needs energy in the form of ATP.
"""
CARDS = (
    ("Osmosis", "The net movement of water across a membrane."),
    ("Diffusion", "Movement of particles from many to few."),
    ("Active transport", "Movement against the gradient; it needs ATP."),
    ("Endocytosis", "The membrane folds in and takes something up."),
    ("Nernst equation", "$E = \\frac{RT}{zF} \\ln \\frac{c_o}{c_i}$"),
    ("Turgor", "Pressure of a cell's water against its wall."),
)
FAST = {"service": "anthropic", "fault": "pace", "words_per_second": 400, "times": 0}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = AppServer(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=["--no-sandbox"])
        try:
            app.campus("/faults", FAST)
            _on_a_laptop(app, Tabs(browser))
            _of_practice(app, Backstage(app, Path(folder)), Tabs(browser))
            _of_a_class(app, Backstage(app, Path(folder)), Tabs(browser))
            _on_a_phone(app, Backstage(app, Path(folder)), Tabs(browser))
            _of_a_launch(app, Backstage(app, Path(folder)), Tabs(browser))
        finally:
            browser.close()
            app.stop()


def _on_a_laptop(app: AppServer, tabs: Tabs) -> None:
    maya = Person(app, tabs.open(**AT_HOME), "Maya Chen")
    maya.open("/")
    maya.page.get_by_role("button", name="Sign in").wait_for()
    _take(maya, "welcome")
    maya.sign_in()
    maya.page.locator(".live-field").wait_for()
    maya.waits_for_rest()
    _take(maya, "first-steps")
    for label in LABELS:
        maya.connect(label)
    maya.open("/connections")
    maya.card("Notion").wait_for()
    _take(maya, "connections")
    for question in OTHERS:
        maya.ask_anew(question)
        maya.waits_for_the_end()
    maya.ask_anew(QUESTION)
    maya.waits_for_the_end()
    _take(maya, "chat", is_whole=True)
    maya.ask_anew(REQUEST)
    maya.sees("Add to your calendar")
    maya.waits_for_the_end()
    _take(maya, "approval")
    maya.open("/")
    maya.sees("Due in the next 48 hours")
    maya.waits_for_rest()
    _take(maya, "today", is_whole=True)
    maya.press("Review")
    maya.waits_for_the_end()
    # With it the list of all that was done has something that can be taken back.
    maya.press("Approve")
    maya.sees("Done")
    maya.waits_for_the_end()
    for name in ("week", "chats", "activity", "toolbox", "insights", "settings"):
        maya.open(f"/{name}")
        maya.page.get_by_role("heading").first.wait_for()
        maya.waits_for_rest()
        _take(maya, name, is_whole=name in ("week", "insights"))


def _of_practice(app: AppServer, backstage: Backstage, tabs: Tabs) -> None:
    """A student with a reading of their own, a quiz of it and cards."""
    maya = Person(app, tabs.open(**AT_HOME), "Maya Chen")
    maya.sign_in()
    student, study = backstage.student(maya.name), backstage.services.study
    course = backstage.services.materials.add_own_course(student, "Cell transport")
    backstage.services.materials.add_upload(student, course.key, Upload(name="Transport.md", content=READING.encode()))
    cards = [study.cards.new_card(front=front, back=back, course_key=course.key, topic=front) for front, back in CARDS]
    for card, rating in zip(study.cards.add(student, cards), (1, 3, 4, 3), strict=False):
        study.reviews.rate(student, card.id, ReviewRating(rating), review_id=f"picture-{card.id}")
    text = SourceChoice(kind=SourceKind.TEXT, title="Transport across membranes", text=READING)
    study.quizzes.make(student, QuizRequest(course_key=course.key, sources=(text,), count=4))
    maya.open("/study?view=quizzes")
    maya.button("Begin").wait_for(timeout=60_000)
    maya.waits_for_rest()
    maya.open("/study")
    maya.button("Begin").wait_for()
    maya.waits_for_rest()
    _take(maya, "study", is_whole=True)
    maya.press("Begin")
    maya.page.get_by_role("button", name="Begin").click()
    maya.page.get_by_role("button", name="I don’t know").click()
    maya.page.get_by_role("button", name="Next question").wait_for()
    _take(maya, "quiz")


def _of_a_class(app: AppServer, backstage: Backstage, tabs: Tabs) -> None:
    """An instructor's class, and its assistant beside the preview."""
    anne = Person(app, tabs.open(**AT_HOME), "Anne Okafor")
    anne.sign_in()
    instructor, taught = backstage.student(anne.name), backstage.teach(anne.name, "Maya Chen")
    anne.open(f"/classroom?class={taught.id}")
    anne.sees("How students join")
    anne.waits_for_rest()
    _take(anne, "classroom")
    (record,) = backstage.services.classroom.assistants.of_class(instructor, taught.id)
    anne.open(f"/classroom?class={taught.id}&view=assistants&assistant={record.id}")
    anne.sees("Ask as a student would")
    anne.waits_for_rest()
    _take(anne, "class-assistant", is_whole=True)


def _on_a_phone(app: AppServer, backstage: Backstage, tabs: Tabs) -> None:
    """A student whose browser asks for Spanish."""
    diego = Person(app, tabs.open(width=390, dark=True, locale="es-MX", **AT_HOME), "Diego Ramos")
    diego.open("/")
    diego.press("Iniciar sesión")
    diego.press(diego.name)
    diego.field.wait_for()
    backstage.connect(diego.name, "Canvas")
    diego.open("/")
    diego.write("¿Qué tengo que entregar mañana?")
    diego.answers.get_by_role("listitem").get_by_role("link").first.wait_for()
    diego.waits_for_rest()
    _take(diego, "chat-phone", is_whole=True)


def _of_a_launch(app: AppServer, backstage: Backstage, tabs: Tabs) -> None:
    """The steps of docs/lti.md, at the campus's Canvas and Moodle."""
    lms, invite = (
        f"http://127.0.0.1:{app.port}/sandbox/lti",
        backstage.services.classroom.lti.invites.create("Lindgren"),
    )
    page = tabs.open().page
    page.set_viewport_size({"width": 900, "height": 560})
    tool = page.frame_locator("iframe[title=Tool]")
    page.goto(f"{lms}/moodle/lindgren/tools")
    page.get_by_role("button", name="Anne Okafor").click()
    page.get_by_label("Registration address").fill(invite)
    page.screenshot(path=FOLDER / "lti-install.png")
    page.get_by_role("button", name="Install").click()
    page.get_by_text("Client ID").wait_for()
    page.screenshot(path=FOLDER / "lti-installed.png")
    page.goto(f"{lms}/canvas/halvorsen/courses/4201")
    page.screenshot(path=FOLDER / "lti-course.png")
    page.get_by_role("link", name="here", exact=True).click()
    with page.context.expect_page() as opened:
        tool.get_by_role("button", name="Open Homeroom").click()
    opened.value.get_by_role("button").first.wait_for()
    if opened.value.get_by_role("button", name="new account").count():
        opened.value.get_by_role("button", name="new account").click()
    opened.value.get_by_role("heading", name="Cell Biology").wait_for()
    page.goto(f"{lms}/canvas/halvorsen/courses/4201")
    page.get_by_role("link", name="Add a link with Homeroom").click()
    tool.get_by_role("button", name="Add to the course").wait_for()
    # A frame of another site paints in a process of its own.
    page.wait_for_timeout(1200)
    page.screenshot(path=FOLDER / "lti-link.png")
    page = tabs.open().page
    page.set_viewport_size({"width": 900, "height": 560})
    page.goto(f"{lms}/canvas/halvorsen/courses/4201")
    page.get_by_role("button", name="Maya Chen").click()
    page.get_by_role("link", name="here", exact=True).click()
    page.frame_locator("iframe[title=Tool]").get_by_role("button", name="Open Homeroom").wait_for()
    page.wait_for_timeout(1200)
    page.screenshot(path=FOLDER / "lti-join.png")


def _take(person: Person, name: str, *, is_whole: bool = False) -> None:
    """is_whole: as tall as the page, which else is shown as far as a window reaches."""
    page = person.page
    # Streamlit draws icons from a font of its own: a picture taken before it has come shows their names.
    page.evaluate("() => document.fonts.ready")
    window = page.viewport_size
    assert window is not None
    if is_whole:
        height = page.locator("[data-testid=stMainBlockContainer]").evaluate(WHOLE_HEIGHT)
        page.set_viewport_size({**window, "height": max(window["height"], min(height, TALLEST))})
    # Nothing is pointed at, least of all the sidebar, which then offers to be put away.
    page.mouse.move(window["width"] - 2, window["height"] // 2)
    page.wait_for_timeout(1200)
    page.screenshot(path=FOLDER / f"{name}.png")
    page.set_viewport_size(window)


if __name__ == "__main__":
    main()
