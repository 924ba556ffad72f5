"""Today and the week on the days that are unlike the others: over a Sunday, on a Friday afternoon, when the term begins and
ends, far from the campus; at each width, in both themes and both languages.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice, product

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import WIDTHS, Tabs
from tests.flows.backstage import IDS, Backstage
from tests.flows.days import DAYS, Day, serve_on
from tests.flows.faults import speak
from tests.flows.person import Person
from tests.flows.test_accessible import Visitor
from tests.flows.test_today import MOST_SHIFTED, SHIFTED, opened

pytestmark = [pytest.mark.browser, pytest.mark.soak]

LOOKS = list(product((1440, 1280, 390), (False, True), ("en-US", "es-MX")))
SPOKEN = {
    "en-US": ("Due in the next 48 hours", "Later in the next seven days", "This week"),
    "es-MX": ("Para las próximas 48 horas", "Más adelante, en los próximos siete días", "Esta semana"),
}
DAYS_SHOWN = {1440: 7, 1280: 7, 390: 3}
AHEAD = ("friday-afternoon", "sunday-abroad")
"""Days from which on this week is the next seven days. Where weeks begin on a Sunday, it begins one."""


@dataclass(frozen=True)
class Stage:
    day: Day
    app: AppServer
    backstage: Backstage


@pytest.fixture(scope="module", params=DAYS, ids=lambda day: day.name)
def stage(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The app on one day."""
    data_dir = tmp_path_factory.mktemp(request.param.name)
    app = serve_on(request.param, data_dir)
    speak(app, words_per_second=400)
    backstage = Backstage(app, data_dir)
    yield Stage(request.param, app, backstage)
    backstage.close()
    app.stop()
