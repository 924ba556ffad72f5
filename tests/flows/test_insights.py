"""What was read, in a real browser: under an answer, and as charts with a table behind each on a page of its own."""

import pytest
from playwright.sync_api import expect

from tests.flows.backstage import Backstage
from tests.flows.conftest import Visit

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_a_student_sees_what_was_read_and_may_begin_at_zero(visit: Visit, backstage: Backstage) -> None:
    maya = visit("Maya Chen", dark=True)
    backstage.count(maya.name, "courses", "calendar", fresh=2_000, called=("canvas_grades",))
    backstage.count(maya.name, fresh=1_000, loaded=(), conversation_id="another")
    maya.ask_anew("/say Hello there")
    maya.waits_for_the_end()
    maya.press("Why these tools")
    expect(maya.page.get_by_text("Nothing in your message called for a tool.")).to_be_visible()
    maya.page.keyboard.press("Escape")

    maya.go("Insights")
    maya.sees("You asked 3 questions in the last week")
    charts = maya.page.get_by_test_id("stVegaLiteChart")
    expect(charts).to_have_count(5)
    for chart in (charts.first, charts.nth(1), charts.nth(3)):
        expect(chart.locator("canvas, svg").first).to_be_visible()
    maya.page.get_by_role("tab", name="Table").nth(1).click()
    expect(maya.page.get_by_role("cell", name="Courses")).to_be_visible()
    maya.page.set_viewport_size({"width": 390, "height": 844})
    assert maya.page.evaluate("document.documentElement.scrollWidth") <= 390
    maya.tab.assert_quiet()

    maya.press("Start from zero")
    maya.press("Forget my numbers")
    maya.sees("Your numbers start from zero now.")
    maya.sees("this page begins to fill")
