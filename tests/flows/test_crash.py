"""The app is killed in the middle of an answer and of a write, and started again over the same data."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from bench.load.app_server import AppServer
from tests.browser import Tabs
from tests.flows.backstage import Backstage
from tests.flows.faults import fault, mend, speak
from tests.flows.person import Person
from tests.flows.test_approving import EVENT
from tests.flows.test_live_fallbacks import AWAY

pytestmark = [pytest.mark.browser, pytest.mark.soak]


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[AppServer]:
    server = AppServer(tmp_path).start()
    yield server
    server.kill()


def test_an_answer_and_a_write_survive_a_power_cut(mortal: AppServer, tmp_path: Path, tabs: Tabs) -> None:
    maya = Person(mortal, tabs.open(), "Maya Chen")
    maya.sign_in()
    backstage = Backstage(mortal, tmp_path)
    speak(mortal, words_per_second=20)
    maya.ask("/say-long 400")
    maya.sees(re.compile("word30 "))
    _power_cut(mortal, backstage)
    maya.page.reload()
    maya.sees(re.compile("interrupted|stopped before"))
    expect(maya.answers.last).to_contain_text("word5 ")
    speak(mortal, words_per_second=400)
    maya.press("Continue")
    maya.waits_for_the_end()
    expect(maya.button("Continue")).to_have_count(0)

    backstage.connect(maya.name, "Google Calendar")
    maya.ask_anew(EVENT)
    maya.sees("Add to your calendar")
    fault(mortal, "google", "delay", method="POST", seconds=60)
    maya.press("Approve")
    maya.sees("Working on it")
    _power_cut(mortal, backstage)
    maya.page.reload()
    maya.sees("Done")

    backstage.close()
    assert _events_made(mortal) == 1


def test_while_it_is_away_one_types_on_and_what_was_sent_goes_out_once(mortal: AppServer, tabs: Tabs) -> None:
    maya = Person(mortal, tabs.open(), "Maya Chen")
    maya.sign_in()
    maya.ask("/say First.")
    maya.waits_for_the_end()

    mortal.kill()
    expect(maya.page.locator(".live-away")).to_have_text(AWAY, timeout=30_000)
    maya.field.press_sequentially("/say Second.", delay=200)
    maya.field.press("Enter")
    maya.field.press_sequentially("When is the final exam in", delay=500)
    expect(maya.questions.last).to_have_text("/say Second.")
    expect(maya.page.get_by_role("dialog")).to_have_count(0)
    expect(maya.field).to_have_value("When is the final exam in")

    mortal.start()
    expect(maya.answers.last).to_contain_text("Second.", timeout=60_000)
    expect(maya.page.locator(".live-away")).to_be_hidden(timeout=60_000)
    maya.waits_for_the_end()
    expect(maya.questions).to_have_text(["/say First.", "/say Second."])
    expect(maya.field).to_have_value("When is the final exam in")


def test_on_another_page_a_dialog_speaks_to_the_student_while_it_is_away(mortal: AppServer, tabs: Tabs) -> None:
    maya = Person(mortal, tabs.open(), "Maya Chen")
    maya.sign_in("/settings")
    maya.open("/settings")
    expect(maya.page.get_by_role("heading", name="Settings")).to_be_visible()

    mortal.kill()
    lost = maya.page.get_by_role("dialog", name="Homeroom cannot be reached")
    expect(lost).to_be_visible(timeout=30_000)
    expect(maya.page.get_by_text("streamlit run")).to_be_hidden()
    lost.get_by_role("button", name="Try now").click()
    expect(lost).to_contain_text("Not yet")

    mortal.start()
    expect(lost).to_be_hidden(timeout=60_000)


def _power_cut(app: AppServer, backstage: Backstage) -> None:
    app.kill()
    backstage.let_leases_run_out()
    app.start()
    mend(app)


def _events_made(app: AppServer) -> int:
    entries = app.campus("/log?service=google&writes=1")["entries"]
    return len([entry for entry in entries if entry["method"] == "POST" and entry["status"] == 200])
