"""Launches out of a school's system, with a real browser between two sites: in a frame, in a tab, and where a frame
keeps nothing."""

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import Tabs
from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit

if TYPE_CHECKING:
    from playwright.sync_api import FrameLocator, Page, Route

pytestmark = pytest.mark.browser
COURSE = "canvas/halvorsen/courses/4201"
OPEN = re.compile("^Open Homeroom")


@pytest.fixture
def lms(app: AppServer, backstage: Backstage) -> str:
    """Where the school's systems stand: on another site than Homeroom, and nobody has come from there yet."""
    shared = backstage.services.store.shared
    for collection in ("lti_links", "lti_courses", "lti_logins"):
        shared.delete(collection, {})
    for school_class in backstage.services.store.shared.find("classes", {}):
        shared.delete("classes", {"id": school_class["id"]})
        shared.delete("class_members", {"class_id": school_class["id"]})
    return f"http://127.0.0.1:{app.port}/sandbox/lti"


def enter(page: "Page", address: str, name: str) -> None:
    """Open a page of the school's system and sign in there."""
    page.goto(address)
    page.get_by_role("button", name=name).click()


def tool(page: "Page") -> "FrameLocator":
    return page.frame_locator("iframe[name=tool_content]")


def opened(page: "Page", button: Any) -> "Page":
    """The tab that a button opens."""
    with page.context.expect_page() as waited:
        button.click()
    return waited.value


def lose_cookies(page: "Page") -> None:
    """As a browser that has lost what its frame kept by the time that the school's system answers."""

    def lose(route: "Route") -> None:
        page.context.clear_cookies(name=re.compile("^homeroom_l"))
        route.continue_()

    page.context.route("**/api/lti/authorize_redirect*", lose, times=1)


def hide_cookies(page: "Page") -> None:
    """As a browser that keeps no cookies for pages inside of others."""
    page.add_init_script('Object.defineProperty(Document.prototype, "cookie", { get: () => "" })')


def test_a_course_opens_homeroom_from_a_frame_and_from_a_tab(
    app: AppServer, visit: Visit, tabs: Tabs, backstage: Backstage, lms: str
) -> None:
    anne = visit("Anne Okafor")
    enter(anne.page, f"{lms}/{COURSE}", "Anne Okafor")
    anne.page.get_by_role("link", name="here", exact=True).click()
    tab = opened(anne.page, tool(anne.page).get_by_role("button", name=OPEN))
    tab.get_by_role("button", name="That is me").click()
    expect(tab.get_by_role("heading", name="Cell Biology")).to_be_visible()
    expect(tool(anne.page).get_by_text("Homeroom is open in a tab of its own")).to_be_visible()
    anne.tab.assert_quiet()
    rosters, class_id = backstage.services.classroom.lti.rosters, tab.url.partition("class=")[2]
    assert not rosters.compare(backstage.student("Anne Okafor"), class_id).is_empty

    maya = tabs.open(width=390)
    enter(maya.page, f"{lms}/{COURSE}", "Maya Chen")
    tab = opened(maya.page, maya.page.get_by_role("link", name="in a new tab"))
    expect(tab.get_by_text("You join BIOL 201: Cell Biology")).to_be_visible()
    tab.get_by_role("button", name=OPEN).click()
    if tab.get_by_role("heading", name="first time").count():
        tab.get_by_role("button", name="new account").click()
    tab.get_by_role("radio", name="People").click()
    expect(tab.get_by_text("Taught by Anne Okafor")).to_be_visible()
    assert tab.url.startswith(f"{app.url}/classroom?class=")
    maya.assert_quiet()


@pytest.mark.soak
def test_a_frame_that_keeps_no_cookie_uses_what_canvas_keeps_for_it(visit: Visit, lms: str) -> None:
    anne = visit("Anne Okafor")
    lose_cookies(anne.page)
    enter(anne.page, f"{lms}/{COURSE}", "Anne Okafor")
    anne.page.get_by_role("link", name="here", exact=True).click()
    tab = opened(anne.page, tool(anne.page).get_by_role("button", name="Open Homeroom", exact=True))

    expect(tab.get_by_role("heading", name="first time")).to_be_visible()


@pytest.mark.soak
def test_a_frame_that_keeps_nothing_offers_a_tab_before_the_launch_is_used(
    app: AppServer, visit: Visit, lms: str
) -> None:
    app.campus("/lti/switches", {"is_storage_silent": True, "times": 0})
    anne = visit("Anne Okafor")
    hide_cookies(anne.page)
    enter(anne.page, f"{lms}/{COURSE}", "Anne Okafor")
    anne.page.get_by_role("link", name="here", exact=True).click()
    tab = opened(anne.page, tool(anne.page).get_by_role("button", name="Open Homeroom in a new tab"))

    expect(tab.get_by_role("heading", name="first time")).to_be_visible()


@pytest.mark.soak
def test_a_moodle_installs_homeroom_and_an_instructor_links_to_it(visit: Visit, backstage: Backstage, lms: str) -> None:
    invite = backstage.services.classroom.lti.invites.create("Lindgren")
    anne = visit("Anne Okafor")
    enter(anne.page, f"{lms}/moodle/lindgren/tools", "Anne Okafor")
    anne.page.get_by_label("Registration address").fill(invite)
    anne.press("Install")
    expect(anne.page.get_by_text("Client ID")).to_be_visible()
    anne.page.goto(f"{lms}/moodle/lindgren/courses/4201")
    anne.page.get_by_role("link", name="Add a link with Homeroom").last.click()
    tool(anne.page).get_by_label("Study").check()
    tool(anne.page).get_by_role("button", name="Add to the course").click()

    expect(anne.page.get_by_role("heading", name="Links")).to_be_visible()
    anne.tab.assert_quiet()
