"""Today and the week on days that are unlike others: over a Sunday, on a Friday afternoon, when the term begins and
ends, far from the campus; at each width, in both themes and both languages.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from services.week.horizon import Horizon, horizon
from tests.browser import Tabs
from tests.flows.backstage import IDS, Backstage
from tests.flows.days import DAYS, DayApp
from tests.flows.faults import speak
from tests.flows.person import Person
from tests.flows.test_accessible import Visitor
from tests.flows.test_today import assert_steady, opened

pytestmark = [pytest.mark.browser, pytest.mark.soak]

WIDTHS = (1440, 1280, 390)
LOCALES = ("en-US", "es-ES")
"""Weeks begin on Sunday, and on Monday."""
CAMPUS = "America/Chicago"
NAME = "Maya Chen"


@dataclass
class Stage:
    """The app on one day, and Maya, who has everything connected. passes: her cookies, once she has signed in."""

    app: DayApp
    backstage: Backstage
    passes: dict[str, Any] = field(default_factory=dict)

    def visit(self, tabs: Tabs, *, width: int = 1280, dark: bool = False, locale: str = "en-US") -> Person:
        """Maya in a new tab, with nothing known of her days."""
        if not self.passes:
            newcomer = Person(self.app, tabs.open(), NAME)
            newcomer.sign_in()
            self.passes = newcomer.page.context.storage_state()  # type: ignore[assignment]
        options = {"timezone_id": self.app.day.timezone, "storage_state": self.passes, "locale": locale}
        maya = Person(self.app, tabs.open(width=width, dark=dark, **options), NAME)
        self.backstage.forget(NAME)
        for label in IDS:
            self.backstage.connect(NAME, label)
        self.backstage.speak_to(NAME, locale)
        self.backstage.services.students.set_timezone(self.backstage.student(NAME).id, CAMPUS)
        return maya

    def horizon(self, locale: str) -> Horizon:
        return horizon(self.app.now().astimezone(ZoneInfo(CAMPUS)), locale)


@pytest.fixture(scope="module", params=DAYS, ids=lambda day: day.name)
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    data_dir = tmp_path_factory.mktemp(request.param.name)
    app = DayApp(request.param, data_dir).start()
    speak(app, words_per_second=400)
    backstage = Backstage(app, data_dir)
    yield Stage(app, backstage)
    backstage.close()
    app.stop()


@pytest.mark.parametrize(("width", "dark", "locale"), list(product(WIDTHS, (False, True), LOCALES)), ids=str)
def test_today_and_the_week_stand_whatever_day_it_is(
    stage: Stage, tabs: Tabs, width: int, dark: bool, locale: str
) -> None:
    maya = stage.visit(tabs, width=width, dark=dark, locale=locale)
    page, days, term = maya.page, stage.horizon(locale), stage.app.day.term

    opened(maya)
    assert_steady(page)
    assert page.locator(".st-key-today-ahead").count() == (days.is_ahead and term != "ends")
    assert page.locator(".st-key-folded-overdue").count() == (term != "begins")
    assert page.locator(".st-key-timezone-note").count() == (stage.app.day.timezone != CAMPUS)
    Visitor(maya).finds_nothing("Today")

    maya.open("/week")
    week = page.locator(".hc-week")
    expect(week).to_have_attribute("data-first", days.this_week.first.isoformat(), timeout=30_000)
    expect(page.locator(".hc-day-head")).to_have_count(3 if width == 390 else 7)
    expect(page.locator(".hc-day-head.hc-is-today")).to_have_count(1)
    expect(page.locator(".hc-now")).to_have_count(1)
    expect(page.locator(".week-text h3")).to_have_count(7)
    maya.waits_for_rest()
    assert_steady(page)
    Visitor(maya).finds_nothing("the week")
    maya.tab.assert_quiet()


def test_far_from_the_campus_the_student_chooses_whose_clocks_count(stage: Stage, tabs: Tabs) -> None:
    if stage.app.day.timezone == CAMPUS:
        pytest.skip("nobody is abroad on this day")
    maya = stage.visit(tabs)
    opened(maya)
    maya.press("Use Tokyo instead")
    expect(maya.page.locator(".st-key-timezone-note")).to_have_count(0)

    maya.open("/week")
    maya.sees("This week")

    # The lecture of 10:00 AM to 11:15 AM in Chicago.
    expect(maya.page.locator(".week-text li", has_text="BIOL 201 Cell Biology: lecture").first).to_contain_text(
        "1:00 AM – 2:15 AM"
    )
    expect(maya.page.locator(".hc-now")).to_have_count(1)
