"""Every page and state as axe-core sees it, and a day without a mouse.

Rules: https://dequeuniversity.com/rules/axe/ (of WCAG 2.2 A and AA, and axe's own best practices).
"""

import json
import re
from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import expect

from tests import node
from tests.browser import WIDTHS
from tests.flows.backstage import IDS, Backstage
from tests.flows.conftest import Visit
from tests.flows.faults import fault
from tests.flows.person import Person
from ui.classroom.class_views import CLASS_VIEWS

pytestmark = pytest.mark.browser

AXE = node.FOLDER / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = (((1280, "light"), (390, "dark")), ((1280, "dark"), (390, "light")))
"""In turn: each state is looked at wide and narrow, light and dark, and what is on every page in all four."""
TABLET = ((768, "light"),)
FINDINGS = """async () => (await axe.run({resultTypes: ["violations"], preload: false})).violations
    .filter(rule => ["serious", "critical"].includes(rule.impact) || rule.id === "heading-order")
    .map(rule => [rule.id, ...rule.nodes.map(node => node.target.join(" ") + ": " + node.html)])"""
HAS_THEME = "scheme => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === scheme"
NOTHING_GREY = "() => !document.querySelector('[data-stale=true]')"
FOCUSED = """() => {
    const here = document.activeElement, style = getComputedStyle(here)
    if (here.matches("body, main, section, [data-testid=stMainBlockContainer]")) return {name: "", is_marked: true}
    const is_marked = here.matches("input, textarea") || style.outlineStyle !== "none"
    return {name: here.ariaLabel || here.labels?.[0]?.innerText || here.innerText, is_marked}
}"""
MOST_STOPS = 60
EVENT = 'Add "Study group" to my calendar tomorrow at 4 pm'
QUESTION = {"question": "Which course comes first?", "choices": ["Biology", "Calculus"]}


class Visitor:
    """Looks at what a person has before them, at both widths, light and dark."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        self._looks = cycle(LOOKS)

    def inspects(self, state: str, *, tablet: bool = False) -> None:
        """No finding of axe that keeps somebody out, and nothing that scrolls sideways."""
        for width, scheme in (*next(self._looks), *(TABLET if tablet else ())):
            self.page.set_viewport_size({"width": width, "height": WIDTHS.get(width, 1024)})
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            self.page.wait_for_function(HAS_THEME, arg=scheme)
            self.finds_nothing(f"{state}, {width}, {scheme}")
        self.page.set_viewport_size({"width": 1280, "height": WIDTHS[1280]})

    def finds_nothing(self, state: str) -> None:
        """The same as the page stands now."""
        # Another theme, and news, run the page's script again, which greys what it has not drawn yet.
        self.page.wait_for_function(NOTHING_GREY)
        assert (state, self._findings()) == (state, [])
        window = self.page.viewport_size
        assert window is not None
        assert self.page.evaluate("document.documentElement.scrollWidth") <= window["width"], (
            f"{state} scrolls sideways"
        )

    def opens(self, path: str, sees: Any) -> None:
        self.person.open(path)
        self.person.sees(sees)
        self.person.waits_for_rest()

    def asks(self, text: str, sees: str) -> None:
        self.person.ask_anew(text)
        self.person.sees(sees)
        self.person.waits_for_the_end()

    def tabs_to(self, name: str) -> None:
        """Press Tab until this is what the keyboard speaks to; whatever has it on the way shows that."""
        for _ in range(MOST_STOPS):
            self.page.keyboard.press("Tab")
            focused = self.page.evaluate(FOCUSED)
            if name in focused["name"]:
                return
            assert focused["is_marked"], f"Nobody sees that the keyboard is at “{focused['name']}”."
        pytest.fail(f"The keyboard does not come to “{name}”.")

    def _findings(self) -> list[list[str]]:
        # Evaluated by the debugger, to which the page's policy does not apply: a script element would be refused.
        if self.page.evaluate("typeof axe") == "undefined":
            self.page.evaluate(AXE.read_text())
        found: list[list[str]] = self.page.evaluate(FINDINGS)
        return found


@pytest.fixture
def newcomer(maya: Person) -> Visitor:
    """Maya, with nothing connected."""
    return Visitor(maya)


@pytest.fixture
def settled(maya: Person, backstage: Backstage) -> Visitor:
    """Maya, with everything connected and numbers to look at."""
    for label in IDS:
        backstage.connect(maya.name, label)
    backstage.count(maya.name, "courses", "calendar", fresh=2_000, called=("canvas_grades",))
    return Visitor(maya)


def test_who_is_not_signed_in_can_read_and_enter(visit: Visit) -> None:
    stranger = Visitor(visit("Somebody new", signs_in=False))
    stranger.opens("/", "Sign in")
    expect(stranger.page).to_have_title("Homeroom")

    stranger.inspects("welcome")


@pytest.mark.soak
def test_pages_without_anything_yet_keep_nobody_out(newcomer: Visitor) -> None:
    newcomer.opens("/", "Connect an account first")
    newcomer.inspects("empty chat")
    newcomer.opens("/week", "Your week fills itself once something is connected")
    newcomer.inspects("empty week")
    newcomer.opens("/insights", "this page begins to fill")
    newcomer.inspects("empty Insights")
    newcomer.opens("/", "Connect an account first")
    newcomer.person.press("Try a sample course")
    newcomer.person.sees("It is on")
    newcomer.inspects("first steps with the sample")
    newcomer.opens("/week", "You are trying the sample course")
    newcomer.inspects("a week of the sample")


def test_answers_steps_approvals_and_questions_keep_nobody_out(settled: Visitor) -> None:
    settled.asks("What is due this week?", "Looking up assignments")
    settled.page.get_by_role("main").locator("summary").first.click()
    settled.person.sees("Asked for")
    settled.inspects("answer with an open step")
    settled.asks(EVENT, "Nothing happens before you approve.")
    settled.inspects("approval")
    settled.opens("/", "Waits for your decision")
    settled.person.sees("Due in the next 48 hours")
    settled.page.get_by_text("Overdue ·").click()
    settled.person.waits_for_rest()
    settled.inspects("Today")
    settled.page.get_by_role("main").get_by_role("button", name="Review").click()
    settled.person.sees("Nothing happens before you approve.")
    settled.person.waits_for_the_end()
    settled.person.press("Edit")
    settled.person.sees("Approve with these changes")
    settled.inspects("approval being edited")
    settled.asks(f"/call planner_ask_student {json.dumps(QUESTION)}", "Homeroom goes on when you answer.")
    settled.inspects("question")


def test_an_answer_that_comes_keeps_nobody_out_and_stops_without_a_mouse(newcomer: Visitor) -> None:
    page, person = newcomer.page, newcomer.person
    fault(person.app, "anthropic", "stall", after_words=12)
    person.ask_anew("/say-long 60")
    person.sees("word12")
    newcomer.inspects("answer that comes")
    newcomer.tabs_to("Stop")
    page.keyboard.press("Enter")
    person.sees("You stopped this answer.")
    person.waits_for_the_end()

    expect(person.field).to_be_focused()


@pytest.mark.soak
def test_a_message_that_could_not_be_sent_keeps_nobody_out(newcomer: Visitor) -> None:
    newcomer.opens("/", "Connect an account first")
    for address in ("**/live/**", f"{newcomer.person.app.url}/health"):
        newcomer.page.route(address, lambda route: route.abort())
    newcomer.person.write("/say Hello")
    newcomer.person.sees("Homeroom cannot be reached right now.")

    newcomer.inspects("message that was not sent")


@pytest.mark.soak
def test_the_week_and_the_connections_keep_nobody_out(settled: Visitor) -> None:
    page = settled.page
    settled.opens("/week", re.compile(r"\d overdue"))
    expect(page.locator(".hc-view")).to_be_visible()
    settled.inspects("week")
    page.get_by_text(re.compile(r"\d overdue")).click()
    settled.person.press("Find time")
    expect(page.get_by_role("dialog").get_by_text("When you are free")).to_be_visible()
    settled.inspects("dialog of the week")
    page.keyboard.press("Escape")
    page.get_by_text("Agenda", exact=True).first.click()
    expect(page.locator("[class*=st-key-week-agenda-]").first).to_be_visible()
    settled.person.waits_for_rest()
    settled.inspects("agenda")
    settled.opens("/connections", "Not connected")
    settled.inspects("Connections")
    settled.person.press("Connect")
    expect(page.get_by_role("dialog").get_by_text("I have read this and agree")).to_be_visible()
    settled.inspects("dialog of a connection")


@pytest.mark.soak
def test_the_other_pages_keep_nobody_out(settled: Visitor) -> None:
    settled.asks("What is due this week?", "Looking up assignments")
    settled.opens("/toolbox", "Calendar")
    settled.page.get_by_role("main").locator("summary").first.click()
    settled.inspects("Tools")
    settled.opens("/insights", "What did not work")
    settled.inspects("Insights")
    settled.opens("/activity", "Looking up assignments")
    settled.inspects("Activity")
    settled.opens("/chats", "1 chat")
    settled.inspects("All chats")
    settled.opens("/materials", "Syllabus")
    settled.inspects("Materials")
    settled.page.get_by_role("link", name="Syllabus").click()
    expect(settled.page.locator(".reader-body h3").first).to_be_visible()
    settled.inspects("reader of materials")
    settled.opens("/settings", "Your data")
    expect(settled.page).to_have_title("Settings · Homeroom")
    settled.inspects("Settings")
    settled.page.get_by_text("E-mails to").click()
    settled.person.sees("What comes by e-mail")
    settled.person.waits_for_rest()
    settled.inspects("reminders that are on")


@pytest.mark.soak
def test_every_view_of_a_class_keeps_nobody_out(visit: Visit, newcomer: Visitor, backstage: Backstage) -> None:
    anne = Visitor(visit("Anne Okafor"))
    taught = backstage.teach("Anne Okafor", "Maya Chen")
    for view in CLASS_VIEWS:
        anne.opens(f"/classroom?class={taught.id}&view={view.id}", taught.name)
        expect(anne.page.locator(f".st-key-class-content-{view.id}")).to_be_visible()
        anne.inspects(f"class, {view.id}")
    (record,) = backstage.services.classroom.assistants.of_class(backstage.student("Anne Okafor"), taught.id)
    anne.opens(f"/classroom?class={taught.id}&view=assistants&assistant={record.id}", "As a student")
    for summary in anne.page.get_by_role("main").locator("summary").all():
        summary.click()
    anne.inspects("form of an assistant")
    anne.opens("/classroom", "For the operator of this Homeroom")
    for summary in anne.page.get_by_role("main").locator("summary").all():
        summary.click()
    anne.inspects("sections for the operator")
    newcomer.opens(f"/join/{taught.join_code}", "You are in this class already.")
    newcomer.inspects("invitation")
    newcomer.opens(f"/classroom?class={taught.id}", "Asks what you know")
    newcomer.inspects("class as a member has it")


def test_asking_approving_and_connecting_need_no_mouse(newcomer: Visitor, backstage: Backstage) -> None:
    backstage.connect(newcomer.person.name, "Google Calendar")
    page = newcomer.page
    newcomer.opens("/", "First steps")
    newcomer.tabs_to("Ask about your week")
    page.keyboard.type(EVENT)
    page.keyboard.press("Enter")
    newcomer.person.sees("Nothing happens before you approve.")
    newcomer.person.waits_for_the_end()
    newcomer.tabs_to("Approve")
    page.keyboard.press("Enter")
    newcomer.person.sees("Done")

    newcomer.opens("/connections", "Not connected")
    newcomer.tabs_to("Connect Notion")
    page.keyboard.press("Space")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("What goes where")).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('[role=dialog]') !== null")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(newcomer.person.button("Connect Notion")).to_be_focused()
    page.keyboard.press("Enter")
    newcomer.tabs_to("I have read this and agree")
    page.keyboard.press("Space")
    expect(newcomer.person.button("Continue to Notion")).to_be_enabled()
    newcomer.tabs_to("Continue to Notion")
    page.keyboard.press("Enter")

    expect(newcomer.person.button("Allow")).to_be_visible()
